import { hash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { z } from "zod";
import { CheckQuestion } from "#contract/admin/check-content.ts";
import { AcademyContent } from "#contract/admin/content.ts";
import { describeContent } from "#server/catalogue/content.ts";
import { scheduleEndOfOffer } from "#server/catalogue/offer-end.ts";
import { recordPlanPrices } from "#server/catalogue/prices.ts";
import { scheduleOpenings } from "#server/catalogue/publishing.ts";
import type { Config } from "#server/context/config.ts";
import { type Connection, migrate, openPool } from "#server/db/db.ts";
import { claimStore, requireTouchable } from "#server/files/store-state.ts";
import { checkFile } from "#server/resources/uploads/receive-upload.ts";
import { openStorage } from "#server/storage/open.ts";
import { receive } from "#server/storage/receive.ts";
import type { Storage } from "#server/storage/storage.ts";
import { OperationRefused, withDatabase } from "../connect-database.ts";
import { hashOf } from "../manifest.ts";
import { dbOf } from "../queries.ts";
import { countWaitingMigrations, fixSessionSettings, listMigrations } from "../rows.ts";
import { refuseUnfinishedRestore } from "../unfinished-restore.ts";
import { contentTables, type ExportedTable } from "./contents.ts";
import { quoted } from "./export.ts";
import { type Page, type ReadExport, readExport } from "./read-export.ts";

export interface Change {
  readonly table: string;
  readonly before: number;
  readonly after: number;
}

interface Imported {
  readonly changes: readonly Change[];
  /** Names of files and videos that the archive does not have. */
  readonly missing: readonly string[];
}

/** What the archive has, except for rows, which may be more than the memory holds. */
interface Contents {
  /** The number of rows. */
  readonly tables: ReadonlyMap<ExportedTable, number>;
  readonly files: readonly File[];
  readonly videos: ReadonlySet<unknown>;
  /** Names of files and videos that it lacks. */
  readonly missing: readonly string[];
}

/**
 * Replaces the content of an academy in which nobody has bought or watched anything by that of an export, with all ids.
 * People and money stay as they are. An interruption changes nothing.
 * @returns null when it is not agreed
 * @throws OperationRefused
 */
export async function importContent(
  config: Config,
  path: string,
  isAgreed: (changes: readonly Change[]) => Promise<boolean>,
): Promise<Imported | null> {
  const archive = await readExport(path);
  try {
    const contents = await readContents(archive);
    refuseUnfinishedRestore(config.dataDir);
    const run = async (client: pg.Client, connection: Connection) => {
      await prepare(client, connection);
      await refuseUsed(client, contents);
      const changes = await compare(client, contents);
      if (!(await isAgreed(changes))) return null;
      const storage = await openStorage(config.storage, join(config.dataDir, "files"));
      requireTouchable(await claimStore({ db: dbOf(client), storage }, new Date()), config);
      // Before the rows: a file without a row is removed some day, and a row without its file would be broken.
      for (const file of contents.files) await storeFile(archive, file, storage);
      await replaceRows(client, archive, contents);
      return { changes, missing: contents.missing };
    };
    return await withDatabase(config, "import-content", run, { isMade: false });
  } finally {
    archive.close();
  }
}

async function prepare(client: pg.Client, connection: Connection): Promise<void> {
  await fixSessionSettings(client);
  if ((await countWaitingMigrations(client)) === 0) return;
  if ((await listMigrations(client)).length > 0) {
    throw new OperationRefused("The database is as an older release left it: start this one first.");
  }
  const pool = openPool(connection, () => {}, 1);
  await migrate(pool).finally(() => pool.end());
}

const uses = {
  purchases: "bought a plan",
  grants: "been given a plan",
  course_progress: "watched lessons",
  resource_downloads: "downloaded files",
};

async function refuseUsed(client: pg.Client, contents: Contents): Promise<void> {
  for (const [table, use] of Object.entries(uses)) {
    if ((await client.query(`select from ${table} limit 1`)).rowCount === 0) continue;
    throw new OperationRefused(
      `People have ${use} here: import into an empty academy, with another DATA_DIR or a new database.`,
    );
  }
  const { rows } = await client.query<{ title: string }>(
    "select title from live_sessions where recording_video_id like 'own:%' and recording_video_id <> all($1) limit 1",
    [Array.from(contents.videos, (id) => `own:${id}`)],
  );
  if (!rows[0]) return;
  throw new OperationRefused(
    `The archive doesn't have the recording of the group session “${rows[0].title}”: import into an empty academy, with another DATA_DIR or a new database.`,
  );
}

/** Reads all of it once, so that nothing is changed for an archive that is not as it was exported. */
async function readContents(archive: ReadExport): Promise<Contents> {
  const tables = new Map<ExportedTable, number>();
  const files: File[] = [];
  const videos = new Set<unknown>();
  const missing: string[] = [];
  for (const table of contentTables.filter(archive.hasTable)) {
    let count = 0;
    for await (const { rows } of archive.pagesOf(table)) {
      for (const row of rows) {
        const named = filesOf(table.name, row, archive);
        const existing = named.filter(({ key }) => archive.has(`files/${key}`));
        const isWhole = existing.length === named.length;
        if (!isWhole) missing.push(String(row.file_name ?? row.title));
        if (!isWhole && table.name === "videos") continue;
        if (table.name === "videos") videos.add(row.id);
        files.push(...existing);
        count += 1;
      }
    }
    tables.set(table, count);
  }
  return { tables, files, videos, missing };
}

const Key = z.string().regex(/^(resources|posters|videos)\/[a-z0-9-]{16,64}$/);
const Sha256 = z.string().optional();
const File = z.object({ key: Key, sha256: Sha256, fileName: z.string().optional(), format: z.string().optional() });
type File = z.infer<typeof File>;

const filesOfTable: Readonly<Record<string, z.ZodType<File[]>>> = {
  course_resources: z
    .object({ storage_key: Key, sha256: z.string(), file_name: z.string(), format: z.string() })
    .transform(({ storage_key: key, sha256, file_name: fileName, format }) => [{ key, sha256, fileName, format }]),
  video_facts: z.object({ poster_key: Key.nullable() }).transform(({ poster_key: key }) => (key ? [{ key }] : [])),
  videos: z
    .object({
      state: z.literal("ready"),
      source_key: Key.nullable(),
      sha256: z.string().nullable(),
      poster_key: Key.nullable(),
      renditions: z.array(File),
    })
    .transform(({ source_key, sha256, poster_key, renditions }) => [
      ...(source_key && sha256 ? [{ key: source_key, sha256 }] : []),
      ...(poster_key ? [{ key: poster_key }] : []),
      ...renditions,
    ]),
};

/** The files of the store that a row names. */
function filesOf(table: string, row: object, archive: ReadExport): File[] {
  const read = filesOfTable[table]?.safeParse(row);
  if (read && !read.success) throw archive.refused(`a row of ${table} names its files in a way that no export has`);
  return read?.data ?? [];
}

async function compare(client: pg.Client, contents: Contents): Promise<Change[]> {
  const changes: Change[] = [];
  for (const table of contentTables) {
    const { name } = table;
    const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from public.${name}`);
    changes.push({ table: name, before: rows[0]?.count ?? 0, after: contents.tables.get(table) ?? 0 });
  }
  return changes.filter(({ before, after }) => before + after > 0);
}

async function storeFile(archive: ReadExport, { key, sha256, fileName, format }: File, storage: Storage) {
  const name = `files/${key}`;
  const { size, stream } = await archive.open(name);
  const file = await receive(storage, stream, size);
  if (!file) throw archive.refused(`${name} is larger than it says`);
  try {
    if (file.sha256 !== (sha256 ?? archive.hashOf(name))) throw archive.refused(`${name} is not what was exported`);
    if (fileName !== undefined && (await checkFile(file, fileName)).format !== format) {
      throw archive.refused(`${fileName} is not a ${format} file`);
    }
    const existing = await storage.read(key);
    if (existing && (await hashOf(existing.stream)) !== file.sha256) {
      throw new OperationRefused(`The file store has another file ${key}: import into an empty one.`);
    }
  } catch (error) {
    await rm(file.path, { force: true });
    throw error;
  }
  await storage.put(key, file);
}

const Content = z.object({ found: AcademyContent, questions: z.array(z.object({ content: CheckQuestion })) });

async function replaceRows(client: pg.Client, archive: ReadExport, contents: Contents): Promise<void> {
  await client.query("begin");
  await lockTables(client);
  await refuseUsed(client, contents);
  for (const { name } of contentTables.toReversed())
    await client.query(`delete from public.${name}`).catch(refuseInUse);
  for (const table of contents.tables.keys()) {
    for await (const page of archive.pagesOf(table)) {
      const insert = insertPage(client, archive, table, table.name === "videos" ? wholeOf(page, contents) : page);
      await insert.catch((error) => {
        throw isOfRows(error) ? archive.refused(`${table.file} has rows that don't fit`) : error;
      });
    }
  }
  const found = await describeContent(dbOf(client)).catch(refuseUnreadable(archive));
  const { rows: questions } = await client.query("select content from check_questions");
  const { error } = Content.safeParse({ found, questions });
  if (error) {
    const { path = [], message = "" } = error.issues[0] ?? {};
    throw archive.refused(`its content isn't valid (${path.join(".")}: ${message})`);
  }
  // As publishing does.
  const now = new Date();
  await recordPlanPrices(dbOf(client), now);
  await scheduleEndOfOffer(dbOf(client), now);
  await scheduleOpenings(dbOf(client), now);
  await client.query("commit");
}

