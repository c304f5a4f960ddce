import { availableParallelism } from "node:os";

/** As many files have ports of their own (`freePort`). */
export const maxParallelFiles = 16;

/** How many files run at once: two more than the cores, since a test often waits for its academy, a page or a video. */
export const parallelFiles = Math.min(availableParallelism() + 2, maxParallelFiles);
