import { createHash } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { newId } from "#server/db/id.ts";

/** One file in an archive, as the manifest names it. */
export interface Packed {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** What to pack whose size is known before it is read. */
export interface Unpacked {
  readonly size: number;
  readonly stream: AsyncIterable<Uint8Array>;
}

/** The archive is not one, or not whole. */
export class ArchiveDamaged extends Error {
  override name = "ArchiveDamaged";
}

const block = 512;

/**
 * Writes a tar archive that any `tar` reads. It has its name only when all of it is on the disk: until then, and when
 * `write` fails or the signal is given, there is nothing under it. For its owner alone.
 * @returns its size in bytes.
 */
export async function writeArchive(
  path: string,
  write: (add: (name: string, content: Uint8Array | Unpacked) => Promise<Packed>) => Promise<void>,
  signal?: AbortSignal,
): Promise<number> {
  const unfinished = `${path}.unfinished-${newId()}`;
  const file = await open(unfinished, "wx", 0o600);
  let isWhole = false;
  try {
    await write((name, content) => append(file, name, content, signal));
    await file.writeFile(Buffer.alloc(2 * block));
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

/** Brings the names in a directory to the platter. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  await directory.sync().finally(() => directory.close());
}

async function append(
  file: FileHandle,
  name: string,
  content: Uint8Array | Unpacked,
  signal: AbortSignal | undefined,
): Promise<Packed> {
  const { size, stream } = content instanceof Uint8Array ? { size: content.length, stream: [content] } : content;
  const sha256 = createHash("sha256");
  let written = 0;
  await file.writeFile(headerOf(name, size));
  for await (const chunk of stream) {
    signal?.throwIfAborted();
    sha256.update(chunk);
    written += chunk.length;
    await file.writeFile(chunk);
  }
  if (written !== size) throw new Error(`${name} has ${written} bytes and not ${size}: it changed while it was read`);
  await file.writeFile(Buffer.alloc(paddingOf(size)));
  return { name, size, sha256: sha256.digest("hex") };
}

function paddingOf(size: number): number {
  return (block - (size % block)) % block;
}

/** The fields of a header and where they begin, as POSIX wrote them down for ustar. */
const at = { name: 0, mode: 100, size: 124, time: 136, checksum: 148, type: 156, magic: 257, end: 500 };

function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100 || size >= 8 ** 11) throw new Error(`${name} does not fit into an archive`);
  const header = Buffer.alloc(block);
  header.write(name, at.name);
  header.write("0000600\0", at.mode);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, at.size);
  header.write(
    `${Math.floor(Date.now() / 1000)
      .toString(8)
      .padStart(11, "0")}\0`,
    at.time,
  );
  header.write("0", at.type);
  header.write("ustar\x0000", at.magic);
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, at.checksum);
  return header;
}

/** The sum of a header's bytes, its own place counted as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (const [place, byte] of header.entries()) if (place < at.checksum || place >= at.type) sum += byte;
  return sum;
}

/** An archive that is open for reading, in any order. */
export interface Archive extends AsyncDisposable {
  /** In the order of the archive. */
  readonly entries: readonly { readonly name: string; readonly size: number }[];
  /** @throws ArchiveDamaged when there is none of this name. */
  read(name: string): AsyncIterable<Buffer>;
}

/** @throws ArchiveDamaged when it is no archive or ends too early; Error when there is no such file. */
export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path);
  try {
    const places = await findEntries(file);
    return {
      entries: [...places].map(([name, { size }]) => ({ name, size })),
      read(name) {
        const place = places.get(name);
        if (!place) throw new ArchiveDamaged(`${name} is not in it`);
        return contentAt(file, place);
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Place {
  readonly start: number;
  readonly size: number;
}

async function findEntries(file: FileHandle): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const { size: whole } = await file.stat();
  for (let start = 0; ; ) {
    const { buffer: header, bytesRead } = await file.read(Buffer.alloc(block), 0, block, start);
    if (bytesRead < block) throw new ArchiveDamaged("it ends too early");
    if (header.every((byte) => byte === 0)) return places;
    const size = Number.parseInt(textAt(header, at.size, at.time), 8);
    if (Number.parseInt(textAt(header, at.checksum, at.type), 8) !== checksumOf(header) || !(size >= 0)) {
      throw new ArchiveDamaged("it is no archive, or its headers are damaged");
    }
    start += block;
    if (start + size > whole) throw new ArchiveDamaged("it ends too early");
    places.set(textAt(header, at.name, at.mode), { start, size });
    start += size + paddingOf(size);
  }
}

function textAt(header: Buffer, from: number, to: number): string {
  return header.toString("utf8", from, to).split("\0", 1)[0]?.trim() ?? "";
}

async function* contentAt(file: FileHandle, { start, size }: Place): AsyncGenerator<Buffer> {
  const chunk = 256 * 1024;
  for (let done = 0; done < size; ) {
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.min(chunk, size - done)),
      0,
      undefined,
      start + done,
    );
    if (bytesRead === 0) throw new ArchiveDamaged("it ends too early");
    done += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
