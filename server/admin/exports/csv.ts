/** One value of a row; dates and amounts come as the text that stands in the file. */
export type Cell = string | number | boolean | null;

/** The byte order mark of UTF-8: without it, spreadsheets assume another encoding. */
export const byteOrderMark = "\uFEFF";

/** A row as RFC 4180 writes it, with its line end. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/**
 * A text that a spreadsheet would run as a formula gets an apostrophe in front, which spreadsheets show as text;
 * characters that no text has but line ends and tabs are left out. Numbers of ours stay numbers.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const clean = cell.replaceAll(controls, "");
  const safe = /^[\s\u00A0\uFEFF]*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;
