import { randomBytes } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { explainAndAdvise } from "#server/base/failures.ts";
import { OperatorError } from "#server/base/operator-error.ts";

export interface DataDir {
  readonly path: string;
  /**
   * 32 random bytes in base64url, made once and kept in a file of this name, which is on the disk before this
   * returns.
   */
  secret(name: string): string;
  /** Releases the lock, as the kernel does when this process ends. */
  release(): void;
}

/** @internal */
export class DataDirError extends OperatorError {
  override name = "DataDirError";
}

/** Milliseconds that an academy which was told to stop may still hold the lock. */
const lockTimeout = 1500;

/**
 * Locks the directory, which is made when absent.
 * @throws DataDirError when it cannot be written, or another academy holds the lock.
 */
export function openDataDir(directory: string): DataDir {
  const path = resolve(directory);
  const holderFile = join(path, "academy.pid");
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotBeWritten(path, error);
  }
  const lock = takeLock(path, holderFile);
  try {
    writeFileSync(holderFile, `${process.pid}\n`);
  } catch (error) {
    lock.close();
    throw cannotBeWritten(path, error);
  }
  return {
    path,
    secret: (name) => readSecret(path, name),
    release: () => {
      rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

/** Without the lock. @internal for tests beside a running academy */
export function shareDataDir(directory: string): DataDir {
  const path = resolve(directory);
  return { path, secret: (name) => readSecret(path, name), release: () => {} };
}

/**
 * SQLite's lock is the only one in Node that the kernel releases with the process. Never delete its file, which would
 * release it.
 */
function takeLock(path: string, holderFile: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(path, "academy.lock"), { timeout: lockTimeout });
    lock.exec("pragma locking_mode = exclusive; begin exclusive");
    return lock;
  } catch (error) {
    lock?.close();
    const code = error instanceof Error && "errcode" in error ? error.errcode : null;
    if (code !== sqliteBusy) throw cannotBeWritten(path, error);
    throw new DataDirError(
      `DATA_DIR ${path} is in use by another academy${holder(holderFile)}. Stop it or choose another DATA_DIR.`,
    );
  }
}

const sqliteBusy = 5;

function holder(holderFile: string): string {
  try {
    return ` (process ${Number(readFileSync(holderFile, "utf8"))})`;
  } catch {
    return ""; // The holder has not written its process id yet.
  }
}

function cannotBeWritten(path: string, error: unknown): DataDirError {
  return new DataDirError(`DATA_DIR ${path} cannot be written. ${explainAndAdvise(error, "files")}`, { cause: error });
}

function readSecret(path: string, name: string): string {
  const file = join(path, "secrets", name);
  try {
    return existingSecret(file) ?? newSecret(file);
  } catch (error) {
    throw error instanceof DataDirError ? error : cannotBeWritten(path, error);
  }
}

function existingSecret(file: string): string | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  // A truncated secret must not sign anything.
  if (!/^[\w-]{43}$/.test(text)) throw new DataDirError(`${file} does not hold a secret. Restore it from a backup.`);
  return text;
}

function newSecret(file: string): string {
  const secret = randomBytes(32).toString("base64url");
  const unfinished = `${file}.unfinished`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(unfinished, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
  const handle = openSync(dirname(file), "r");
  fsyncSync(handle);
  closeSync(handle);
  return secret;
}
