import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { z } from "zod";
import { isKey } from "#server/storage/storage.ts";
import { OperationRefused } from "../connect-database.ts";
import { contentTables, type ExportedTable, exportedTables } from "./contents.ts";
import { ExportManifest } from "./export.ts";

/** Larger ones would fill the memory. Captions of a thousand lessons have less. */
const mostTextBytes = 64 * 1024 ** 2;
/** Room for hundreds of thousands of files. */
const mostEntries = 1_000_000;

export interface ReadExport {
  readonly manifest: ExportManifest;
  /** Null for a table that the archive does not have. @throws OperationRefused */
  rowsOf(table: ExportedTable): Promise<Rows | null>;
  has(name: string): boolean;
  hashOf(name: string): string | undefined;
  /** @throws OperationRefused, also from the stream */
  open(name: string): Promise<{ size: number; stream: AsyncIterable<Uint8Array> }>;
  refused(why: string): OperationRefused;
  close(): void;
}

export interface Rows {
  readonly rows: readonly Record<string, unknown>[];
  /** As it is in the archive, which keeps all digits of numbers and times. */
  readonly json: string;
}

/** @throws OperationRefused for what is not a whole export that this release knows */
export async function readExport(path: string): Promise<ReadExport> {
  const refused = (why: string) => new OperationRefused(`${path} can't be imported: ${why}.`);
  const damaged = (error: unknown) => {
    if (error instanceof OperationRefused) throw error;
    throw refused(`it isn't an export, or it is damaged (${error instanceof Error ? error.message : error})`);
  };
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new OperationRefused(`There is no file ${path} that this account may read.`);
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch(damaged);
  try {
    const entries = await listEntries(zip, found.size, refused).catch(damaged);
    const open = async (name: string) => {
      const entry = entries.get(name);
      if (!entry) throw refused(`it lacks ${name}`);
      const stream = await zip.openReadStreamPromise(entry).catch(damaged);
      return { size: entry.uncompressedSize, stream: orDamaged(stream, damaged) };
    };
    const readText = async (name: string) => buffer((await open(name)).stream);
    const manifest = parse(ExportManifest, await readText("manifest.json"));
    if (!manifest) throw refused("its manifest is of another release, or damaged");
    const hashes = new Map(manifest.files.map(({ name, sha256 }) => [name, sha256]));
    const missing = new Set(manifest.missing.map((key) => `files/${key}`));
    return {
      manifest,
      async rowsOf({ name, file, columns }) {
        if (!manifest.tables.some((table) => table.name === name)) return null;
        const bytes = await readText(file);
        if (createHash("sha256").update(bytes).digest("hex") !== hashes.get(file)) {
          throw refused(`${file} is not what was exported`);
        }
        const rows = parse(z.array(z.record(z.string(), z.unknown())), bytes);
        if (!rows) throw refused(`${file} isn't a list of rows`);
        const unknown = rows.flatMap((row) => Object.keys(row)).find((column) => !columns.includes(column));
        if (unknown !== undefined) throw refused(`${file} has a column that this release doesn't know`);
        return { rows, json: bytes.toString("utf8") };
      },
      has: (name) => entries.has(name) && !missing.has(name),
      hashOf: (name) => hashes.get(name),
      open,
      refused,
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Files are stored as they are, so a small archive can't unpack to a large one. */
async function listEntries(
  zip: ZipFile,
  size: number,
  refused: ReadExport["refused"],
): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > mostEntries) throw refused("it has too many files");
  const texts = new Set(["manifest.json", "README.md", ...contentTables.map(({ file }) => file)]);
  const tables = new Set(exportedTables.map(({ file }) => file));
  const entries = new Map<string, Entry>();
  let stored = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize, compressionMethod } = entry;
    const isFile = /^pictures\/[\w-]+\.(png|webp)$/.test(name) || (name.startsWith("files/") && isKey(name.slice(6)));
    if (!isFile && !texts.has(name) && !tables.has(name)) {
      throw refused(`it has ${JSON.stringify(name.slice(0, 100))}, which no export of this release has`);
    }
    if (entries.has(name)) throw refused(`it has ${name} twice`);
    if (isFile) stored += uncompressedSize;
    if ((isFile && compressionMethod !== 0) || stored > size || (texts.has(name) && uncompressedSize > mostTextBytes)) {
      throw refused(`${name} is too large, or packed in another way than in exports`);
    }
    entries.set(name, entry);
  }
  return entries;
}

async function* orDamaged(
  stream: AsyncIterable<Uint8Array>,
  damaged: (error: unknown) => never,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    damaged(error);
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, bytes: Buffer): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    return null; // The caller knows which file it is.
  }
}
