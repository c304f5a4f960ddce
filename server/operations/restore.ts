import { hash } from "node:crypto";
import { constants, createReadStream, existsSync } from "node:fs";
import { access, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { teamRestoredKey } from "#server/admin/team/restored.ts";
import type { Config } from "#server/context/config.ts";
import { type Connection, migrate, migrationsFolder, openPool } from "#server/db/db.ts";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";
import { endLeftovers } from "#server/db/embedded-processes.ts";
import { fileFolders, storeName } from "#server/files/store-state.ts";
import { openDataDir } from "#server/process/data-dir.ts";
import { openStorage } from "#server/storage/open.ts";
import { findAcademyId, findMark, fingerprintOf, type Mark, removeMark, writeMark } from "#server/storage/owner.ts";
import { receive } from "#server/storage/receive.ts";
import type { Storage } from "#server/storage/storage.ts";
import { restoredStopKey } from "#server/subscriptions/renewal-stops.ts";
import { ArchiveDamaged, type ArchiveSource, archiveIn, readArchive, syncDirectory } from "./archive.ts";
import { cannotConnect, OperationRefused } from "./connect-database.ts";
import { isEncrypted } from "./encryption.ts";
import { hashOf, type Manifest, readManifest } from "./manifest.ts";
import { dbOf } from "./queries.ts";
import { type RestoredTeam, readRestoredTeam } from "./restored-team.ts";
import { contentsOf, fixSessionSettings, insertRows, listMigrations, listTables, type Table } from "./rows.ts";
import { beginRestore, beginRows, endRestore, endRows, findBegun, findBegunRows } from "./unfinished-restore.ts";

const decompress = promisify(gunzip);

export interface Restored extends Manifest {
  readonly team: RestoredTeam;
  readonly leftOut: readonly string[];
}

/** What the restored rows say. */
interface Rows {
  /** Null is the backup of a release whose stores had no owner. */
  readonly owner: Mark | null;
  readonly team: RestoredTeam;
  /** Tables of the backup that somebody else had made in the database: no migration makes them here. */
  readonly leftOut: readonly string[];
}

/** After an interruption no academy starts here until the same restore has run again. @throws OperationRefused. */
export async function restore(config: Config, path: string, { adoptFiles = false } = {}): Promise<Restored> {
  const source = archiveIn(path);
  const manifest = await readBackup(path, source);
  await refuseNewer(manifest);
  const held = openDataDir(config.dataDir);
  try {
    const backup = hash("sha256", JSON.stringify(manifest)).slice(0, 32);
    const store = storeName(config);
    const begun = findBegun(held.path);
    if (begun && begun.backup !== backup) throw otherBackup(`DATA_DIR ${held.path}`, begun.path);
    if (!begun && !config.databaseUrl && existsSync(join(held.path, "postgres"))) {
      throw notEmpty(`DATA_DIR ${held.path} has a database already`);
    }
    await refuseOtherKeys(manifest, held.path);
    const storage = await openStorage(config.storage, join(held.path, "files"));
    const mark = await findMark(storage);
    const isAccepted = adoptFiles || begun?.store === store || mark?.restoring === backup;
    const isRepeated = begun !== null || mark?.restoring === backup;
    const work: Work = {
      source,
      manifest,
      backup,
      isRepeated,
      adminEmails: config.adminEmails,
      begin: async () => {
        if (!isAccepted) await refuseOtherFiles(storage, mark, manifest, store);
        await beginRestore(held.path, { backup, path, store });
        await writeMark(storage, { academy: "", database: null, restoring: backup });
      },
      rest: () => restoreBesideRows(source, manifest, held.path, storage),
    };
    const { owner, ...rows } = config.databaseUrl
      ? await restoreRows({ connectionString: config.databaseUrl }, work).catch((error) =>
          refuseDamaged(error, path, halfWay),
        )
      : await restoreEmbedded(held.path, work).catch((error) => refuseDamaged(error, path, halfWay));
    // A backup from before stores had owners: the academy takes the files that its rows name at its next start.
    await (owner ? writeMark(storage, owner) : removeMark(storage));
    await endRestore(held.path);
    return { ...manifest, ...rows };
  } finally {
    held.release();
  }
}

export interface Work {
  readonly source: ArchiveSource;
  readonly manifest: Manifest;
  readonly backup: string;
  readonly isRepeated: boolean;
  readonly adminEmails: readonly string[];
  /** Refuses a store with other files, then notes in DATA_DIR and in the store that a restore is under way. */
  readonly begin: () => Promise<void>;
  readonly rest: () => Promise<void>;
}

async function readBackup(path: string, source: ArchiveSource): Promise<Manifest> {
  await access(path, constants.R_OK).catch(() => {
    throw new OperationRefused(`There is no file ${path} that this account may read.`);
  });
  if (await isEncrypted(createReadStream(path))) {
    throw new OperationRefused(
      `${path} is encrypted: decrypt it where its key is (age -d -i KEY_FILE FILE > academy.tar), and restore that.`,
    );
  }
  return readManifest(source).catch((error) => refuseDamaged(error, path));
}

/** What a backup's contents made fail is said in a sentence: a damaged one, or one that somebody crafted. */
function refuseDamaged(error: unknown, path: string, advice = "Nothing was restored; take another backup."): never {
  if (!(error instanceof ArchiveDamaged)) throw error;
  throw new OperationRefused(`${path} is damaged: ${error.message}. ${advice}`);
}

const halfWay = "No row is in force; restore another backup into an empty location.";

async function refuseNewer({ migrations, version }: Manifest): Promise<void> {
  const known = new Set(await readdir(migrationsFolder));
  if (migrations.every((name) => known.has(name))) return;
  throw new OperationRefused(`The backup was made by a newer academy (${version}): restore it with that release.`);
}

/** Another academy's keys and sandbox are never overwritten; an interrupted restore left the same ones. */
async function refuseOtherKeys({ files }: Manifest, dataDir: string): Promise<void> {
  for (const { name, sha256 } of files.filter(isKept)) {
    const path = join(dataDir, name);
    if (!existsSync(path) || hash("sha256", await readFile(path)) === sha256) continue;
    throw notEmpty(`DATA_DIR ${dataDir} holds another academy's ${name}`);
  }
}

function notEmpty(what: string): OperationRefused {
  return new OperationRefused(
    `${what}. Restore into an empty location: another DATA_DIR, and with DATABASE_URL a new database.`,
  );
}

function otherBackup(where: string, path: string | null): OperationRefused {
  return new OperationRefused(
    `${where} holds the unfinished restore of another backup${path ? `, ${path}` : ""}: finish that one, or use an empty location.`,
  );
}

/** Files that the backup lacks are another academy's. */
async function refuseOtherFiles(storage: Storage, mark: Mark | null, manifest: Manifest, where: string): Promise<void> {
  const advice =
    "Restore into an empty store; if the files are this academy's, restore with --adopt-files, which keeps them.";
  if (mark) throw new OperationRefused(`The files in ${where} belong to an academy. ${advice}`);
  const ofBackup = new Set(manifest.files.map(({ name }) => name));
  for (const folder of fileFolders) {
    for await (const { key } of storage.list(folder)) {
      if (!ofBackup.has(`files/${key}`)) throw new OperationRefused(`There are files in ${where} already. ${advice}`);
    }
  }
}

function isKept({ name }: { name: string }): boolean {
  return /^(secrets|sandbox)\/\w[\w.-]*$/.test(name);
}

/** A folder beside the database's own, moved when it is whole, so that no start finds half of one. */
async function restoreEmbedded(dataDir: string, work: Work): Promise<Rows> {
  const staging = join(dataDir, "restoring");
  const isInPlace = existsSync(join(dataDir, "postgres"));
  const directory = isInPlace ? dataDir : staging;
  if (!isInPlace) {
    if (existsSync(join(staging, "postgres"))) await endLeftovers(join(staging, "postgres"));
    await rm(staging, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  const embedded = await startEmbeddedPostgres(directory);
  const rows = await restoreRows(embedded.connection, work)
    .finally(() => embedded.stop())
    .catch(async (error) => {
      if (!isInPlace) await rm(staging, { recursive: true, force: true });
      throw error;
    });
  if (!isInPlace) await rename(join(staging, "postgres"), join(dataDir, "postgres"));
  await syncDirectory(dataDir);
  await rm(staging, { recursive: true, force: true });
  return rows;
}

/** Commits once all beside the rows is there. */
export async function restoreRows(connection: Connection, work: Work): Promise<Rows> {
  const { source, manifest, backup, isRepeated, begin, rest } = work;
  const client = new pg.Client({ ...connection, application_name: "academy restore" });
  client.on("error", () => {}); // A connection that is lost between two queries fails the next one.
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
    await client.query("begin");
    await endRows(client);
    const tables = await tablesByName(client);
    for (const name of othersTables(manifest, tables)) {
      if (await isOurs(name)) throw new ArchiveDamaged(`its migrations make no table ${name}`);
    }
    for await (const { name, content } of readArchive(source)) {
      const [, table] = /^rows\/(.+)\.\d+\.json\.gz$/.exec(name) ?? [];
      if (!table) break; // The rows are the first files of a backup.
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

/** A part is about a megabyte; rows may be longer, but never this long together. */
const maxPartBytes = 512 * 1024 ** 2;

async function readPart(name: string, compressed: Buffer): Promise<string> {
  try {
    return (await decompress(compressed, { maxOutputLength: maxPartBytes })).toString("utf8");
  } catch (cause) {
    throw new ArchiveDamaged(`${name} cannot be decompressed`, { cause });
  }
}

/** Class 42: what a migration needs is missing, as one before it is. */
function refuseSchema(error: unknown): never {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  const isTheirs = cause instanceof pg.DatabaseError && /^(42|3F)/.test(cause.code ?? "");
  throw isTheirs ? new ArchiveDamaged("its migrations make no database of an academy", { cause }) : error;
}

/** Classes 22 and 23: values that no column takes. A database that is away is another matter. */
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

/** Whether a migration of any release makes such a table: its rows must never be left out. */
async function isOurs(table: string): Promise<boolean> {
  const name = `"${table.replaceAll('"', "").split(".").at(-1)}"`;
  const made = [`CREATE TABLE ${name}`, `CREATE TABLE "issuer".${name}`, `RENAME TO ${name}`];
  for (const migration of await readdir(migrationsFolder)) {
    const statements = await readFile(join(migrationsFolder, migration, "migration.sql"), "utf8");
    if (made.some((words) => statements.includes(words))) return true;
  }
  return false;
}

async function saidBy(client: pg.Client, { manifest, adminEmails }: Work): Promise<Rows> {
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
    await client.query("delete from settings where name = any($1)", [marks]);
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

/** What the gateway charged and who was dismissed after the backup was made is not in it: until both are looked at. */
const marks = [restoredStopKey, teamRestoredKey];

async function markRestored(client: pg.Client): Promise<void> {
  await client.query(
    `insert into settings (name, value, updated_at) select name, 'true', date_trunc('milliseconds', now()) from unnest($1::text[]) as name
      on conflict (name) do update set updated_at = excluded.updated_at`,
    [marks],
  );
}

async function refuseUsed(client: pg.Client, manifest: Manifest): Promise<void> {
  const newer = (await listMigrations(client)).filter((name) => !manifest.migrations.includes(name));
  if (newer.length > 0) throw notEmpty("The database has been through later migrations than the backup's");
  for (const { name } of await listTables(client)) {
    // All that an interrupted restore leaves among the rows is its own note.
    const where = name === "public.settings" ? "where name <> 'restore-unfinished'" : "";
    const { rowCount } = await client.query(`select from ${name} ${where} limit 1`);
    if (rowCount !== 0) throw notEmpty(`The database is not empty: there are rows in ${name}`);
  }
}

/** The next start brings the schema up to date. */
async function migrateAsFarAs(connection: Connection, migrations: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "academy-migrations-"));
  const pool = openPool(connection, () => {}, 1);
  try {
    for (const name of migrations) await cp(join(migrationsFolder, name), join(folder, name), { recursive: true });
    await migrate(pool, folder);
  } finally {
    await pool.end();
    await rm(folder, { recursive: true });
  }
}

async function restoreBesideRows(
  source: ArchiveSource,
  manifest: Manifest,
  dataDir: string,
  storage: Storage,
): Promise<void> {
  const files = new Map(manifest.files.map((file) => [file.name, file]));
  for await (const { name, content } of readArchive(source)) {
    const { size, sha256 } = files.get(name) ?? { size: 0, sha256: "" };
    if (name.startsWith("files/")) {
      const key = name.slice("files/".length);
      const file = await receive(storage, content, size);
      if (file?.sha256 !== sha256) throw new Error(`${name} changed while it was read`);
      await storage.put(key, file);
      const stored = await storage.read(key);
      if (!stored || (await hashOf(stored.stream)) !== sha256) throw new Error(`${name} did not come back`);
    } else if (isKept({ name })) {
      const path = join(dataDir, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(`${path}.unfinished`, content, { mode: 0o600, flush: true });
      await rename(`${path}.unfinished`, path);
      await syncDirectory(dirname(path));
    }
  }
}
