import { readFileSync } from "node:fs";
import { ConfigError, readConfig } from "#server/config.ts";
import { DatabaseUnavailable } from "#server/db/unavailable.ts";
import { adoptFiles } from "#server/operations/adopt-files.ts";
import { backUp } from "#server/operations/backup.ts";
import { examine } from "#server/operations/doctor.ts";
import { migrateAsOwner } from "#server/operations/migrate.ts";
import { OperationRefused } from "#server/operations/reach.ts";
import { restore } from "#server/operations/restore.ts";
import { UnfinishedRestore } from "#server/operations/unfinished-restore.ts";
import { DataDirError } from "#server/process/data-dir.ts";
import { Refusal } from "#server/refusal.ts";

// An operator's commands: backup [FILE], restore FILE [--adopt-files], adopt-files, db:migrate, doctor. Exit code 0: done, all is well; 1: it is not.
const [command, ...rest] = process.argv.slice(2);
const file = rest.find((word) => !word.startsWith("--"));
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const commands: Record<string, () => Promise<boolean>> = {
  async backup() {
    const interrupted = new AbortController();
    const stop = () => interrupted.abort(new OperationRefused("Interrupted: there is no backup."));
    process.once("SIGINT", stop).once("SIGTERM", stop);
    const backup = await backUp(readConfig(process.env), file ?? null, version, interrupted.signal);
    const { path, size, tables, files, missing } = backup;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const stored = files.filter(({ name }) => name.startsWith("files/")).length;
    for (const key of missing) console.error(`A row names the file ${key}, and the store does not have it.`);
    console.log(
      `${path}: ${inWords(size)}, ${rows} rows, ${stored} files, and the keys: keep it as secret as they are.`,
    );
    return true;
  },

  async restore() {
    if (!file) throw new OperationRefused("Name the backup: npm run restore -- FILE");
    const { madeAt, tables } = await restore(readConfig(process.env), file, {
      adoptFiles: rest.includes("--adopt-files"),
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`Restored and compared: ${rows} rows and every file as of ${madeAt}. Start the academy now.`);
    console.log(
      "What the card gateway did after that moment is not in it: then run npm run reconcile, and mend at /admin.",
    );
    return true;
  },

  async "db:migrate"() {
    const { applied, role } = await migrateAsOwner(readConfig(process.env));
    console.log(applied === 0 ? "The database was up to date." : `${applied} migrations were applied.`);
    if (role) console.log(`${role} may read and write rows, and nothing else.`);
    return true;
  },

  async "adopt-files"() {
    const { named, missing, unnamed } = await adoptFiles(readConfig(process.env));
    console.log(
      `The files are this academy's now: ${named - missing.length} of ${named} that rows name are there, and ${unnamed.length} that no row names.`,
    );
    return true;
  },

  async doctor() {
    let problems = 0;
    for await (const { name, problem, detail } of examine(process.env, process.versions.node)) {
      if (problem) problems += 1;
      console.log(`${problem ? "PROBLEM" : "ok     "}  ${name}: ${detail}`);
    }
    console.log(problems === 0 ? "All is well." : `Problems: ${problems}.`);
    return problems === 0;
  },
};

function inWords(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

const knownErrors = [ConfigError, DataDirError, DatabaseUnavailable, OperationRefused, Refusal, UnfinishedRestore];

try {
  process.exitCode = (await commands[command ?? ""]?.()) ? 0 : 1;
} catch (error) {
  if (!(error instanceof Error)) throw error;
  // A sentence for what an operator can mend; everything for what is our own fault.
  const isKnown = knownErrors.some((known) => error instanceof known);
  console.error(isKnown ? error.message : "code" in error ? error.message || error.code : error.stack);
  process.exitCode = 1;
}
