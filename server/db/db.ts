import { readdir } from "node:fs/promises";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { DrizzleQueryError, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import type { PgAsyncDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { EmptyRelations } from "drizzle-orm/relations";
import pg from "pg";
import { SECOND } from "#server/base/clock.ts";
import { tracedStatement, traceStatementsOf, untraceStatementsOf } from "./trace-statements.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** A database or an open transaction. */
export type Db = PgAsyncDatabase<PgQueryResultHKT, EmptyRelations>;

/** The rows of a statement in SQL, which nothing compares with `Row`. */
export async function rowsOf<Row>(db: Db, query: SQL): Promise<Row[]> {
  const { rows } = (await db.execute(query)) as { rows: Row[] };
  return rows;
}

export const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));

/** An arbitrary constant: nodes of all releases must use the same lock. */
const migrationLock = 7_204_411;

export type Connection = { readonly connectionString: string } | { host: string; user: string; database: string };

const waitTimeout = 4500;

/** The statement of the connection fails too, and so does the next one. */
function failsItsStatement(): void {}

/** At most one waiting caller for each request in flight and each job, of about 1 kB: 3 MB. */
class Pool extends pg.Pool {
  /** Called with the seconds that a caller waited for a connection, also when it got none. */
  onWait: (seconds: number) => void = () => {};

  constructor(config: pg.PoolConfig, onError: (error: Error) => void) {
    super(config);
    this.on("error", onError);
    // pg-pool listens to idle connections alone. An answer and the end of the connection can come in one packet, while
    // the connection changes hands, and an error without a listener ends the process.
    this.on("acquire", (client) => client.on("error", failsItsStatement));
    this.on("release", (error, client) => {
      client.off("error", failsItsStatement);
      const { readyForQuery, connection } = client as Answering;
      // The connection still waits for an answer, which would delay the next query.
      if (!error && !readyForQuery) connection.stream.destroy();
      untraceStatementsOf(client);
    });
    const query = this.query.bind(this) as (config: unknown, values?: unknown) => Promise<pg.QueryResult>;
    this.query = ((config: unknown, values?: unknown) =>
      retryLostRaces(() => tracedStatement(config, () => query(config, values)))) as typeof this.query;
    type Got = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;
    const connect = this.connect.bind(this) as (got?: Got) => Promise<pg.PoolClient>;
    this.connect = ((got?: Got) => {
      const begun = performance.now();
      const note = () => this.onWait((performance.now() - begun) / 1000);
      // Transactions take a connection by `connect`; single statements use `query`.
      if (!got) return connect().finally(note).then(traceStatementsOf);
      return connect((...result) => {
        note();
        got(...result);
      });
    }) as typeof this.connect;
  }
}

type Answering = pg.PoolClient & { readonly readyForQuery: boolean; readonly connection: { readonly stream: Duplex } };

interface PoolConfig extends pg.PoolConfig {
  /** Multiplies all time limits. */
  readonly timeLimitFactor?: number;
}

/**
 * After a lost connection the next query opens another. Statements time out after 15 seconds, waits for a connection
 * or a lock after 4.5.
 */
export function openPool(
  connection: Connection,
  onError: (error: Error) => void,
  size = 10,
  { timeLimitFactor: factor = 1, ...config }: PoolConfig = {},
): Pool {
  return new Pool(
    {
      ...connection,
      max: size,
      connectionTimeoutMillis: factor * waitTimeout,
      idleTimeoutMillis: 60_000,
      lock_timeout: factor * waitTimeout,
      statement_timeout: factor * 15_000,
      query_timeout: factor * 20_000,
      application_name: "academy",
      ...config,
    },
    onError,
  );
}

/**
 * A pool for short reads that take no lock, which statements that wait for locks cannot exhaust. Its queries time out
 * after 4.5 seconds. Without it, while ten statements wait for a lock, a student's read takes 4.5 s instead of 9 ms.
 */
export function openReadPool(
  connection: Connection,
  onError: (error: Error) => void,
  size = 4,
  timeLimitFactor = 1,
): Pool {
  return openPool(connection, onError, size, { timeLimitFactor, query_timeout: timeLimitFactor * waitTimeout });
}

