import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

const sources = [
  "app",
  "ui",
  "site",
  "astro.config.ts",
  "contract",
  "content",
  "issuer/pages",
  "scripts/build.ts",
  "scripts/pages",
  "vite.config.ts",
  "package-lock.json",
];

/** The sources that dist/ was built from. Written last, so that an interrupted build does not count. */
const stampFile = `${root}dist/built-from.json`;

interface Stamp {
  readonly times: string;
  readonly contents: string;
}

/** Whether dist/ was built from the current sources. Compares sizes and times, and contents only where those differ. */
export function arePagesFresh(): boolean {
  let stamp: Stamp;
  try {
    stamp = JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return false;
  }
  const files = listSources();
  const times = digest(files, timeOf);
  if (stamp.times === times) return true;
  if (stamp.contents !== digest(files, contentOf)) return false;
  // A fresh checkout of the same sources: stores its times, unless the folder is read-only.
  try {
    writeFileSync(stampFile, JSON.stringify({ ...stamp, times }));
  } catch {}
  return true;
}

/** Builds the pages if they are stale. Returns 0, or the exit code of a failed build, which has printed why. */
export async function buildStalePages(): Promise<number> {
  if (arePagesFresh()) return 0;
  const build = spawn(process.execPath, ["scripts/build.ts"], { cwd: root, stdio: "inherit" });
  const [code] = await once(build, "exit");
  return code ?? 1;
}

/** Marks dist/ as incomplete until the returned function is called. */
export function beginBuild(): () => void {
  rmSync(stampFile, { force: true });
  const files = listSources();
  const stamp: Stamp = { times: digest(files, timeOf), contents: digest(files, contentOf) };
  return () => {
    mkdirSync(`${root}dist`, { recursive: true });
    writeFileSync(stampFile, JSON.stringify(stamp));
  };
}

function listSources(): string[] {
  return sources.flatMap(filesBelow).sort();
}

function filesBelow(path: string): string[] {
  const stat = statSync(root + path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(root + path).flatMap((name) => (/\.test\.tsx?$/.test(name) ? [] : filesBelow(`${path}/${name}`)));
}

function digest(files: readonly string[], factOf: (file: string) => string): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(factOf(file)).update("\n");
  return hash.digest("hex");
}

function timeOf(file: string): string {
  const { size, mtimeMs } = statSync(root + file);
  return `${size} ${mtimeMs}`;
}

function contentOf(file: string): string {
  return createHash("sha256")
    .update(readFileSync(root + file))
    .digest("hex");
}
