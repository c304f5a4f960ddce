import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { type Connection, migrate, migrationsFolder, openPool } from "#server/db/db.ts";
import { teamRestoredKey } from "#server/people/team/restored.ts";
import { findAcademyId, fingerprintOf, type Mark } from "#server/storage/owner.ts";
import { restoredStopKey } from "#server/subscriptions/renewal-stops.ts";
import { ArchiveDamaged, type ArchiveSource, readArchive } from "./archive.ts";
import { cannotConnect, OperationRefused } from "./connect-database.ts";
import type { Manifest } from "./manifest.ts";
import { dbOf } from "./queries.ts";
import { type RestoredTeam, readRestoredTeam } from "./restored-team.ts";
import { contentsOf, fixSessionSettings, insertRows, listMigrations, listTables, type Table } from "./rows.ts";
import { beginRows, endRows, findBegunRows } from "./unfinished-restore.ts";

const decompress = promisify(gunzip);

export interface RestoredRows {
  /** Whose file store it was; null when the academy had none yet. */
  readonly owner: Mark | null;
  readonly team: RestoredTeam;
  /** Tables of the backup that no migration makes: somebody else kept them in the database. */
  readonly leftOut: readonly string[];
}

export interface Work {
  readonly source: ArchiveSource;
  readonly manifest: Manifest;
  readonly backup: string;
  readonly isRepeated: boolean;
  readonly adminEmails: readonly string[];
  /** Refuses a store with other files, then records in DATA_DIR and in the store that a restore has begun. */
  readonly begin: () => Promise<void>;
  readonly rest: () => Promise<void>;
}

/** Restores the rows, and commits them once files and keys are restored. */
export async function restoreRows(connection: Connection, work: Work): Promise<RestoredRows> {
  const { source, manifest, backup, isRepeated, begin, rest } = work;
  const client = new pg.Client({ ...connection, application_name: "academy restore" });
  client.on("error", () => {}); // A connection that breaks between two queries fails the next one.
  await client.connect().catch(cannotConnect);
  try {
    await fixSessionSettings(client);
    if (isRepeated && (await hasRowsOf(client, manifest))) {
      await begin();
      await rest();
      return await saidBy(client, work);
    }
    const begun = await findBegunRows(client);
    if (begun !== null && begun !== backup) throw otherBackup("The database", null);
    await refuseUsed(client, manifest);
    await begin();
    await migrateAsFarAs(connection, manifest.migrations).catch(refuseSchema);
    await beginRows(client, backup).catch(refuseSchema);
    await client.query("begin; set local academy.restoring = 'yes'");
    await endRows(client);
    const tables = await tablesByName(client);
    for (const name of othersTables(manifest, tables)) {
      if (await isOurs(name)) throw new ArchiveDamaged(`its migrations make no table ${name}`);
    }
    for await (const { name, content } of readArchive(source)) {
      const [, table] = /^rows\/(.+)\.\d+\.json\.gz$/.exec(name) ?? [];
      if (!table) break; // Rows come first in a backup.
      const into = tables.get(table);
      if (!into) continue;
      const part = await readPart(name, await buffer(content));
      await insertRows(client, into, part).catch(refuseRows(name));
    }
    for (const { name, ...contents } of manifest.tables) {
      const table = tables.get(name);
      if (!table) continue;
      const { rows, fingerprint } = await contentsOf(client, table);
      if (rows !== contents.rows || fingerprint !== contents.fingerprint) {
        throw new ArchiveDamaged(`${name} came back with ${rows} rows that are not the ${contents.rows} of the backup`);
      }
    }
    await markRestored(client);
    await rest();
    await client.query("commit");
    await client.query("analyze");
    return await saidBy(client, work);
  } finally {
    await client.end();
  }
}

/** A part is about a megabyte, more with long rows, but never as large as this. */
const maxPartBytes = 512 * 1024 ** 2;

async function readPart(name: string, compressed: Buffer): Promise<string> {
  try {
    return (await decompress(compressed, { maxOutputLength: maxPartBytes })).toString("utf8");
  } catch (cause) {
    throw new ArchiveDamaged(`${name} cannot be decompressed`, { cause });
  }
}

/** PostgreSQL's class 42: something that a migration needs is missing, so that one before it is. */
function refuseSchema(error: unknown): never {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  const isTheirs = cause instanceof pg.DatabaseError && /^(42|3F)/.test(cause.code ?? "");
  throw isTheirs ? new ArchiveDamaged("its migrations make no database of an academy", { cause }) : error;
}

