import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { OperatorError } from "#server/base/operator-error.ts";
import type { Config } from "#server/context/config.ts";
import { type Connection, openPool } from "#server/db/db.ts";
import { socketDirectory, startEmbeddedPostgres } from "#server/db/embedded.ts";
import { refusePooler } from "#server/db/pooler.ts";
import { cannotUse } from "#server/db/unavailable.ts";
import { openDataDir } from "#server/process/data-dir.ts";

/** A command that cannot be done. The message is one sentence that says what to do. */
export class OperationRefused extends OperatorError {
  override name = "OperationRefused";
}

/** The caller closes it. */
export interface ConnectedDatabase {
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * Connects to the configured database, and starts the embedded one if it does not run: until `close` no academy can
 * start on DATA_DIR.
 * @param isMade false: makes the embedded database where there is none
 * @throws OperationRefused.
 */
export async function connectDatabase(config: Config, { isMade = true } = {}): Promise<ConnectedDatabase> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl) return { connection: await directConnection(config, databaseUrl), close: async () => {} };
  const directory = join(dataDir, "postgres");
  if (isMade && !existsSync(join(directory, "PG_VERSION"))) {
    throw new OperationRefused(
      `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL as the academy has it.`,
    );
  }
  const socket = socketDirectory(directory);
  const connection = { host: socket.path, user: "academy", database: "postgres" };
  if (await answers(connection)) return { connection, close: async () => socket.release() };
  socket.release();
  const held = openDataDir(dataDir);
  try {
    const embedded = await startEmbeddedPostgres(dataDir);
    return { connection: embedded.connection, close: () => embedded.stop().finally(() => held.release()) };
  } catch (error) {
    held.release();
    throw error;
  }
}

/**
 * Runs an operator's command on the academy's database, like `connectDatabase`.
 * @param command as its connection is named
 */
export async function withDatabase<Result>(
  config: Config,
  command: string,
  run: (client: pg.Client, connection: Connection) => Promise<Result>,
  options?: { isMade: boolean },
): Promise<Result> {
  const { connection, close } = await connectDatabase(config, options);
  const client = new pg.Client({ ...connection, application_name: `academy ${command}` });
  client.on("error", () => {}); // A connection that breaks between two queries fails the next one.
  try {
    await client.connect().catch(cannotConnect);
    return await run(client, connection);
  } finally {
    await client.end().catch(() => {}); // The connection may be what failed, and the error is thrown already.
    await close();
  }
}

/** @throws DatabaseUnavailable when nobody answers, or a pooler does. */
export async function directConnection({ timeLimitFactor }: Config, connectionString: string): Promise<Connection> {
  // Not named as an academy: a command that must run alone would find this session while it ends.
  const options = { timeLimitFactor, application_name: "direct connection" };
  const pool = openPool({ connectionString }, () => {}, 2, options);
  try {
    await refusePooler(pool).catch(cannotConnect);
  } finally {
    await pool.end();
  }
  return { connectionString };
}

export function cannotConnect(error: unknown): never {
  throw cannotUse(error);
}

async function answers(connection: Connection): Promise<boolean> {
  const client = new pg.Client(connection);
  client.on("error", () => {}); // A connection that breaks between two queries fails the next one.
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false; // The caller then starts it, which tells what is wrong.
  }
}
