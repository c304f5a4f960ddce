export interface Limits {
  readonly mostRows: number;
  readonly mostColumns: number;
  /** Unpacked. */
  readonly mostBytes: number;
  /** In all cells. */
  readonly mostCharacters: number;
}

export interface ReadFile {
  readonly columns: readonly string[];
  /** Without empty ones; as many cells as columns. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

export interface FileFault {
  readonly fault: "empty" | "no-rows" | "binary" | "unreadable" | "columns" | "rows" | "too-large";
}

/** Reads a list in CSV or XLSX. */
export async function readList(content: Buffer, limits: Limits): Promise<ReadFile | FileFault> {
  if (content.length === 0) return { fault: "empty" };
  // Older Office files, and newer ones with a password.
  if (content.subarray(0, 4).toString("hex") === "d0cf11e0") return { fault: "unreadable" };
  try {
    const isZip = content.subarray(0, 4).toString("latin1") === "PK\u0003\u0004";
    if (isZip && sizeUnpacked(content) > limits.mostBytes) return { fault: "too-large" };
    if (isZip) return await collect(rowsOfWorkbook(content, 2 * limits.mostRows), limits);
    const text = textOf(content);
    // Pictures and other formats have characters that no text has.
    return /^%PDF|\0/.test(text) ? { fault: "binary" } : await collect(rowsOfText(text), limits);
  } catch {
    return { fault: "unreadable" };
  }
}

async function collect(
  rows: AsyncIterable<string[]>,
  { mostRows, mostColumns, mostCharacters }: Limits,
): Promise<ReadFile | FileFault> {
  let columns: string[] | null = null;
  const found: { line: number; cells: string[] }[] = [];
  let line = 0;
  let characters = 0;
  for await (const cells of rows) {
    line++;
    if (cells.every((cell) => cell.trim() === "")) continue;
    if (!columns) {
      if (cells.length > mostColumns) return { fault: "columns" };
      columns = cells.map((cell) => cell.trim());
      continue;
    }
    if (found.length === mostRows) return { fault: "rows" };
    const kept = columns.map((_, at) => cells[at] ?? "");
    // A text that a workbook states once can stand in each of its cells.
    characters += kept.reduce((sum, cell) => sum + cell.length, 0);
    if (characters > mostCharacters) return { fault: "too-large" };
    found.push({ line, cells: kept });
  }
  if (!columns) return { fault: "empty" };
  return found.length > 0 ? { columns, rows: found } : { fault: "no-rows" };
}

/**
 * The sum of the sizes that the archive's directory states. The reader unpacks no part to more than it states, so this
 * refuses a small file that would fill the memory.
 */
function sizeUnpacked(zip: Buffer): number {
  // The record at the end has 22 bytes and a comment.
  const end = zip.lastIndexOf("PK\u0005\u0006", zip.length - 22, "latin1");
  if (end < 0) throw new Error("the archive has no end");
  const entries = zip.readUInt16LE(end + 10);
  const [size, start] = [zip.readUInt32LE(end + 12), zip.readUInt32LE(end + 16)];
  // Its directory is described elsewhere (ZIP64).
  if (entries === 0xffff || size === 0xffffffff || start === 0xffffffff) return Number.POSITIVE_INFINITY;
  let at = start;
  let sum = 0;
  for (let left = entries; left > 0; left--) {
    if (zip.readUInt32LE(at) !== 0x02014b50) return Number.POSITIVE_INFINITY;
    const [packed, unpacked] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)];
    // Such a part would be unpacked without a limit.
    sum += unpacked === 0 && packed > 2 ? Number.POSITIVE_INFINITY : unpacked;
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return sum;
}

/** Of the first sheet. @param mostLines with empty rows */
async function* rowsOfWorkbook(content: Buffer, mostLines: number): AsyncGenerator<string[]> {
  const { streamXlsxRows } = await import("hucre/xlsx");
  let last = -1;
  for await (const { index, values } of streamXlsxRows(content, { sheet: 0 })) {
    // Keeps the line numbers of the sheet, which leaves out empty rows.
    while (++last < index && last < mostLines) yield [];
    last = index;
    yield values.map((value) => (value instanceof Date ? dateText(value) : String(value ?? "")));
  }
}

/** "2027-01-31", and with a time "2027-01-31T10:00:00.000Z". */
function dateText(value: Date): string {
  return value.toISOString().replace("T00:00:00.000Z", "");
}

async function* rowsOfText(text: string): AsyncGenerator<string[]> {
  const { streamCsvRows } = await import("hucre/csv");
  for (const row of streamCsvRows(text, { delimiter: delimiterOf(text) })) yield row.map(plainText);
}

/** Without the apostrophe that our own files put in front of what a spreadsheet would run as a formula. */
function plainText(cell: unknown): string {
  return String(cell ?? "").replace(/^'(?=\s*[=+\-@])/, "");
}

/** UTF-8, UTF-16 in both orders, with a mark or not, or Windows-1252. */
function textOf(content: Buffer): string {
  const start = content.subarray(0, 2000);
  const hasMark = (bytes: string) => start.toString("hex").startsWith(bytes);
  // Most letters of an address are of ASCII, so every second byte is zero.
  const zeros = (from: number) => start.filter((byte, at) => at % 2 === from && byte === 0).length;
  const isWide = zeros(0) + zeros(1) > start.length / 4;
  if (hasMark("fffe") || (isWide && zeros(1) > zeros(0))) return new TextDecoder("utf-16le").decode(content);
  if (hasMark("feff") || isWide) return new TextDecoder("utf-16be").decode(content);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    return new TextDecoder("windows-1252").decode(content);
  }
}

/** The separator that occurs most in the first line, outside of quotation marks. */
function delimiterOf(text: string): string {
  const [head = ""] = text
    .replaceAll(/"[^"]*"/g, "")
    .trimStart()
    .split(/[\r\n]/, 1);
  const count = (sign: string) => head.split(sign).length;
  return [",", ";", "\t"].toSorted((a, b) => count(b) - count(a))[0] ?? ",";
}
