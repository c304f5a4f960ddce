import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux's file system in memory. */
const memory = "/dev/shm";
const prefix = "academy-run-";
const wantedBytes = 2 * 2 ** 30;

/**
 * Puts the temporary files of this test run into memory if there is enough: a test's database is a thousand files,
 * and creating them on a disk takes ten times the CPU time.
 * @returns a function that undoes it
 */
export function keepFilesInMemory(): () => void {
  if (!existsSync(memory)) return () => {};
  for (const name of readdirSync(memory).filter(isLeftover))
    rmSync(join(memory, name), { recursive: true, force: true });
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < wantedBytes) return () => {};
  const before = tmpdir();
  const directory = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
  process.env.TMPDIR = directory;
  return () => {
    process.env.TMPDIR = before;
    rmSync(directory, { recursive: true, force: true });
  };
}

/** Whether it belongs to a killed run. */
function isLeftover(name: string): boolean {
  return name.startsWith(prefix) && !existsSync(`/proc/${name.slice(prefix.length).split("-")[0]}`);
}
