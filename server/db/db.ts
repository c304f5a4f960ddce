import { readdir } from "node:fs/promises";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { DrizzleQueryError } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import type { PgAsyncDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { EmptyRelations } from "drizzle-orm/relations";
import pg from "pg";
import { DatabaseUnavailable } from "./unavailable.ts";

/** A database or an open transaction of it: query functions take either, always first. */
export type Db = PgAsyncDatabase<PgQueryResultHKT, EmptyRelations>;

export const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

/** Any number will do; it must only stay the same, so that nodes of two releases wait for each other. */
const migrationLock = 7_204_411;

/** What a pool connects to: a server's address, or the embedded server's socket. */
export type Connection = { readonly connectionString: string } | { host: string; user: string; database: string };

/** How long anybody waits for a connection, for a lock, or for the answer to a short read, in milliseconds. */
const patience = 4500;

class Pool extends pg.Pool {
  /** Called with the seconds that a caller waited for a connection, successfully or not. */
  onWait: (seconds: number) => void = () => {};

  constructor(config: pg.PoolConfig, onError: (error: Error) => void) {
    super(config);
    this.on("error", onError);
    this.on("release", (error, client) => {
      const { readyForQuery, connection } = client as Answering;
      // What was asked of it last is not answered: the next query would wait behind that.
      if (!error && !readyForQuery) connection.stream.destroy();
    });
    const query = this.query.bind(this) as (config: unknown, values?: unknown) => Promise<pg.QueryResult>;
    this.query = ((config: unknown, values?: unknown) =>
      repeatLostRaces(() => query(config, values))) as typeof this.query;
    type Got = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;
    const connect = this.connect.bind(this) as (got?: Got) => Promise<pg.PoolClient>;
    this.connect = ((got?: Got) => {
      const begun = performance.now();
      const note = () => this.onWait((performance.now() - begun) / 1000);
      if (!got) return connect().finally(note);
      return connect((...result) => {
        note();
        got(...result);
      });
    }) as typeof this.connect;
  }
}

type Answering = pg.PoolClient & { readonly readyForQuery: boolean; readonly connection: { readonly stream: Duplex } };

/**
 * Opens a pool. A lost connection is logged by `onError` and replaced at the next query; it never ends the process.
 * Statements are cut off after 15 seconds, waiting for a connection or for a lock after less than 5, and a connection
 * that says nothing for 20 counts as lost.
 */
export function openPool(
  connection: Connection,
  onError: (error: Error) => void,
  size = 10,
  config: pg.PoolConfig = {},
): Pool {
  return new Pool(
    {
      ...connection,
      max: size,
      connectionTimeoutMillis: patience,
      idleTimeoutMillis: 60_000,
      lock_timeout: patience,
      statement_timeout: 15_000,
      query_timeout: 20_000,
      application_name: "academy",
      ...config,
    },
    onError,
  );
}

/**
 * Opens a pool for short reads that wait for no lock: nothing that waits for one can use it up. A read that has no answer
 * after 4.5 seconds fails.
 */
export function openReadPool(connection: Connection, onError: (error: Error) => void): Pool {
  return openPool(connection, onError, 4, { query_timeout: patience });
}

/** How busy a pool is, for the operator. */
export interface PoolFigures {
  /** How many wait for a connection now. */
  waiting(): number;
  onWait(listener: (seconds: number) => void): void;
}

export function figuresOf(pool: Pool): PoolFigures {
  return {
    waiting: () => pool.waitingCount,
    onWait(listener) {
      pool.onWait = listener;
    },
  };
}

/**
 * The database behind a pool. Statements and transactions that lost against others (a deadlock, a serialization failure)
 * are made again, so that nothing but the database may change in a transaction.
 * @param reads the pool that `readStatement` takes connections of.
 */
export function openDb(pool: Pool, reads = pool): Db {
  const db = drizzle({ client: pool, paramsInErrors: false });
  const transaction = db.transaction.bind(db);
  db.transaction = (work, config) => repeatLostRaces(() => transaction(work, config));
  readsOf.set(db, drizzle({ client: reads, paramsInErrors: false }));
  return db;
}

/**
 * Brings the schema up to date, or as far as the migrations of another folder go. Any number of nodes may call it at once:
 * one works, the others wait and find it done. A role that may not change the schema finds it up to date.
 * @returns how many migrations were applied.
 * @throws DatabaseUnavailable when the role may not apply those that are waiting.
 */
export async function migrate(pool: pg.Pool, folder = migrationsFolder): Promise<number> {
  // A connection of its own: it carries the lock, and migrations may take long.
  const client = new pg.Client({ ...pool.options, query_timeout: 0 });
  client.on("error", () => {}); // The statement under way fails too, and says so.
  await client.connect();
  try {
    await client.query("set statement_timeout = 0; set lock_timeout = 0");
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    const waiting = await countWaiting(client, folder);
    // Even to look whether there is something to do, the migrator makes its own schema.
    if (waiting > 0) await applyMigrations(drizzle({ client }), { migrationsFolder: folder });
    return waiting;
  } catch (error) {
    const { code } = (error instanceof DrizzleQueryError ? error.cause : error) as { code?: unknown };
    if (code !== insufficientPrivilege) throw error;
    throw new DatabaseUnavailable(
      "The database is not up to date, and the role of DATABASE_URL may not change it: run npm run db:migrate.",
      error,
    );
  } finally {
    await client.end();
  }
}

const insufficientPrivilege = "42501";

async function countWaiting(client: pg.Client, folder: string): Promise<number> {
  const wanted = await readdir(folder);
  const { rows: found } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as it");
  if (!found[0]?.it) return wanted.length;
  const { rows } = await client.query<{ name: string }>("select name from drizzle.__drizzle_migrations");
  const applied = new Set(rows.map(({ name }) => name));
  return wanted.filter((name) => !applied.has(name)).length;
}

/** PostgreSQL ends one of the transactions in a deadlock; it succeeds when it tries again. */
const lostRaces: readonly unknown[] = ["40P01", "40001"];
const mostTries = 4;

function repeatLostRaces<Result>(work: () => Promise<Result>, tries = 1): Promise<Result> {
  return work().catch((error) => {
    const { code } = (error instanceof DrizzleQueryError ? error.cause : error) as { code?: unknown };
    if (tries === mostTries || !lostRaces.includes(code)) throw error;
    return repeatLostRaces(work, tries + 1);
  });
}

const readsOf = new WeakMap<Db, Db>();
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

/** The same for a short read that waits for no lock: outside a transaction it goes over the pool for reads. */
export function readStatement<Statement>(db: Db, name: string, build: (db: Db, name: string) => Statement): Statement {
  return statement(readsOf.get(db) ?? db, name, build);
}

/** Whether a failed query broke the exclusion constraint of this name. */
export function isExclusionViolation(error: unknown, constraint: string): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && cause.code === "23P01" && cause.constraint === constraint;
}

/** Whether a failed query broke the unique constraint or index of this name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && cause.code === "23505" && cause.constraint === constraint;
}
