import { type FileHandle, open } from "node:fs/promises";
import type { ResourceFormat } from "#contract/resources.ts";

/**
 * Detects the format by the first and last bytes and the table of contents. Unpacks nothing, and reads only a few
 * kilobytes.
 */
export async function isOfFormat(path: string, format: ResourceFormat): Promise<boolean> {
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

const checks: Readonly<Record<ResourceFormat, (bytes: Bytes) => Promise<boolean>>> = {
  pdf: isPdf,
  zip: async (bytes) => (await findDirectory(bytes)) !== null,
  xlsx: (bytes) => isOfficeZip(bytes, "xl/workbook.xml"),
  docx: (bytes) => isOfficeZip(bytes, "word/document.xml"),
  xls: (bytes) => isOle(bytes, ["Workbook", "Book"]),
  doc: (bytes) => isOle(bytes, ["WordDocument"]),
  rar: isRar,
};

async function read({ file }: Bytes, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function isPdf(bytes: Bytes): Promise<boolean> {
  const start = await read(bytes, 0, 8);
  const end = await read(bytes, Math.max(0, bytes.size - 1024), 1024);
  return /^%PDF-[12]\./.test(start.toString("latin1")) && end.includes("%%EOF");
}

/** RAR 4 and 5. */
async function isRar(bytes: Bytes): Promise<boolean> {
  const start = (await read(bytes, 0, 8)).toString("latin1");
  return bytes.size > 20 && (start.startsWith("Rar!\x1a\x07\x00") || start === "Rar!\x1a\x07\x01\x00");
}

const endOfDirectory = 22;
const maxCommentBytes = 65_535;
const maxDirectoryBytes = 1024 * 1024;

/** Null unless the whole file is a complete archive. */
async function findDirectory(bytes: Bytes): Promise<{ offset: number; length: number } | null> {
  if ((await read(bytes, 0, 4)).toString("latin1") !== "PK\x03\x04") return null;
  const tailAt = Math.max(0, bytes.size - endOfDirectory - maxCommentBytes);
  const tail = await read(bytes, tailAt, endOfDirectory + maxCommentBytes);
  for (let at = tail.length - endOfDirectory; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== 0x06054b50) continue;
    const commentLength = tail.readUInt16LE(at + 20);
    const length = tail.readUInt32LE(at + 12);
    const offset = tail.readUInt32LE(at + 16);
    const isWhole = at + endOfDirectory + commentLength === tail.length && offset + length <= tailAt + at;
    if (isWhole && (await read(bytes, offset, 4)).toString("latin1") === "PK\x01\x02") return { offset, length };
  }
  return null;
}

/** An Office document is a zip archive that lists its content types and its main part. */
async function isOfficeZip(bytes: Bytes, mainPart: string): Promise<boolean> {
  const directory = await findDirectory(bytes);
  if (!directory || directory.length > maxDirectoryBytes) return false;
  const entries = await read(bytes, directory.offset, directory.length);
  const names = new Set<string>();
  for (let at = 0; at + 46 <= entries.length && entries.readUInt32LE(at) === 0x02014b50; ) {
    const nameLength = entries.readUInt16LE(at + 28);
    names.add(entries.toString("utf8", at + 46, at + 46 + nameLength));
    at += 46 + nameLength + entries.readUInt16LE(at + 30) + entries.readUInt16LE(at + 32);
  }
  return names.has("[Content_Types].xml") && names.has(mainPart);
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
