import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { readList } from "./list-file.ts";
import type { Task } from "./read-file.ts";

// Runs in a worker: a large file must not delay other requests, and its memory is limited.

const { path, limits } = workerData as Task;

parentPort?.postMessage(await readList(readFileSync(path), limits));
