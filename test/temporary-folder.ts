import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** An empty folder, which is deleted after the running test. */
export function folderOfTest(): string {
  return folderUntil(onTestFinished);
}

/** The same, until all tests of the calling file have run. */
export function folderOfFile(): string {
  return folderUntil(afterAll);
}

function folderUntil(end: (remove: () => void) => void): string {
  const path = mkdtempSync(join(tmpdir(), "academy-test-"));
  // A killed program may still write for a moment.
  end(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return path;
}