/** Nobody edits, and nobody begins to buy or watch, until the new content is there. */
async function lockTables(client: pg.Client): Promise<void> {
  // In the order of somebody who buys or watches: first their own row, then what it refers to.
  const names = [...Object.keys(uses), "live_sessions", ...contentTables.map(({ name }) => name)].map(
    (name) => `public.${name}`,
  );
  await client.query("set local lock_timeout = '2s'");
  await client.query(`lock table ${names.join(", ")} in exclusive mode`).catch(refuseBusy);
  await client.query("set local lock_timeout = 0");
}

/** Without videos whose files the archive lacks. */
function wholeOf(page: Page, { videos }: Contents): Page {
  const rows = page.rows.filter(({ id }) => videos.has(id));
  return rows.length === page.rows.length ? page : { rows, json: JSON.stringify(rows) };
}

async function insertPage(
  client: pg.Client,
  archive: ReadExport,
  { name, columns }: ExportedTable,
  { rows, json }: Page,
): Promise<void> {
  const names = columns.filter((column) => column in (rows[0] ?? {})).map(quoted);
  if (name === "pictures") return insertPictures(client, archive, rows);
  if (names.length === 0) return;
  await client.query(
    `insert into public.${name} (${names}) select ${names} from json_populate_recordset(null::public.${name}, $1)`,
    [json],
  );
}

