import { availableParallelism } from "node:os";

/** The number of files with ports of their own (`freePort`). */
export const maxParallelFiles = 16;

/** Files that run at the same time: two more than cores, because tests often wait. */
export const parallelFiles = Math.min(availableParallelism() + 2, maxParallelFiles);
