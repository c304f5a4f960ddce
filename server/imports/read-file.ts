import { Worker } from "node:worker_threads";
import { importLimit, mostImportColumns, mostImportRows } from "#contract/admin/imports.ts";
import { SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

export interface Task {
  readonly path: string;
  readonly mostRows: number;
  readonly mostColumns: number;
  /** Unpacked. */
  readonly mostBytes: number;
  /** In all cells. */
  readonly mostCharacters: number;
}

export interface ReadFile {
  readonly columns: readonly string[];
  /** Without empty ones; as many cells as columns. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

export interface FileFault {
  readonly fault: "empty" | "no-rows" | "binary" | "unreadable" | "columns" | "rows" | "too-large";
}

const longest = 60 * SECOND;
const task = {
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
    workerData: { path, ...task } satisfies Task,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    // The academy's secrets are in its environment.
    env: {},
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
