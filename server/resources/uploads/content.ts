import { type FileHandle, open } from "node:fs/promises";
import { inflateRawSync } from "node:zlib";
import type { ResourceFormat } from "#contract/resources.ts";

/** Why a file is not of its format: it is cut off, it has a password, or it is another kind of file. */
export type Fault = "cut" | "password" | "other";

/**
 * Judges by the first and last bytes and what an archive says of itself. Reads a few kilobytes, and unpacks nothing but
 * the list of an Office document's parts. Null: it is of the format.
 */
export async function findFault(path: string, format: ResourceFormat): Promise<Fault | null> {
  const file = await open(path);
  try {
    const bytes = { size: (await file.stat()).size, file };
    return await checks[format](bytes);
  } finally {
    await file.close();
  }
}

interface Bytes {
  readonly size: number;
  readonly file: FileHandle;
}

type Check = (bytes: Bytes) => Promise<Fault | null>;

const checks: Readonly<Record<ResourceFormat, Check>> = {
  pdf: checkPdf,
  zip: checkZip,
  xlsx: (bytes) => checkOfficeZip(bytes, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
  docx: (bytes) =>
    checkOfficeZip(bytes, "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"),
  xls: async (bytes) => ((await isOle(bytes, ["Workbook", "Book"])) ? null : "other"),
  doc: async (bytes) => ((await isOle(bytes, ["WordDocument"])) ? null : "other"),
  rar: checkRar,
};

async function read({ file, size }: Bytes, position: number, length: number): Promise<Buffer> {
  if (position >= size) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Readers accept a header within the first 1,024 bytes. With a tag in front of it, the file could pass for a page. */
async function checkPdf(bytes: Bytes): Promise<Fault | null> {
  const start = (await read(bytes, 0, 1024)).toString("latin1");
  if (!/^[^<]*?%PDF-[12]\./.test(start)) return "other";
  const end = await read(bytes, Math.max(0, bytes.size - 1024), 1024);
  return end.includes("%%EOF") ? null : "cut";
}

/** RAR 4 and 5. */
async function checkRar(bytes: Bytes): Promise<Fault | null> {
  const start = (await read(bytes, 0, 8)).toString("latin1");
  if (!start.startsWith("Rar!\x1a\x07\x00") && start !== "Rar!\x1a\x07\x01\x00") return "other";
  return bytes.size > 20 ? null : "cut";
}

const endOfDirectory = 22;
const maxCommentBytes = 65_535;
const maxDirectoryBytes = 1024 * 1024;
const maxPartListBytes = 1024 * 1024;

async function isZip(bytes: Bytes): Promise<boolean> {
  return (await read(bytes, 0, 4)).toString("latin1") === "PK\x03\x04";
}

async function checkZip(bytes: Bytes): Promise<Fault | null> {
  if (!(await isZip(bytes))) return "other";
  return (await findDirectory(bytes)) ? null : "cut";
}

/** Null unless the whole file is a complete archive. */
async function findDirectory(bytes: Bytes): Promise<{ offset: number; length: number } | null> {
  const tailAt = Math.max(0, bytes.size - endOfDirectory - maxCommentBytes);
  const tail = await read(bytes, tailAt, endOfDirectory + maxCommentBytes);
  for (let at = tail.length - endOfDirectory; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue;
    const commentLength = tail.readUInt16LE(at + 20);
    const { length, offset } = (await readZip64(bytes, tailAt + at)) ?? {
      length: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    };
    const isWhole = at + endOfDirectory + commentLength === tail.length && offset + length <= tailAt + at;
    if (isWhole && (await read(bytes, offset, 4)).toString("latin1") === "PK\x01\x02") return { offset, length };
  }
  return null;
}

/** An archive with sizes of 64 bits has them before its end record. Null: it has none. */
async function readZip64(bytes: Bytes, endAt: number): Promise<{ offset: number; length: number } | null> {
  const locator = endAt >= 20 ? await read(bytes, endAt - 20, 20) : Buffer.alloc(0);
  if (locator.length < 20 || locator.readUInt32LE(0) !== 0x07064b50) return null;
  const record = await read(bytes, Number(locator.readBigUInt64LE(8)), 56);
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50) return null;
  return { length: Number(record.readBigUInt64LE(40)), offset: Number(record.readBigUInt64LE(48)) };
}

/** An Office document is an archive that lists its parts with their types. One with a password is an older Office file. */
async function checkOfficeZip(bytes: Bytes, mainType: string): Promise<Fault | null> {
  if (await isOle(bytes, ["EncryptedPackage"])) return "password";
  if (!(await isZip(bytes))) return "other";
  const directory = await findDirectory(bytes);
  if (!directory) return "cut";
  if (directory.length > maxDirectoryBytes) return "other";
  const entries = await read(bytes, directory.offset, directory.length);
  const names = new Set<string>();
  let partList = "";
  for (let at = 0; at + 46 <= entries.length && entries.readUInt32LE(at) === 0x02014b50; ) {
    const nameLength = entries.readUInt16LE(at + 28);
    const name = entries.toString("utf8", at + 46, at + 46 + nameLength);
    names.add(`/${name}`.toLowerCase());
    if (name === "[Content_Types].xml") partList = await unpack(bytes, entries.subarray(at));
    at += 46 + nameLength + entries.readUInt16LE(at + 30) + entries.readUInt16LE(at + 32);
  }
  const [main] = partList.match(/<[^<>]*>/g)?.filter((tag) => tag.includes(`"${mainType}"`)) ?? [];
  const part = main && /PartName="([^"]*)"/.exec(main)?.[1];
  return main && (part === undefined || names.has(part.toLowerCase())) ? null : "other";
}

