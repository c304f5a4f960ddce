import cluster, { type Worker } from "node:cluster";
import { getCompileCacheDir } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { SECOND } from "#server/base/clock.ts";
import { OperatorError } from "#server/base/operator-error.ts";
import type { PoolSizes } from "#server/db/connections.ts";
import { closeOrphanedConnections } from "./orphaned-connections.ts";

/** The task of one worker process. The primary process starts the workers and owns the database and the sandbox. */
export interface WorkerTask {
  /** From 1; a replacement has the number of the worker that it replaces. */
  readonly number: number;
  readonly workers: number;
  /** The first worker migrates, seeds a demo and clears what a killed academy left, before the others start. */
  readonly isFirst: boolean;
  readonly pools: PoolSizes;
  /** The origin of the primary's sandbox; null: it runs none. */
  readonly sandboxOrigin: string | null;
}

/** The message is the worker's own, where it sent one. */
export class WorkerFailed extends OperatorError {
  override name = "WorkerFailed";
}

const variable = "ACADEMY_WORKER";

/** Null in the primary process. */
export function taskOfWorker(): WorkerTask | null {
  const task = cluster.isWorker ? process.env[variable] : undefined;
  return task === undefined ? null : (JSON.parse(task) as WorkerTask);
}

interface Message {
  readonly worker?: "serves" | "stop" | { readonly failed: string };
}

/** Messages of a worker to its primary. */
export const primary = {
  serves: () => void cluster.worker?.send({ worker: "serves" } satisfies Message),
  /** Resolves when the message is sent. */
  failed: (sentence: string) =>
    new Promise<void>((resolve) => {
      const message: Message = { worker: { failed: sentence } };
      cluster.worker?.send(message, undefined, undefined, () => resolve());
    }),
  onStop: (stop: () => void) =>
    void cluster.worker?.on("message", (message: Message) => {
      if (message.worker === "stop") stop();
    }),
};

const firstPause = SECOND / 5;
const maxPause = 10 * SECOND;
/** After a minute of service the pauses between restarts start from the shortest again. */
const settled = 60 * SECOND;
/** Failed starts in a row, while no worker serves, after which the academy gives up. */
const maxFailures = 5;
const program = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface Workers {
  /** Resolves when all workers serve. @throws WorkerFailed when one ends before. */
  start(): Promise<void>;
  /** Has the workers finish work under way, and resolves when they have ended. */
  stop(): Promise<void>;
}

/** @param onEnd called when workers cannot be replaced and none serves */
export function superviseWorkers(
  task: Omit<WorkerTask, "number" | "isFirst">,
  log: Logger,
  onEnd: (error: WorkerFailed) => void,
): Workers {
  return new Supervisor(task, log, onEnd);
}

class Supervisor implements Workers {
  private readonly task: Omit<WorkerTask, "number" | "isFirst">;
  private readonly log: Logger;
  private readonly onEnd: (error: WorkerFailed) => void;
  private readonly stopping = new AbortController();
  /** At most WORKERS entries of about 10 kB. */
  private readonly running = new Set<Worker>();
  /** At most WORKERS entries of about 200 bytes. */
  private readonly reviving = new Set<Promise<void>>();
  private serving = 0;
  private failures = 0;

  constructor(task: Omit<WorkerTask, "number" | "isFirst">, log: Logger, onEnd: (error: WorkerFailed) => void) {
    this.task = task;
    this.log = log;
    this.onEnd = onEnd;
    const compiled = getCompileCacheDir();
    cluster.setupPrimary({ exec: program, args: [] });
    // Without it each worker would compile the product again.
    if (compiled) process.env.NODE_COMPILE_CACHE ??= compiled;
  }

  async start(): Promise<void> {
    await this.launch(1, firstPause, { isFirst: true });
    const others = Array.from({ length: this.task.workers - 1 }, (_, at) => at + 2);
    await Promise.all(others.map((number) => this.launch(number, firstPause)));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.running].map((worker) => stop(worker)));
    await Promise.all(this.reviving);
  }

  /** Resolves when the worker serves. From then on it is replaced when it ends, after `pause` if it ended soon. */
  private async launch(number: number, pause: number, { isFirst = false } = {}): Promise<void> {
    this.stopping.signal.throwIfAborted();
    const worker = cluster.fork({ [variable]: JSON.stringify({ ...this.task, number, isFirst } satisfies WorkerTask) });
    closeOrphanedConnections(worker);
    this.running.add(worker);
    const served = Promise.withResolvers<void>();
    let servesSince: number | null = null;
    let sentence: string | null = null;
    worker.on("message", ({ worker: said }: Message) => {
      if (typeof said === "object") sentence = said.failed;
      if (said !== "serves") return;
      servesSince = performance.now();
      this.serving += 1;
      this.failures = 0;
      served.resolve();
    });
    // A worker that dies while it is given a connection; "exit" follows.
    worker.on("error", (error) => this.log.warn({ err: error, worker: number }, "a worker could not be reached"));
    worker.once("exit", (code, signal) => {
      this.running.delete(worker);
      const how = signal ?? `code ${code}`;
      if (servesSince === null) {
        return served.reject(new WorkerFailed(sentence ?? `A worker ended (${how}) before it served.`));
      }
      this.serving -= 1;
      if (this.stopping.signal.aborted) return;
      this.log.error({ worker: number, how }, "a worker ended, and another one takes its place");
      const isSettled = performance.now() - servesSince > settled;
      const reviving: Promise<void> = this.revive(number, isSettled ? 0 : pause).finally(() =>
        this.reviving.delete(reviving),
      );
      this.reviving.add(reviving);
    });
    await served.promise;
  }

  private async revive(number: number, firstWait: number): Promise<void> {
    for (let wait = firstWait; ; wait = longer(wait)) {
      await delay(wait, undefined, { signal: this.stopping.signal }).catch(() => {});
      if (this.stopping.signal.aborted) return;
      try {
        await this.launch(number, longer(wait));
        return this.log.warn({ worker: number }, "a worker serves in the place of the one that ended");
      } catch (error) {
        if (!(error instanceof WorkerFailed)) throw error;
        if (this.stopping.signal.aborted) return;
        this.failures += 1;
        this.log.error({ worker: number, reason: error.message }, "a worker could not start");
        if (this.failures < maxFailures || this.serving > 0) continue;
        // Not awaited: `onEnd` stops this supervisor too.
        this.onEnd(error);
        return;
      }
    }
  }
}

function longer(pause: number): number {
  return Math.min(Math.max(2 * pause, firstPause), maxPause);
}

/** Resolves when the worker has exited, also when it dies before the signal. */
function stop(worker: Worker): Promise<void> {
  if (worker.isDead()) return Promise.resolve();
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    if (worker.isConnected()) worker.send({ worker: "stop" } satisfies Message);
  });
}