export interface PoolFigures {
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
 * Retries transactions after a deadlock or a serialization failure, so a transaction must change nothing but the
 * database.
 */
export function openDb(pool: Pool, reads = pool): Db {
  const db = drizzle({ client: pool, paramsInErrors: false });
  const transaction = db.transaction.bind(db);
  db.transaction = (work, config) => retryLostRaces(() => transaction(work, config));
  readsOf.set(db, drizzle({ client: reads, paramsInErrors: false }));
  return db;
}

interface MigrateOptions {
  readonly folder?: string;
  /** Told who holds the lock, again and again while another program does. */
  readonly say?: (sentence: string) => void;
  /** Milliseconds. */
  readonly sayEvery?: number;
}

/**
 * Applies missing migrations; any number of nodes may call it at once. Returns how many it applied.
 * @throws DatabaseUnavailable when the role may not, and for a database from before the first release
 */
export async function migrate(
  pool: pg.Pool,
  { folder = migrationsFolder, say = () => {}, sayEvery = 10 * SECOND }: MigrateOptions = {},
): Promise<number> {
  // Another connection holds the lock, and migrations may take long.
  const client = new pg.Client({ ...pool.options, query_timeout: 0 });
  client.on("error", () => {}); // The statement under way fails too, and says so.
  await client.connect();
  try {
    if ((await countWaiting(client, folder)) === 0) return 0;
    await client.query(`set statement_timeout = 0; set lock_timeout = ${sayEvery}`);
    while (!(await hasLocked(client))) say(await describeLock(client));
    await client.query("set lock_timeout = 0");
    const waiting = await countWaiting(client, folder);
    // Drizzle's migrator creates its schema even when nothing is missing, which the server's role may not.
    if (waiting > 0) await applyMigrations(drizzle({ client }), { migrationsFolder: folder });
    return waiting;
  } catch (error) {
    if (error instanceof DrizzleQueryError && error.query.includes("create extension")) {
      throw new DatabaseUnavailable(noExtensions, error);
    }
    if (!isPrivilegeMissing(error)) throw error;
    throw new DatabaseUnavailable(
      "The database is not up to date, and the role of DATABASE_URL may not change it: run npm run db:migrate.",
      error,
    );
  } finally {
    await client.end();
  }
}

const noExtensions =
  "The academy needs PostgreSQL's extensions btree_gist, pg_trgm and unaccent, which this role cannot create: install the contrib modules on the database's server, and let an administrator of the database run create extension btree_gist; create extension pg_trgm; create extension unaccent.";

/** False when others have held the lock for all of the time limit. */
async function hasLocked(client: pg.Client): Promise<boolean> {
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === lockTimedOut) return false;
    throw error;
  }
}

const lockTimedOut = "55P03";

/** Who holds the lock of migrations. Null: nobody. */
export async function findMigrationLock(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ pid: number; program: string; host: string | null; since: Date }>(
    `select pid, application_name as program, host(client_addr) as host, backend_start as since
     from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objid = $1 and classid = 0
       and pg_locks.database = (select oid from pg_database where datname = current_database())`,
    [migrationLock],
  );
  const [holder] = rows;
  if (!holder) return null;
  const program = holder.program || "a program without a name";
  return `${program}${holder.host ? ` at ${holder.host}` : ""}, PostgreSQL's process ${holder.pid}, connected since ${holder.since.toISOString()}`;
}

async function describeLock(client: pg.Client): Promise<string> {
  const holder = await findMigrationLock(client);
  return `The start waits for the lock of migrations, which ${holder ?? "nobody"} holds.`;
}

/** Whether the role of the connection lacks a permission in the database. */
export function isPrivilegeMissing(error: unknown): boolean {
  const { code } = (error instanceof DrizzleQueryError ? error.cause : error) as { code?: unknown };
  return code === "42501";
}

async function countWaiting(client: pg.Client, folder: string): Promise<number> {
  const wanted = await readdir(folder);
  const { rows: found } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as it");
  if (!found[0]?.it) return wanted.length;
  const { rows } = await client.query<{ name: string }>("select name from drizzle.__drizzle_migrations");
  const applied = new Set(rows.map(({ name }) => name));
  if (await hasReplaced(applied)) throw new DatabaseUnavailable(beforeFirstRelease);
  return wanted.filter((name) => !applied.has(name)).length;
}

/** Whether there are migrations which the first one of all releases has replaced. */
export async function hasReplaced(applied: Iterable<string>): Promise<boolean> {
  const [first = ""] = (await readdir(migrationsFolder)).sort();
  return [...applied].some((name) => name < first);
}

export const beforeFirstRelease =
  "The database is from before the first release, which cannot use it: start with an empty database (npm run db:reset empties a demo's).";

const lostRaceCodes: readonly unknown[] = ["40P01", "40001"];
const maxTries = 4;

function retryLostRaces<Result>(work: () => Promise<Result>, tries = 1): Promise<Result> {
  return work().catch((error) => {
    const { code } = (error instanceof DrizzleQueryError ? error.cause : error) as { code?: unknown };
    if (tries === maxTries || !lostRaceCodes.includes(code)) throw error;
    return retryLostRaces(work, tries + 1);
  });
}

/** At most one entry for each pool. */
const readsOf = new WeakMap<Db, Db>();
/** At most one entry for each pool, with one statement of about 20 kB. */
const prepared = new WeakMap<Db, Map<string, unknown>>();

/** Builds a statement once and prepares it once per connection: for the few queries that every request makes. */
export function statement<Statement>(db: Db, name: string, build: (db: Db, name: string) => Statement): Statement {
  const statements = prepared.get(db) ?? new Map<string, unknown>();
  prepared.set(db, statements);
  if (!statements.has(name)) statements.set(name, build(db, name));
  return statements.get(name) as Statement;
}

/** As `statement`, for short reads that take no lock: outside of a transaction they use the pool for reads. */
export function readStatement<Statement>(db: Db, name: string, build: (db: Db, name: string) => Statement): Statement {
  return statement(readsOf.get(db) ?? db, name, build);
}

/** Whether the values of the statement are to blame, and not the database: PostgreSQL's classes 22 and 23. */
export function isDataError(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && /^2[23]/.test(cause.code ?? "");
}

/** Whether a value has a NUL character, which PostgreSQL can neither store nor compare. */
export function isUnkeepableText(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && cause.code === "22021";
}

export function isExclusionViolation(error: unknown, constraint: string): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && cause.code === "23P01" && cause.constraint === constraint;
}

export function isForeignKeyViolation(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && cause.code === "23503";
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof pg.DatabaseError && cause.code === "23505" && cause.constraint === constraint;
}