/** A part by its entry in the directory. Empty when it is damaged or too long. */
async function unpack(bytes: Bytes, entry: Buffer): Promise<string> {
  const [method, length, start] = [entry.readUInt16LE(10), entry.readUInt32LE(20), entry.readUInt32LE(42)];
  const header = await read(bytes, start, 30);
  if (header.length < 30 || length > maxPartListBytes) return "";
  const packed = await read(bytes, start + 30 + header.readUInt16LE(26) + header.readUInt16LE(28), length);
  try {
    const part = method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: maxPartListBytes });
    return part.toString(part.readUInt16BE(0) === 0xfffe ? "utf16le" : "utf8").replaceAll("'", '"');
  } catch {
    return "";
  }
}

const oleSignature = "d0cf11e0a1b11ae1";
const maxDirectorySectors = 64;

/** Older Office files are small file systems. Their directory, a chain of sectors, names the document's main stream. */
async function isOle(bytes: Bytes, mainStreams: readonly string[]): Promise<boolean> {
  const header = await read(bytes, 0, 512);
  if (header.length < 512 || header.toString("hex", 0, 8) !== oleSignature) return false;
  const shift = header.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return false;
  const sectorSize = 2 ** shift;
  const sectorAt = (sector: number) => (sector + 1) * sectorSize;
  const perSector = sectorSize / 4;

  let sector = header.readUInt32LE(48);
  for (let seen = 0; seen < maxDirectorySectors && sectorAt(sector) < bytes.size; seen++) {
    const entries = await read(bytes, sectorAt(sector), sectorSize);
    for (let at = 0; at + 128 <= entries.length; at += 128) {
      const nameLength = Math.min(entries.readUInt16LE(at + 64), 64);
      const name = entries.toString("utf16le", at, at + Math.max(0, nameLength - 2));
      if (mainStreams.includes(name)) return true;
    }
    // The allocation table has the next sector of the chain. The header lists the table's first 109 sectors.
    const tableIndex = Math.floor(sector / perSector);
    if (tableIndex >= 109) return false;
    const table = await read(bytes, sectorAt(header.readUInt32LE(76 + 4 * tableIndex)) + 4 * (sector % perSector), 4);
    if (table.length < 4) return false;
    sector = table.readUInt32LE(0);
  }
  return false;
}
