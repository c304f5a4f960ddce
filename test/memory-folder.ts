import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The file system that Linux keeps in memory. */
const memory = "/dev/shm";
const prefix = "academy-run-";
const wantedBytes = 2 * 2 ** 30;

/**
 * Has this test run keep its temporary files in memory where that has room for them: a test's database is a thousand
 * files, and making them on a disk costs ten times the processor time. Returns what undoes it.
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

/** Whether a run that was killed left it. */
function isLeftover(name: string): boolean {
  return name.startsWith(prefix) && !existsSync(`/proc/${name.slice(prefix.length).split("-")[0]}`);
}
