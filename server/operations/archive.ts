import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
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

/** A tar archive for its owner alone, named only once it is whole on the disk. @returns its size in bytes. */
export async function writeArchive(
  path: string,
  write: (add: (name: string, content: Uint8Array | Unpacked) => Promise<Packed>) => Promise<void>,
  signal?: AbortSignal,
): Promise<number> {
  const unfinished = `${path}.unfinished-${newId()}`;
  const file = await open(unfinished, "wx", 0o600);
  let isWhole = false;
  try {
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
    await file.writeFile(readable);
    await packed;
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

/** Without it a power cut can lose a file that was just renamed. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}

export interface Entry {
  readonly name: string;
  /** Unread content is skipped once the next entry is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** @throws ArchiveDamaged when it is no archive or ends too early. */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  const bytes = Readable.toWeb(createReadStream(path, { highWaterMark: 256 * 1024 }));
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of orDamaged(entries)) {
    yield { name: header.name, content: orDamaged(body) };
    await body.cancel();
  }
}

async function* orDamaged<Part>(stream: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* stream;
  } catch (cause) {
    throw new ArchiveDamaged("it is no archive, or not a whole one", { cause });
  }
}
