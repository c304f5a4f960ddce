import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DataDirError, openDataDir } from "#server/process/data-dir.ts";
import { folderOfTest } from "#test/temporary-folder.ts";

test("the directory is made for its owner only", () => {
  const dataDir = open(join(folderOfTest(), "deep", "data"));
  expect(statSync(dataDir.path).mode & 0o777).toBe(0o700);
});

test("a directory that cannot be made is refused in one sentence", () => {
  const file = join(folderOfTest(), "file");
  writeFileSync(file, "");
  expect(() => openDataDir(join(file, "data"))).toThrow(DataDirError);
  expect(() => openDataDir(join(file, "data"))).toThrow(
    /^DATA_DIR \/.*\/file\/data cannot be written\. A part of the path is a file .*\.$/,
  );
});

test("a second academy is refused and told which process is the first", async () => {
  const path = folderOfTest();
  const other = await otherAcademy(path);
  expect(() => openDataDir(path)).toThrow(
    `DATA_DIR ${path} is in use by another academy (process ${other.pid}). Stop it or choose another DATA_DIR.`,
  );
});

test("a killed academy holds no lock", async () => {
  const path = folderOfTest();
  const other = await otherAcademy(path);
  other.kill("SIGKILL");
  await once(other, "exit");
  expect(open(path).path).toBe(path);
});

test("a released directory can be taken again", () => {
  const path = folderOfTest();
  openDataDir(path).release();
  expect(open(path).path).toBe(path);
});

test("a secret is random, stays the same, and only its owner can read it", () => {
  const path = folderOfTest();
  const first = openDataDir(path);
  const secret = first.secret("session");
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect(first.secret("other")).not.toBe(secret);
  first.release();
  expect(open(path).secret("session")).toBe(secret);
  expect(statSync(join(path, "secrets", "session")).mode & 0o777).toBe(0o600);
});

test("a damaged secret is not used and not replaced", () => {
  const dataDir = open(folderOfTest());
  dataDir.secret("session");
  const file = join(dataDir.path, "secrets", "session");
  writeFileSync(file, "half");
  expect(() => dataDir.secret("session")).toThrow(`${file} does not hold a secret. Restore it from a backup.`);
  expect(readFileSync(file, "utf8")).toBe("half");
});

function open(path: string) {
  const dataDir = openDataDir(path);
  onTestFinished(() => dataDir.release());
  return dataDir;
}

async function otherAcademy(path: string): Promise<ChildProcess> {
  const program = `
    import { openDataDir } from "#server/process/data-dir.ts";
    // Collected as garbage, it would release the lock.
    globalThis.held = openDataDir(process.argv[1]);
    console.log("open");
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program, path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}
