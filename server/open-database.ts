import type pg from "pg";
import type { Logger } from "pino";
import { SECOND } from "#server/base/clock.ts";
import type { DataDir } from "#server/process/data-dir.ts";
import { claimDatabase, requireDatabaseOf } from "#server/process/database-mode.ts";
import type { Config } from "./context/config.ts";
import {
  type Connection,
  type Db,
  figuresOf,
  migrate,
  openDb,
  openPool,
  openReadPool,
  type PoolFigures,
} from "./db/db.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { refusePooler } from "./db/pooler.ts";
import { openProbe, type Probe } from "./db/probe.ts";
import { cannotUse } from "./db/unavailable.ts";
import { refuseUnfinishedRows } from "./operations/unfinished-restore.ts";

export interface OpenDatabase {
  readonly db: Db;
  /** The same database over reserved connections, for payments. */
  readonly reserve: Db;
  readonly probe: Probe;
  readonly pools: Readonly<Record<string, PoolFigures>>;
}

/** @throws DatabaseUnavailable, WrongDatabase, UnfinishedRestore. */
export async function openDatabase(
  config: Config,
  connection: Connection,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<OpenDatabase> {
  const noteLoss = (error: Error) => log.warn({ err: error }, "database connection lost");
  const { timeLimitFactor } = config;
  const pool = openPool(connection, noteLoss, 10, { timeLimitFactor });
  // Payments wait longer for a connection than other requests: a refused buyer would have to enter the card again.
  const reserve = openPool(connection, noteLoss, 4, {
    timeLimitFactor,
    connectionTimeoutMillis: timeLimitFactor * 15 * SECOND,
  });
  const reads = openReadPool(connection, noteLoss, 4, timeLimitFactor);
  opened.defer(async () => void (await Promise.all([pool, reserve, reads].map((each) => each.end()))));
  const probe = opened.adopt(openProbe(connection), (open) => open.close());
  await reach(pool, log, timeLimitFactor);
  await refuseUnfinishedRows(pool);
  await requireDatabaseOf(pool, config.mode);
  await migrate(pool, { say: (sentence) => log.warn(sentence) });
  await claimDatabase(pool, config.mode);
  return {
    db: openDb(pool, reads),
    reserve: openDb(reserve, reads),
    probe,
    pools: { main: figuresOf(pool), payments: figuresOf(reserve), reads: figuresOf(reads) },
  };
}

/** Starts the embedded database, which stops when `opened` is disposed. @throws DatabaseUnavailable. */
export async function ownDatabase(
  config: Config,
  dataDir: DataDir,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<Connection> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl };
  if (config.mode === "production") {
    log.warn(
      "the embedded database serves one machine: for production, a PostgreSQL server of its own is DATABASE_URL",
    );
  }
  const embedded = await startEmbeddedPostgres(dataDir.path, { report: (message) => log.warn(message) });
  opened.defer(() => embedded.stop());
  return embedded.connection;
}

/** Waits up to ten seconds, or `factor` times as long, for a database that is starting. @throws DatabaseUnavailable. */
async function reach(pool: pg.Pool, log: Logger, factor: number): Promise<void> {
  const deadline = performance.now() + factor * 10 * SECOND;
  for (let attempts = 0; ; attempts++) {
    try {
      await pool.query("select 1");
      await refusePooler(pool);
      return;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      const starting =
        ["ECONNREFUSED", "ECONNRESET", "ENOENT", "EAI_AGAIN", "57P03"].includes(code ?? "") ||
        message === "Connection terminated unexpectedly";
      if (!starting || performance.now() > deadline) {
        throw cannotUse(error);
      }
      if (attempts === 0) log.warn(`the database of DATABASE_URL does not answer yet: ${message || code}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
