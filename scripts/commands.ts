import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { OperatorError } from "#server/base/operator-error.ts";
import { readConfig } from "#server/context/config.ts";
import { adoptFiles } from "#server/operations/adopt-files.ts";
import { backUpOnce } from "#server/operations/backup-destinations.ts";
import { OperationRefused } from "#server/operations/connect-database.ts";
import { examine } from "#server/operations/doctor/doctor.ts";
import { mostCatalogueBytes } from "#server/operations/export/contents.ts";
import { exportAcademy } from "#server/operations/export/export.ts";
import { importContent } from "#server/operations/export/import-content.ts";
import { migrateAsOwner } from "#server/operations/migrate.ts";
import { onlyDemos, resetDemo } from "#server/operations/reset.ts";
import { restore } from "#server/operations/restore.ts";
import { teamLines } from "#server/operations/restored-team.ts";
import { rotateSigningKey } from "#server/operations/signing-key.ts";
import { sentenceFor } from "#server/process/sentence-for.ts";

// An operator's commands: backup [FILE], restore FILE [--adopt-files] [--without-missing-videos], adopt-files,
// db:migrate, db:reset [--yes], doctor, rotate-signing-key, export FILE [--without-videos] [--force],
// import-content FILE [--yes].
// Exit code 0: done, all is well; 1: it is not; 2: the command was typed wrongly.
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Who runs a command, and where. */
export interface Operator {
  readonly env: Record<string, string | undefined>;
  readonly output: Pick<Console, "log" | "error">;
  /** Shows how far a long command is. Null where nobody watches. */
  readonly progress: ((text: string) => void) | null;
  /** Resolves to whether to go on. Null where nobody can be asked. */
  readonly ask: (() => Promise<boolean>) | null;
  /** Aborted when the operator interrupts the command, with this sentence. */
  readonly interrupted: (sentence: string) => AbortSignal;
}

interface Asked extends Operator {
  /** Absolute. */
  readonly file: string | null;
  readonly options: readonly string[];
}

/** The arguments of each command. */
const takes: Record<string, { file?: string; options?: readonly string[] }> = {
  backup: { file: "[FILE]" },
  restore: { file: "FILE", options: ["--adopt-files", "--without-missing-videos"] },
  "db:reset": { options: ["--yes"] },
  export: { file: "FILE", options: ["--without-videos", "--force"] },
  "import-content": { file: "FILE", options: ["--yes"] },
};

class WrongUsage extends OperatorError {}

