import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Config } from "#server/context/config.ts";
import type { Connection } from "#server/db/db.ts";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";
import { fileFolders, inspectStore, storeName } from "#server/files/store-state.ts";
import { trash } from "#server/files/sweep.ts";
import { openDataDir } from "#server/process/data-dir.ts";
import { requireDatabaseOf } from "#server/process/database-mode.ts";
import { openStorage } from "#server/storage/open.ts";
import { findMark, fingerprintOf, removeMark } from "#server/storage/owner.ts";
import { isKey, type Storage } from "#server/storage/storage.ts";
import { cannotConnect, directConnection, OperationRefused } from "./connect-database.ts";
import { dbOf } from "./queries.ts";
import { fixSessionSettings, listTables } from "./rows.ts";
import { endRestore } from "./unfinished-restore.ts";

/** The sandbox, which is reset too: its ledger would have payments that the academy does not know. */
export interface ResettableSandbox {
  readonly name: string | null;
  empty(): Promise<void>;
}

/**
 * Empties a stopped demo, except for keys and backups. Repeat it after an interruption.
 * @throws OperationRefused in production, or while the academy runs
 */
export async function resetDemo(
  config: Config,
  sandbox: ResettableSandbox,
  isAgreed: (parts: readonly string[]) => Promise<boolean>,
): Promise<boolean> {
  if (config.mode === "production") throw new OperationRefused(onlyDemos);
  const held = openDataDir(config.dataDir);
  try {
    await using database = await openOwnDatabase(config, held.path);
    const storage = await openStorage(config.storage, join(held.path, "files"));
    const rows = database ? await countRows(database.client) : 0;
    const files = database ? await listOwnFiles(database.client, storage) : null;
    const parts = [
      ...(database ? [`${database.name}: ${rows} rows and their tables`] : []),
      ...(files === null ? [] : [`${storeName(config)}: ${files.length} files`]),
      ...(sandbox.name ? [`${sandbox.name}: the gateway's ledger, the mailbox and the clock`] : []),
    ];
    if (!(await isAgreed(parts))) return false;
    const removeRest = async () => {
      await sandbox.empty();
      for (const key of files ?? []) await storage.delete(key);
      if (files !== null) await removeMark(storage);
    };
    await (database ? database.empty(removeRest) : removeRest());
    await rm(join(held.path, "restoring"), { recursive: true, force: true });
    await endRestore(held.path);
    return true;
  } finally {
    held.release();
  }
}

export const onlyDemos = "MODE is production: db:reset removes everything, and does so for demos alone.";

interface OwnDatabase extends AsyncDisposable {
  readonly name: string;
  readonly client: pg.Client;
  /** Empties the database last: until then a repeated reset can tell which files are the academy's. */
  empty(removeRest: () => Promise<void>): Promise<void>;
}

async function openOwnDatabase(config: Config, dataDir: string): Promise<OwnDatabase | null> {
  const connectionString = config.migrationDatabaseUrl ?? config.databaseUrl;
  if (connectionString) {
    const client = await openClient(await directConnection(config, connectionString), () => Promise.resolve());
    return {
      name: "DATABASE_URL",
      client,
      empty: (removeRest) => dropEverything(client, removeRest),
      [Symbol.asyncDispose]: () => client.end(),
    };
  }
  const directory = join(dataDir, "postgres");
  if (!existsSync(join(directory, "PG_VERSION"))) return null;
  const embedded = await startEmbeddedPostgres(dataDir);
  const client = await openClient(embedded.connection, embedded.stop);
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= client.end().finally(embedded.stop));
  return {
    name: directory,
    client,
    async empty(removeRest) {
      await removeRest();
      await close();
      await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
    [Symbol.asyncDispose]: close,
  };
}

async function openClient(connection: Connection, onRefusal: () => Promise<void>): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: "academy db:reset" });
  client.on("error", () => {}); // A connection that breaks between two queries fails the next one.
  try {
    await client.connect().catch(cannotConnect);
    await fixSessionSettings(client);
    await requireDatabaseOf(client, "demo");
    await refuseUsed(client);
  } catch (error) {
    await client.end().catch(() => {});
    await onRefusal();
    throw error;
  }
  return client;
}

/** The server ends the connections of a stopped academy a moment after it, so this asks for five seconds. */
async function refuseUsed(client: pg.Client): Promise<void> {
  for (let at = 0; at < 10; at++) {
    const { rowCount } = await client.query(
      "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'academy%'",
    );
    if (rowCount === 0) return;
    await delay(500);
  }
  throw new OperationRefused("An academy runs on the database of DATABASE_URL: stop it first.");
}

async function countRows(client: pg.Client): Promise<number> {
  let count = 0;
  for (const { name } of await listTables(client)) {
    const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${name}`);
    count += Number(rows[0]?.count);
  }
  return count;
}

/** Null when the store may be another academy's, whose files stay. */
async function listOwnFiles(client: pg.Client, storage: Storage): Promise<string[] | null> {
  const { rows } = await client.query("select to_regclass('public.operational_marks') as it");
  const db = dbOf(client);
  if (rows[0]?.it) {
    const state = await inspectStore({ db, storage });
    if (!["ours", "unmarked", "free", "missing", "restoring"].includes(state)) return null;
  } else {
    // A database from before the first release has the academy's id elsewhere, but the mark names the database too.
    const mark = await findMark(storage);
    if (!mark?.database || mark.database !== (await fingerprintOf(db))) return null;
  }
  const keys: string[] = [];
  for (const folder of [...fileFolders, trash]) {
    for await (const { key } of storage.list(folder)) if (isKey(key)) keys.push(key);
  }
  return keys;
}

/** Drops each object instead of the schema `public`, which the role may not own, and leaves those of extensions. */
async function dropEverything(client: pg.Client, beforeCommit: () => Promise<void>): Promise<void> {
  await client.query("begin");
  await client.query("drop schema if exists drizzle, issuer cascade");
  const { rows } = await client.query<{ statement: string }>(`
    with made as (select objid from pg_depend where deptype = 'e')
    select format('drop table if exists %s cascade', oid::regclass) as statement from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and oid not in (table made)
    union all
    select format('drop type if exists %s cascade', oid::regtype) from pg_type
      where typnamespace = 'public'::regnamespace and typtype = 'e' and oid not in (table made)
    union all
    select format('drop function if exists %s cascade', oid::regprocedure) from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'f' and oid not in (table made)`);
  for (const { statement } of rows) await client.query(statement);
  await beforeCommit();
  await client.query("commit");
}
