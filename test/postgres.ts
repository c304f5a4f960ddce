import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { type Connection, migrate, openPool } from "#server/db/db.ts";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";
import { parallelFiles } from "./parallel.ts";

/** A fresh, migrated database for one test file. */
export interface TestDatabase {
  readonly name: string;
  readonly connection: Connection;
  drop(): Promise<void>;
}

/** The URL of this run's PostgreSQL, which the set-up passes to the test processes. */
interface TestServer {
  readonly admin: Connection;
  /** Migrated once. Databases of tests are copies of it. */
  readonly template: string;
}

const variable = "ACADEMY_TEST_SERVER";

/**
 * Opens the PostgreSQL of TEST_DATABASE_URL or DATABASE_URL, else an embedded one in a temporary directory, with a
 * migrated template. Resolves to a function that undoes it.
 */
export async function setUpPostgres(): Promise<() => Promise<void>> {
  const server = await openServer();
  const template = newName("template");
  const tearDown = async () => {
    delete process.env[variable];
    await asAdmin(server.admin, `drop database if exists ${template} with (force)`);
    await server.close();
  };
  try {
    await asAdmin(server.admin, `create database ${template}`);
    const pool = openPool(databaseOf(server.admin, template), () => {}, 1);
    await migrate(pool).finally(() => pool.end());
  } catch (error) {
    await tearDown();
    throw error;
  }
  process.env[variable] = JSON.stringify({ admin: server.admin, template } satisfies TestServer);
  return tearDown;
}

/** Copies the template of this test run, or a database without connections. Takes some tens of milliseconds. */
export function cloneDatabase(original?: string): Promise<TestDatabase> {
  return createDatabase(({ template }) => `template ${original ?? template} strategy file_copy`);
}

/** An empty database, for tests of migrations. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(() => "");
}

/** Connections of a test, which wait for a busy machine as long as it takes. */
export function openTestPool(connection: Connection, size = 4): ReturnType<typeof openPool> {
  return openPool(connection, () => {}, size, {
    connectionTimeoutMillis: 0,
    lock_timeout: 0,
    statement_timeout: 0,
    query_timeout: 0,
    application_name: "test",
  });
}

async function createDatabase(options: (server: TestServer) => string): Promise<TestDatabase> {
  const text = process.env[variable];
  if (!text) throw new Error("No database for tests: only *.integration.test.ts and end-to-end tests have one.");
  const server = JSON.parse(text) as TestServer;
  const name = newName("test");
  await asAdmin(server.admin, `create database ${name} ${options(server)}`);
  return {
    name,
    connection: databaseOf(server.admin, name),
    drop: () => asAdmin(server.admin, `drop database if exists ${name} with (force)`),
  };
}

async function openServer(): Promise<{ admin: Connection; close(): Promise<void> }> {
  const address = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
  if (address) return { admin: { connectionString: address }, close: async () => {} };
  const directory = await mkdtemp(join(tmpdir(), "academy-test-"));
  // The data is for one run only, so it need not survive a crash.
  const postgres = await startEmbeddedPostgres(directory, {
    settings: {
      fsync: "off",
      full_page_writes: "off",
      // Two or three nodes for each file, and twenty connections for each node.
      max_connections: String(75 * parallelFiles),
    },
  });
  return {
    admin: postgres.connection,
    async close() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function asAdmin(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function databaseOf(connection: Connection, database: string): Connection {
  if (!("connectionString" in connection)) return { ...connection, database };
  const address = new URL(connection.connectionString);
  address.pathname = `/${database}`;
  return { connectionString: address.href };
}

function newName(kind: string): string {
  return `academy_${kind}_${randomBytes(6).toString("hex")}`;
}
