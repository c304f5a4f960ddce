import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import type pg from "pg";
import { z } from "zod";
import { writeCsv } from "#server/admin/exports/csv.ts";
import type { Cell, Kind } from "#server/admin/exports/table.ts";
import { HOUR } from "#server/base/clock.ts";
import type { Config } from "#server/context/config.ts";
import { listNamedFiles } from "#server/files/store-state.ts";
import { openStorage } from "#server/storage/open.ts";
import { readLater, type Storage } from "#server/storage/storage.ts";
import { removeUnfinished, writeWhole } from "../archive.ts";
import { OperationRefused, withDatabase } from "../connect-database.ts";
import { dbOf } from "../queries.ts";
import { countWaitingMigrations, describeDatabase, fixSessionSettings, listTables, rowsAtOnce } from "../rows.ts";
import { refuseUnfinishedRestore } from "../unfinished-restore.ts";
import { contentTables, description, type ExportedTable, exportedTables } from "./contents.ts";

export const ExportManifest = z.object({
  /** The version of the archive's layout. */
  format: z.literal(1),
  version: z.string(),
  /** The instant of the snapshot of the rows. */
  madeAt: z.iso.datetime(),
  withoutVideos: z.boolean(),
  tables: z.array(z.object({ name: z.string(), file: z.string(), rows: z.int() })),
  files: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string() })),
  /** Keys of files that rows name and the store lacked, which are empty in the archive. */
  missing: z.array(z.string()),
});
export type ExportManifest = z.infer<typeof ExportManifest>;

export interface ExportOptions {
  readonly overwrites?: boolean;
  readonly withoutVideos?: boolean;
  readonly signal?: AbortSignal;
  /** Told the name of each file that is begun. */
  readonly say?: (name: string) => void;
}

type Content = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
type Add = (name: string, open: () => Content, isPacked?: boolean) => void;

/**
 * Exports everything that people and other programs can use, beside a running academy or without one.
 * @throws OperationRefused when `path` exists, unless it `overwrites`
 */
export async function exportAcademy(
  config: Config,
  path: string,
  version: string,
  options: ExportOptions = {},
): Promise<ExportManifest & { size: number }> {
  if (existsSync(path) && !options.overwrites) {
    throw new OperationRefused(`${path} exists already: name another file, or replace it with --force.`);
  }
  if (!existsSync(dirname(path))) throw new OperationRefused(`There is no folder ${dirname(path)}.`);
  refuseUnfinishedRestore(config.dataDir);
  const scratch = await mkdtemp(join(tmpdir(), "academy-export-"));
  const run = async (client: pg.Client) => {
    if ((await countWaitingMigrations(client)) > 0) {
      throw new OperationRefused("The database is as an older release left it: start this one first.");
    }
    // A killed export left a file, which is older than one that is being written.
    await removeUnfinished(dirname(path), (name) => name === basename(path), new Date(Date.now() - HOUR));
    const storage = await openStorage(config.storage, join(config.dataDir, "files"), scratch);
    const write = () => writeExport({ client, storage, path, version, ...options });
    const first = await write();
    // A named file may be deleted before it is read; the next snapshot no longer names it.
    return first.missing.length > 0 ? write() : first;
  };
  return withDatabase(config, "export", run).finally(() => rm(scratch, { recursive: true, force: true }));
}

interface Source extends ExportOptions {
  readonly client: pg.Client;
  readonly storage: Storage;
  readonly path: string;
  readonly version: string;
}

async function writeExport(source: Source): Promise<ExportManifest & { size: number }> {
  const { client, path, version, withoutVideos = false, signal, say = () => {} } = source;
  await fixSessionSettings(client);
  await client.query("begin isolation level repeatable read, read only");
  const madeAt = (await describeDatabase(client)).now;
  const manifest: ExportManifest = {
    ...{ format: 1, version, madeAt: madeAt.toISOString(), withoutVideos },
    ...{ tables: [], files: [], missing: [] },
  };
  const { ZipFile } = await import("yazl");
  const zip = new ZipFile();
  const output = readLater(zip.outputStream as Readable);
  const fail = (error: Error) => output.destroy(error);
  zip.on("error", fail);
  // The archive reads one after the other, when it comes to it.
  const add: Add = (name, open, isPacked = true) =>
    zip.addReadStreamLazy(name, { mtime: madeAt, mode: 0o100600, compress: isPacked }, (read) => {
      say(name);
      // The archive does not hear of a stream that fails.
      read(null, Readable.from(hashed(name, open()), { objectMode: false }).on("error", fail));
    });
  async function* hashed(name: string, content: Content) {
    const sha256 = createHash("sha256");
    let size = 0;
    for await (const part of content) {
      signal?.throwIfAborted();
      const bytes = Buffer.from(part);
      sha256.update(bytes);
      size += bytes.length;
      yield bytes;
    }
    manifest.files.push({ name, size, sha256: sha256.digest("hex") });
  }
  add("README.md", () => [description]);
  await addTables(client, manifest, add);
  await addPictures(client, add);
  await addFiles(source, manifest, add);
  add("manifest.json", () => [`${JSON.stringify(manifest, null, 1)}\n`]);
  zip.end();
  const size = await writeWhole(path, (file) => file.writeFile(output));
  return { ...manifest, size };
}