async function insertPictures(client: pg.Client, archive: ReadExport, rows: Page["rows"]): Promise<void> {
  for (const { id, created_at, published_at } of rows) {
    const name = `pictures/${id}`;
    const png = await buffer((await archive.open(`${name}.png`)).stream);
    const webp = archive.has(`${name}.webp`) ? await buffer((await archive.open(`${name}.webp`)).stream) : null;
    // A picture's id begins with its hash.
    if (!String(id).startsWith(hash("sha256", png).slice(0, 32))) {
      throw archive.refused(`${name}.png is not what was exported`);
    }
    await client.query("insert into pictures (id, png, webp, created_at, published_at) values ($1, $2, $3, $4, $5)", [
      ...[id, png, webp, created_at, published_at],
    ]);
  }
}

/** Content that the academy itself cannot read; other errors are the database's. */
function refuseUnreadable(archive: ReadExport) {
  return (error: unknown): never => {
    throw error instanceof TypeError ? archive.refused("its content isn't valid") : error;
  };
}

/** PostgreSQL's classes 22 and 23: values that a column does not accept. Other errors are not the archive's. */
function isOfRows(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? "");
}

/** A lock that somebody else has for too long, or a deadlock. */
function refuseBusy(error: unknown): never {
  if (!(error instanceof pg.DatabaseError && ["55P03", "40P01"].includes(error.code ?? ""))) throw error;
  throw new OperationRefused(
    "Somebody is using the academy right now, so nothing was imported. Try again in a minute.",
  );
}

function refuseInUse(error: unknown): never {
  if (!(error instanceof pg.DatabaseError && error.code === "23503")) throw error;
  throw new OperationRefused(
    `Rows of ${error.table} refer to the present content: import into an empty academy, with another DATA_DIR or a new database.`,
  );
}
