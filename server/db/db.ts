import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import type { PgAsyncDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { EmptyRelations } from "drizzle-orm/relations";
import pg from "pg";
import { SharedReads } from "./shared-reads.ts";

/** A database or an open transaction of it: query functions take either, always first. */
export type Db = PgAsyncDatabase<PgQueryResultHKT, EmptyRelations>;

const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

/** Any number will do; it must only stay the same, so that nodes of two releases wait for each other. */
const migrationLock = 7_204_411;

/** What a pool connects to: a server's address, or the embedded server's socket. */
export type Connection = { readonly connectionString: string } | { host: string; user: string; database: string };

/** Connections that are taken in turns, and beside them those that reads share. */
class Pool extends pg.Pool {
  readonly sharedReads: SharedReads;

  constructor(config: pg.PoolConfig, onError: (error: Error) => void) {
    super(config);
    this.on("error", onError);
    // A connection that falls silent would hold up everybody who shares it.
    this.sharedReads = new SharedReads({ ...config, query_timeout: 20_000 }, onError);
  }

  override end(): Promise<void>;
  override end(done: () => void): void;
  override end(done?: () => void): Promise<void> | void {
    const ended = this.sharedReads.end().then(() => super.end());
    return done ? void ended.then(done) : ended;
  }
}

/**
 * Opens a pool. A lost connection is logged by `onError` and replaced at the next query; it never ends the process.
 * Statements are cut off after 15 seconds, and waiting for a free connection after 5.
 */
export function openPool(connection: Connection, onError: (error: Error) => void, size = 10): Pool {
  return new Pool(
    {
      ...connection,
      max: size,
      connectionTimeoutMillis: 5000,
      idleTimeoutMillis: 60_000,
      statement_timeout: 15_000,
      application_name: "academy",
    },
    onError,
  );
}

export function openDb(pool: Pool): Db {
  const db = drizzle({ client: pool, paramsInErrors: false });
  // Of a client, drizzle needs nothing but `query` for statements outside transactions.
  const client = pool.sharedReads as unknown as pg.Client;
  sharedReadsOf.set(db, drizzle({ client, paramsInErrors: false, jit: true }));
  return db;
}

/** Brings the schema up to date. Any number of nodes may call it at once: one works, the others wait and find it done. */
export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await applyMigrations(drizzle({ client }), { migrationsFolder });
  } finally {
    // The connection carries the lock and the changed setting: it ends here instead of going back to the pool.
    client.release(true);
  }
}

const sharedReadsOf = new WeakMap<Db, Db>();
const prepared = new WeakMap<Db, Map<string, unknown>>();

/**
 * The statement `name` of this database, built once and prepared by PostgreSQL once for each connection. For the few
 * queries that every request makes; others are built as they are needed.
 */
export function statement<Statement>(db: Db, name: string, build: (db: Db, name: string) => Statement): Statement {
  const statements = prepared.get(db) ?? new Map<string, unknown>();
  prepared.set(db, statements);
  if (!statements.has(name)) statements.set(name, build(db, name));
  return statements.get(name) as Statement;
}

/**
 * The same for a short read that waits for no lock: outside a transaction it goes over the connections that such reads
 * share.
 */
export function sharedRead<Statement>(db: Db, name: string, build: (db: Db, name: string) => Statement): Statement {
  return statement(sharedReadsOf.get(db) ?? db, name, build);
}

/** Whether a failed query broke the unique constraint or index of this name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && cause.code === "23505" && cause.constraint === constraint;
}
