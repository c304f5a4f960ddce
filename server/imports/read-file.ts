import { Worker } from "node:worker_threads";
import { importLimit, mostImportColumns, mostImportRows } from "#contract/admin/imports.ts";
import { SECOND } from "#server/base/clock.ts";
import { compileCacheEnv } from "#server/base/compile-cache.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { FileFault, Limits, ReadFile } from "./list-file.ts";

export interface Task {
  readonly path: string;
  readonly limits: Limits;
}

const longest = 60 * SECOND;
const limits: Limits = {
  mostRows: mostImportRows,
  mostColumns: mostImportColumns,
  mostBytes: 10 * importLimit,
  mostCharacters: 2 * importLimit,
};

const words: Readonly<Record<FileFault["fault"], string>> = {
  empty: "This file is empty.",
  "no-rows": "This file has no rows.",
  binary: "This isn’t a CSV or XLSX file. Export your list again and upload that file.",
  unreadable: "We can’t read this file. Save it as CSV, or as XLSX without a password, and upload it again.",
  columns: "This file has more than 1,000 columns. Remove those you don’t need.",
  rows: "This file has more than 10,000 rows. Split it into several files.",
  "too-large": "This file is too large. Save it as CSV, or split it into several files.",
};

/** Reads a list in CSV or XLSX. @throws Refusal invalid-input */
export async function readFile(path: string): Promise<ReadFile> {
  const { promise, resolve } = Promise.withResolvers<ReadFile | FileFault>();
  const worker = new Worker(new URL("./file-reader.ts", import.meta.url), {
    workerData: { path, limits } satisfies Task,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    // The academy's secrets are in its environment.
    env: compileCacheEnv(),
  });
  const timer = setTimeout(() => void worker.terminate(), longest);
  worker.once("message", resolve);
  worker.once("error", () => resolve({ fault: "too-large" }));
  worker.once("exit", () => resolve({ fault: "too-large" }));
  const read = await promise.finally(() => clearTimeout(timer));
  if (!("fault" in read)) return read;
  const message = words[read.fault];
  throw new Refusal("invalid-input", message, { errors: { file: [message] } });
}
