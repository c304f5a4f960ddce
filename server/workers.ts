import type { Logger } from "pino";
import { openDataDir } from "#server/process/data-dir.ts";
import { superviseWorkers, type WorkerFailed } from "#server/process/workers.ts";
import type { Config } from "./context/config.ts";
import { ownDatabase, sizePoolsOfWorkers } from "./open-database.ts";
import { aggregateWorkerMetrics } from "./operations/metrics/worker-metrics.ts";
import { refuseUnfinishedRestore } from "./operations/unfinished-restore.ts";
import { openSandboxForWorkers } from "./sandbox-services.ts";

/** The primary process of several workers. It owns the database and the sandbox and does not serve. */
export interface Primary {
  /** Resolves when all workers serve; rejects when one cannot. */
  readonly ready: Promise<void>;
  /** Stops the workers, then what they shared. */
  close(): Promise<void>;
}

/** @param onEnd called when workers cannot be replaced and none is left */
export function openWorkers(config: Config, log: Logger, onEnd: (error: WorkerFailed) => void): Primary {
  const opened = new AsyncDisposableStack();
  return {
    ready: start(config, log, opened, onEnd),
    close: () => opened.disposeAsync(),
  };
}

async function start(
  config: Config,
  log: Logger,
  opened: AsyncDisposableStack,
  onEnd: (error: WorkerFailed) => void,
): Promise<void> {
  const dataDir = opened.adopt(openDataDir(config.dataDir), (held) => held.release());
  refuseUnfinishedRestore(dataDir.path);
  // Makes the secret before several processes read it.
  if (config.sessionSecrets.length === 0) dataDir.secret("session");
  const connection = await ownDatabase(config, dataDir, log, opened);
  const pools = await sizePoolsOfWorkers(config, connection, log);
  const sandboxOrigin = await openSandboxForWorkers(config, dataDir, log, opened);
  aggregateWorkerMetrics();
  const workers = superviseWorkers({ workers: config.workers, pools, sandboxOrigin }, log, onEnd);
  opened.defer(() => workers.stop());
  await workers.start();
}
