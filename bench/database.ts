import { randomBytes } from "node:crypto";
import pg from "pg";

/** The database of a run. */
export interface BenchDatabase {
  readonly connection: pg.ClientConfig;
  /** The environment variables that configure it in the server. */
  readonly env: NodeJS.ProcessEnv;
  /** The working directory of its processes. Null when they are not ours to measure. */
  readonly directory: string | null;
  drop(): Promise<void>;
}

/** A new database on DATABASE_URL's server, else the one that the academy keeps in `dataDir`. */
export async function openDatabase(dataDir: string): Promise<BenchDatabase> {
  const address = process.env.DATABASE_URL;
  if (!address) {
    const directory = `${dataDir}/postgres`;
    const connection = { host: directory, user: "academy", database: "postgres" };
    return { connection, env: { DATABASE_URL: "" }, directory, drop: async () => {} };
  }
  const name = `academy_bench_${randomBytes(6).toString("hex")}`;
  const own = new URL(address);
  own.pathname = `/${name}`;
  const server = { connectionString: address };
  await askOnce(server, `create database ${name}`);
  return {
    connection: { connectionString: own.href },
    env: { DATABASE_URL: own.href },
    directory: null,
    drop: async () => void (await askOnce(server, `drop database ${name} with (force)`)),
  };
}

export async function versionOf(connection: pg.ClientConfig): Promise<string> {
  const [row] = await askOnce(connection, "select current_setting('server_version') as version");
  return row?.version ?? "";
}

/** Runs a statement on its own connection. */
export async function askOnce(connection: pg.ClientConfig, statement: string) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