async function addTables(client: pg.Client, manifest: ExportManifest, add: Add): Promise<void> {
  const typesOf = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]));
  for (const table of exportedTables) {
    const types = new Map(typesOf.get(`public.${table.name}`)?.map(({ name, type }) => [plain(name), type]));
    const count = (rows: number) => manifest.tables.push({ name: table.name, file: table.file, rows });
    add(table.file, () =>
      contentTables.includes(table) ? jsonOf(client, table, count) : csvOf(client, table, types, count),
    );
  }
}

type Count = (rows: number) => void;

async function* jsonOf(client: pg.Client, table: ExportedTable, count: Count): AsyncGenerator<string> {
  let rows = 0;
  // An import reads by lines. Within a row, only the white space of its JSON can have any.
  const select = `select replace(row_to_json(r)::text, e'\\n', ' ') as row from (${selectOf(table, table.columns.map(quoted))}) r`;
  for await (const page of readPages(client, select)) {
    yield `${rows === 0 ? "[" : ","}\n${page.map(({ row }) => row).join(",\n")}`;
    rows += page.length;
  }
  yield rows === 0 ? "[]\n" : "\n]\n";
  count(rows);
}

const kinds: Readonly<Record<string, Kind>> = {
  "timestamp with time zone": "instant",
  "numeric(10,2)": "money",
  integer: "number",
  bigint: "number",
  boolean: "boolean",
};

async function* csvOf(
  client: pg.Client,
  table: ExportedTable,
  types: ReadonlyMap<string, string>,
  count: Count,
): AsyncGenerator<string> {
  const columns = table.columns.map((header) => ({ header, kind: kinds[types.get(header) ?? ""] ?? "text" }));
  const select = selectOf(
    table,
    // The driver reads days as instants of this machine's time zone.
    columns.map(({ header }) => (types.get(header) === "date" ? `${header}::text` : quoted(header))),
  );
  let rows = 0;
  async function* pages() {
    for await (const page of readPages(client, select)) {
      rows += page.length;
      yield page.map((row) => columns.map(({ header, kind }) => cellOf(row[header], kind)));
    }
  }
  yield* writeCsv({ columns, total: 0, timeZone: "UTC", pages: pages() });
  count(rows);
}

function cellOf(value: unknown, kind: Kind): Cell {
  if (value === null || typeof value === "boolean" || value instanceof Date) return value;
  if (kind === "number" || kind === "money") return Number(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function selectOf({ name, key, where }: ExportedTable, columns: readonly string[]): string {
  return `select ${columns.join(", ")} from public.${name} where ${where} order by ${key.map(quoted).join(", ")}`;
}

export const quoted = (name: string) => `"${name}"`;
const plain = (name: string) => name.replaceAll('"', "");

async function* readPages(client: pg.Client, select: string): AsyncGenerator<Record<string, unknown>[]> {
  await client.query(`declare rows no scroll cursor for ${select}`);
  for (let isLast = false; !isLast; ) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${rowsAtOnce} from rows`);
    isLast = rows.length < rowsAtOnce;
    if (rows.length > 0) yield rows;
  }
  await client.query("close rows");
}

const pictureFormats = ["png", "webp"] as const;

async function addPictures(client: pg.Client, add: Add): Promise<void> {
  const { rows } = await client.query<{ id: string; webp: boolean }>(
    "select id, webp is not null as webp from pictures order by id",
  );
  for (const { id, webp } of rows) {
    for (const format of pictureFormats.filter((one) => one === "png" || webp)) {
      add(`pictures/${id}.${format}`, () => readPicture(client, id, format), false);
    }
  }
}

async function* readPicture(client: pg.Client, id: string, format: "png" | "webp"): AsyncGenerator<Uint8Array> {
  const { rows } = await client.query<{ bytes: Uint8Array }>(`select ${format} as bytes from pictures where id = $1`, [
    id,
  ]);
  if (rows[0]) yield rows[0].bytes;
}

async function addFiles({ client, storage, withoutVideos }: Source, manifest: ExportManifest, add: Add): Promise<void> {
  const { rows } = await client.query<{ key: string }>(`
    select key from video_pieces
    union select unnest(array[source_key, poster_key] || array(select r->>'key' from json_array_elements(renditions) r))
      from videos where state <> 'ready'`);
  const unfinished = new Set(rows.map(({ key }) => key));
  const named = await listNamedFiles(dbOf(client));
  const keys = named.filter((key) => !unfinished.has(key) && !(withoutVideos && key.startsWith("videos/"))).sort();
  for (const [at, key] of keys.entries()) {
    add(
      `files/${key}`,
      async function* () {
        // All rows are read by now, and the files may take hours.
        if (at === 0) await client.query("commit");
        const stored = await storage.read(key);
        if (stored) yield* stored.stream;
        else manifest.missing.push(key);
      },
      false,
    );
  }
}
