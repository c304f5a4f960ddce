import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { newId } from "#server/db/id.ts";

export interface Packed {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Unpacked {
  readonly size: number;
  readonly stream: AsyncIterable<Uint8Array>;
}

export class ArchiveDamaged extends Error {
  override name = "ArchiveDamaged";
}

interface Writing {
  readonly signal?: AbortSignal | undefined;
  /** Encrypts the bytes of the archive on their way to the disk. */
  readonly encrypt?: ((bytes: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>) | undefined;
}

const unfinishedName = /\.unfinished-[0-9a-z]{20}$/;

/** Removes what killed processes left of archives, by name and age: a file that is being written is young. */
export async function removeUnfinished(folder: string, isOurs: (name: string) => boolean, before: Date): Promise<void> {
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    if (!unfinishedName.test(file) || !isOurs(file.replace(unfinishedName, ""))) continue;
    if ((await stat(path)).mtime < before) await rm(path, { force: true });
  }
}

/**
 * Writes a file that only its owner may read, under its name only once all of it is on the disk.
 * @returns its size in bytes
 */
export async function writeWhole(path: string, write: (file: FileHandle) => Promise<void>): Promise<number> {
  const unfinished = `${path}.unfinished-${newId()}`;
  const file = await open(unfinished, "wx", 0o600);
  let isWhole = false;
  try {
    await write(file);
    await file.sync();
    const { size } = await file.stat();
    await rename(unfinished, path);
    isWhole = true;
    await syncDirectory(dirname(path));
    return size;
  } finally {
    await file.close();
    if (!isWhole) await rm(unfinished, { force: true });
  }
}

/**
 * Writes a tar archive, like `writeWhole`.
 * @returns its size in bytes
 */
export function writeArchive(
  path: string,
  write: (add: (name: string, content: Uint8Array | Unpacked) => Promise<Packed>) => Promise<void>,
  { signal, encrypt = async (bytes) => bytes }: Writing = {},
): Promise<number> {
  return writeWhole(path, async (file) => {
    const { readable, controller } = createTarPacker();
    const add = async (name: string, content: Uint8Array | Unpacked): Promise<Packed> => {
      const { size, stream } = content instanceof Uint8Array ? { size: content.length, stream: [content] } : content;
      const sha256 = createHash("sha256");
      const hashed = async function* () {
        for await (const chunk of stream) {
          signal?.throwIfAborted();
          sha256.update(chunk);
          yield chunk;
        }
      };
      await ReadableStream.from(hashed()).pipeTo(controller.add({ name, size, mode: 0o600 }));
      return { name, size, sha256: sha256.digest("hex") };
    };
    const packed = write(add)
      .then(() => controller.finalize())
      .catch((error) => controller.error(error));
    await file.writeFile(await encrypt(readable));
    await packed;
  });
}

/** Makes a rename survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}

export interface Entry {
  readonly name: string;
  /** Content that is not read is skipped with the next entry. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Opens the archive anew for each reader. */
export type ArchiveSource = () => Promise<ReadableStream<Uint8Array>>;

export function archiveIn(path: string): ArchiveSource {
  // Not `Readable.toWeb`, which throws outside of every promise when a reader stops half way.
  return async () => ReadableStream.from(createReadStream(path, { highWaterMark: 256 * 1024 }));
}

/** @throws ArchiveDamaged when it is no archive, or ends too early */
export async function* readArchive(source: ArchiveSource): AsyncGenerator<Entry> {
  const bytes = await source();
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of orDamaged(entries)) {
    yield { name: header.name, content: orDamaged(body) };
    // Reads the rest of an entry instead of cancelling it: the decoder reads ahead, and would end the next entry too
    // early.
    await body.pipeTo(new WritableStream()).catch(() => {});
  }
}

async function* orDamaged<Part>(stream: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* stream;
  } catch (cause) {
    throw new ArchiveDamaged("it is no archive, or not a whole one", { cause });
  }
}
