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
import { openProbe, type Probe } from "./db/probe.ts";
import { DatabaseUnavailable } from "./db/unavailable.ts";
import { refuseUnfinishedRows } from "./operations/unfinished-restore.ts";

export interface OpenDatabase {
  readonly db: Db;
  /** Over connections of its own, for payments. */
  readonly reserve: Db;
  readonly probe: Probe;
  readonly pools: Readonly<Record<string, PoolFigures>>;
}

/** @throws DatabaseUnavailable, WrongDatabase, UnfinishedRestore. */
export async function openDatabase(
  config: Config,
  dataDir: DataDir,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<OpenDatabase> {
  const connection = await connect(config, dataDir, log, opened);
  const noteLoss = (error: Error) => log.warn({ err: error }, "database connection lost");
  const pool = openPool(connection, noteLoss);
  // A buyer who is turned away has to enter the card again: payments wait longer for their turn than anything else.
  const reserve = openPool(connection, noteLoss, 4, { connectionTimeoutMillis: 15 * SECOND });
  const reads = openReadPool(connection, noteLoss);
  opened.defer(async () => void (await Promise.all([pool, reserve, reads].map((each) => each.end()))));
  const probe = opened.adopt(openProbe(connection), (open) => open.close());
  await reach(pool, log);
  await refuseUnfinishedRows(pool);
  await requireDatabaseOf(pool, config.mode);
  await migrate(pool);
  await claimDatabase(pool, config.mode);
  return {
    db: openDb(pool, reads),
    reserve: openDb(reserve, reads),
    probe,
    pools: { main: figuresOf(pool), payments: figuresOf(reserve), reads: figuresOf(reads) },
  };
}

async function connect(
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
  const embedded = await startEmbeddedPostgres(dataDir.path);
  embedded.onExit((message) => log.warn(message));
  opened.defer(() => embedded.stop());
  return embedded.connection;
}

/** Waits ten seconds for a database that is just starting. */
async function reach(pool: pg.Pool, log: Logger): Promise<void> {
  const patientUntil = performance.now() + 10_000;
  for (let attempts = 0; ; attempts++) {
    try {
      await pool.query("select 1");
      return;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      const starting =
        ["ECONNREFUSED", "ECONNRESET", "ENOENT", "EAI_AGAIN", "57P03"].includes(code ?? "") ||
        message === "Connection terminated unexpectedly";
      if (!starting || performance.now() > patientUntil) {
        throw new DatabaseUnavailable(`The database of DATABASE_URL cannot be used: ${message || code}.`);
      }
      if (attempts === 0) log.warn(`the database of DATABASE_URL does not answer yet: ${message || code}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