const commands: Record<string, (asked: Asked) => Promise<boolean>> = {
  async backup({ file, env, output, interrupted }) {
    const config = readConfig(env);
    const backup = await backUpOnce(config, file, version, interrupted("Interrupted: there is no backup."));
    const { path, size, tables, files, videos, missing } = backup;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const stored = files.filter(({ name }) => name.startsWith("files/")).length;
    for (const key of missing) output.error(`A row names the file ${key}, and the store does not have it.`);
    output.log(
      `${path}: ${inWords(size)}, ${rows} rows, ${stored} files${videos.length > 0 ? ` (and ${videos.length} of videos, beside it)` : ""}, and the keys: ${config.backups.recipients.length > 0 ? "the secret key of BACKUP_RECIPIENT opens it" : "keep it as secret as they are"}.`,
    );
    return true;
  },

  async restore({ file, options, env, output }) {
    if (!file) throw new OperationRefused("Name the backup: npm run restore -- FILE");
    const config = readConfig(env);
    const { madeAt, tables, team, leftOut, withoutVideos } = await restore(config, file, {
      adoptFiles: options.includes("--adopt-files"),
      withoutMissingVideos: options.includes("--without-missing-videos"),
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    output.log(`Restored and compared: ${rows} rows and every file as of ${madeAt}. Start the academy now.`);
    if (leftOut.length > 0) output.log(`Left out, as they are not the academy's: ${leftOut.join(", ")}.`);
    if (withoutVideos.length > 0) output.log(`Without these videos: ${withoutVideos.join(", ")}.`);
    output.log("What the card gateway did after that is not in it: then run npm run reconcile, and repair at /admin.");
    output.log(teamLines(team, config.adminEmails).join("\n"));
    return true;
  },

  async export({ file, options, env, output, progress, interrupted }) {
    if (!file) throw new OperationRefused("Name the archive: npm run export -- academy.zip");
    const exported = await exportAcademy(readConfig(env), file, version, {
      overwrites: options.includes("--force"),
      withoutVideos: options.includes("--without-videos"),
      signal: interrupted("Interrupted: nothing was exported."),
      say: (name) => progress?.(`Exporting ${name}`),
    }).finally(() => progress?.(""));
    const rows = exported.tables.reduce((sum, table) => sum + table.rows, 0);
    const files = exported.files.filter(({ name }) => name.startsWith("files/")).length - exported.missing.length;
    for (const key of exported.missing) output.error(`A row names the file ${key}, and the store does not have it.`);
    const catalogue = exported.files.filter(({ name }) => name.startsWith("catalogue/"));
    if (catalogue.reduce((sum, { size }) => sum + size, 0) > mostCatalogueBytes) {
      output.error(`An import can't read it back: its catalogue is larger than ${inWords(mostCatalogueBytes)}.`);
    }
    output.log(
      `${file}: ${inWords(exported.size)}, ${rows} rows, ${files} files. It contains personal data: store it safely.`,
    );
    return exported.missing.length === 0;
  },

  async "import-content"({ file, options, env, output, ask }) {
    if (!file) throw new OperationRefused("Name the archive: npm run import-content -- academy.zip");
    const imported = await importContent(readConfig(env), file, async (changes) => {
      const lines = changes.map(({ table, before, after }) => `${table}: ${before} rows now, ${after} in the archive`);
      output.log(["This replaces the content of the academy:", ...lines].join("\n  "));
      return options.includes("--yes") || agrees(ask, "import-content -- FILE");
    });
    if (!imported) output.log("Nothing was changed.");
    else output.log("Imported. People and payments are never imported.");
    for (const name of imported?.missing ?? []) output.error(`The archive does not have the file of “${name}”.`);
    return imported !== null;
  },

  async "db:migrate"({ env, output }) {
    const { applied, role } = await migrateAsOwner(readConfig(env), output.error);
    output.log(applied === 0 ? "The database was up to date." : `${applied} migrations were applied.`);
    if (role) output.log(`${role} may read and write rows, and nothing else.`);
    return true;
  },

  async "db:reset"({ options, env, output, ask }) {
    if (env.MODE?.trim() === "production") throw new OperationRefused(onlyDemos);
    const config = readConfig(env);
    if (config.sandboxUrl) {
      throw new OperationRefused(
        `The sandbox at ${config.sandboxUrl} keeps a ledger of its own: stop it, empty its DATA_DIR, and run this without SANDBOX_URL.`,
      );
    }
    const folder = join(config.dataDir, "sandbox");
    const sandbox = { name: existsSync(folder) ? folder : null, empty: () => emptySandboxIn(folder) };
    let found = 0;
    const isDone = await resetDemo(config, sandbox, async (parts) => {
      found = parts.length;
      if (found === 0) return true;
      output.log(["This removes the demo academy:", ...parts].join("\n  "));
      return options.includes("--yes") || agrees(ask, "db:reset --");
    });
    if (!isDone) output.log("Nothing was removed.");
    else if (found === 0) output.log("There was nothing to remove.");
    else output.log("Removed. The next start makes the demo academy anew; keys and backups in DATA_DIR stayed.");
    return isDone;
  },

  async "adopt-files"({ env, output }) {
    const { named, missing, unnamed } = await adoptFiles(readConfig(env));
    output.log(
      `The files are this academy's now: ${named - missing.length} of ${named} that rows name are there, and ${unnamed.length} that no row names.`,
    );
    return true;
  },

  async "rotate-signing-key"({ env, output }) {
    const isDone = await rotateSigningKey(readConfig(env));
    const running = "A new key is published, and signs in an hour. The old one stays published for 31 days.";
    output.log(
      isDone ? running : "No academy took the job within a minute. The next one to start publishes a new key.",
    );
    return isDone;
  },

  async doctor({ env, output }) {
    output.log(`Academy ${version}`);
    let problems = 0;
    let warnings = 0;
    for await (const { name, problem, warning, detail } of examine(env, process.versions.node)) {
      if (problem) problems += 1;
      else if (warning) warnings += 1;
      output.log(`${problem ? "PROBLEM" : warning ? "WARNING" : "ok     "}  ${name}: ${detail}`);
    }
    const well = warnings === 0 ? "All is well." : `No problems. Warnings: ${warnings}.`;
    output.log(problems === 0 ? well : `Problems: ${problems}.`);
    return problems === 0;
  },
};

/** Imported here only: production servers have no sandbox. */
async function emptySandboxIn(folder: string): Promise<void> {
  const { emptySandbox } = await import("#sandbox/empty.ts");
  try {
    emptySandbox(folder);
  } catch (error) {
    throw new OperationRefused(`${error instanceof Error ? error.message : error} Stop it first.`);
  }
}

/** @param typed the command, up to its options */
async function agrees(ask: Operator["ask"], typed: string): Promise<boolean> {
  if (ask) return ask();
  throw new OperationRefused(`Nothing was changed, as nobody can be asked: npm run ${typed} --yes does it.`);
}

function inWords(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

/** @throws WrongUsage for unknown arguments. */
function readAsked(command: string, rest: readonly string[], operator: Operator): Asked {
  const { file = null, options: known = [] } = takes[command] ?? {};
  const options = rest.filter((word) => word.startsWith("-"));
  const files = rest.filter((word) => !word.startsWith("-"));
  const unknown = options.find((word) => !known.includes(word)) ?? files[file ? 1 : 0];
  if (unknown !== undefined) {
    const words = [file, ...known.map((option) => `[${option}]`)].filter(Boolean);
    const usage = [`npm run ${command}`, ...(words.length > 0 ? ["--", ...words] : [])].join(" ");
    throw new WrongUsage(`${command} does not know ${unknown}. Usage: ${usage}`);
  }
  // Relative to the directory where the command was typed.
  const [name] = files;
  return { ...operator, file: name ? resolve(operator.env.INIT_CWD ?? process.cwd(), name) : null, options };
}

/** Runs the command that was typed. Resolves to the exit code. */
export async function runCommand([command = "", ...rest]: readonly string[], operator: Operator): Promise<number> {
  try {
    const run = commands[command];
    if (!run) {
      throw new WrongUsage(
        `Usage: npm run ${[...Object.keys(commands), "reconcile"].join("|")}. A deployed machine has academy in place of npm run.`,
      );
    }
    return (await run(readAsked(command, rest, operator))) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    operator.output.error(sentenceFor(error) ?? error.stack);
    return error instanceof WrongUsage ? 2 : 1;
  }
}