/** PostgreSQL's classes 22 and 23: values that a column does not accept. Other errors are not the backup's. */
function refuseRows(name: string) {
  return (cause: unknown): never => {
    const isTheirs = cause instanceof pg.DatabaseError && /^2[23]/.test(cause.code ?? "");
    throw isTheirs ? new ArchiveDamaged(`${name} holds rows that do not fit`, { cause }) : cause;
  };
}

async function tablesByName(client: pg.Client): Promise<ReadonlyMap<string, Table>> {
  return new Map((await listTables(client)).map((table) => [table.name, table]));
}

function othersTables(manifest: Manifest, tables: ReadonlyMap<string, Table>): string[] {
  return manifest.tables.map(({ name }) => name).filter((name) => !tables.has(name));
}

/** Whether any migration makes this table, whose rows must then not be left out. */
async function isOurs(table: string): Promise<boolean> {
  const name = `"${table.replaceAll('"', "").split(".").at(-1)}"`;
  const made = [`CREATE TABLE ${name}`, `CREATE TABLE "issuer".${name}`, `RENAME TO ${name}`];
  for (const migration of await readdir(migrationsFolder)) {
    const statements = await readFile(join(migrationsFolder, migration, "migration.sql"), "utf8");
    if (made.some((words) => statements.includes(words))) return true;
  }
  return false;
}

async function saidBy(client: pg.Client, { manifest, adminEmails }: Work): Promise<RestoredRows> {
  const leftOut = othersTables(manifest, await tablesByName(client));
  return { owner: await ownerBy(client), team: await readRestoredTeam(client, adminEmails), leftOut };
}

async function ownerBy(client: pg.Client): Promise<Mark | null> {
  const db = dbOf(client);
  const academy = await findAcademyId(db);
  return academy === null ? null : { academy, database: await fingerprintOf(db) };
}

async function hasRowsOf(client: pg.Client, manifest: Manifest): Promise<boolean> {
  const migrations = await listMigrations(client);
  if (migrations.join() !== manifest.migrations.join()) return false;
  const tables = await tablesByName(client);
  await client.query("begin");
  try {
    await client.query("delete from operational_marks where name = any($1)", [marks]);
    for (const { name, ...contents } of manifest.tables) {
      const table = tables.get(name);
      if (!table) continue;
      const { rows, fingerprint } = await contentsOf(client, table);
      if (rows !== contents.rows || fingerprint !== contents.fingerprint) return false;
    }
    return true;
  } finally {
    await client.query("rollback");
  }
}

/** Rows that stop renewals and ask for a look at the team: the backup does not know later charges and dismissals. */
const marks = [restoredStopKey, teamRestoredKey];

async function markRestored(client: pg.Client): Promise<void> {
  await client.query(
    `insert into operational_marks (name, value, updated_at) select name, 'true', date_trunc('milliseconds', now()) from unnest($1::text[]) as name
      on conflict (name) do update set updated_at = excluded.updated_at`,
    [marks],
  );
}

async function refuseUsed(client: pg.Client, manifest: Manifest): Promise<void> {
  const newer = (await listMigrations(client)).filter((name) => !manifest.migrations.includes(name));
  if (newer.length > 0) throw notEmpty("The database has been through later migrations than the backup's");
  for (const { name } of await listTables(client)) {
    // An interrupted restore leaves only its own note among the rows.
    const where = name === "public.operational_marks" ? "where name <> 'restore-unfinished'" : "";
    const { rowCount } = await client.query(`select from ${name} ${where} limit 1`);
    if (rowCount !== 0) throw notEmpty(`The database is not empty: there are rows in ${name}`);
  }
}

/** Applies only the backup's migrations; the next start applies the rest. */
async function migrateAsFarAs(connection: Connection, migrations: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "academy-migrations-"));
  const pool = openPool(connection, () => {}, 1);
  try {
    for (const name of migrations) await cp(join(migrationsFolder, name), join(folder, name), { recursive: true });
    await migrate(pool, { folder });
  } finally {
    await pool.end();
    await rm(folder, { recursive: true });
  }
}

export function notEmpty(what: string): OperationRefused {
  return new OperationRefused(
    `${what}. Restore into an empty location: another DATA_DIR, and with DATABASE_URL a new database.`,
  );
}

export function otherBackup(where: string, path: string | null): OperationRefused {
  return new OperationRefused(
    `${where} holds the unfinished restore of another backup${path ? `, ${path}` : ""}: finish that one, or use an empty location.`,
  );
}
