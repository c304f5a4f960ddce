import { createHash, type Hash } from "node:crypto";
import { stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { z } from "zod";
import { isKey } from "#server/storage/storage.ts";
import { OperationRefused } from "../connect-database.ts";
import { type ExportedTable, exportedTables, mostCatalogueBytes } from "./contents.ts";
import { ExportManifest } from "./export.ts";

/** Larger ones would fill the memory. */
const mostManifestBytes = 64 * 1024 ** 2;
const mostRowBytes = 16 * 1024 ** 2;
const pageBytes = 1024 ** 2;
const newline = 10;
/** Room for hundreds of thousands of files. */
const mostEntries = 1_000_000;

export interface ReadExport {
  readonly manifest: ExportManifest;
  hasTable(table: ExportedTable): boolean;
  /** @throws OperationRefused, also at the end, when the whole file is not what was exported */
  pagesOf(table: ExportedTable): AsyncIterable<Page>;
  has(name: string): boolean;
  hashOf(name: string): string | undefined;
  /** @throws OperationRefused, also from the stream */
  open(name: string): Promise<{ size: number; stream: AsyncIterable<Uint8Array> }>;
  refused(why: string): OperationRefused;
  close(): void;
}

export interface Page {
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
    const manifest = parse(ExportManifest, (await buffer((await open("manifest.json")).stream)).toString());
    if (!manifest) throw refused("its manifest is of another release, or damaged");
    const hashes = new Map(manifest.files.map(({ name, sha256 }) => [name, sha256]));
    const missing = new Set(manifest.missing.map((key) => `files/${key}`));
    return {
      manifest,
      hasTable: ({ name }) => manifest.tables.some((table) => table.name === name),
      async *pagesOf({ file, columns }) {
        const sha256 = createHash("sha256");
        const noList = refused(`${file} isn't a list of rows`);
        for await (const json of jsonIn((await open(file)).stream, sha256, noList)) {
          const rows = parse(z.array(z.record(z.string(), z.unknown())), json);
          if (!rows) throw noList;
          const unknown = rows.flatMap((row) => Object.keys(row)).find((column) => !columns.includes(column));
          if (unknown !== undefined) throw refused(`${file} has a column that this release doesn't know`);
          yield { rows, json };
        }
        if (sha256.digest("hex") !== hashes.get(file)) throw refused(`${file} is not what was exported`);
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
  const texts = new Set(["manifest.json", "README.md"]);
  const tables = new Set(exportedTables.map(({ file }) => file));
  const entries = new Map<string, Entry>();
  let [stored, ofCatalogue] = [0, 0];
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize, compressionMethod } = entry;
    const isFile = /^pictures\/[\w-]+\.(png|webp)$/.test(name) || (name.startsWith("files/") && isKey(name.slice(6)));
    if (!isFile && !texts.has(name) && !tables.has(name)) {
      throw refused(`it has ${JSON.stringify(name.slice(0, 100))}, which no export of this release has`);
    }
    if (entries.has(name)) throw refused(`it has ${name} twice`);
    if (isFile) stored += uncompressedSize;
    if (name.startsWith("catalogue/")) ofCatalogue += uncompressedSize;
    if (
      (isFile && compressionMethod !== 0) ||
      stored > size ||
      ofCatalogue > mostCatalogueBytes ||
      (texts.has(name) && uncompressedSize > mostManifestBytes)
    ) {
      throw refused(`${name} is too large, or packed in another way than in exports`);
    }
    entries.set(name, entry);
  }
  return entries;
}

/**
 * A list of rows as lists of about a megabyte, which end where a line does.
 * @throws `noList`
 */
async function* jsonIn(
  stream: AsyncIterable<Uint8Array>,
  sha256: Hash,
  noList: OperationRefused,
): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let [size, start] = [0, /^\s*\[/];
  for await (const part of stream) {
    sha256.update(part);
    parts.push(part);
    size += part.length;
    // Joining the parts of a long row for each of them would take as many times as long.
    if (size < pageBytes || (size <= mostRowBytes && !part.includes(newline))) continue;
    const bytes = Buffer.concat(parts);
    const end = bytes.lastIndexOf("\n") + 1;
    if (end === 0 && size > mostRowBytes) throw noList;
    parts = [bytes.subarray(end)];
    size -= end;
    if (end === 0) continue;
    const text = bytes.toString("utf8", 0, end);
    if (!start.test(text)) throw noList;
    yield `[${text.replace(start, "").replace(/,\s*$/, "")}]`;
    start = /^/;
  }
  const last = Buffer.concat(parts).toString();
  if (!start.test(last)) throw noList;
  yield start.source === "^" ? `[${last}` : last;
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

function parse<Schema extends z.ZodType>(schema: Schema, json: string): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(json));
  } catch {
    return null; // The caller knows which file it is.
  }
}
