/** A value of a row. Dates and amounts are text already. */
export type Cell = string | number | boolean | null;

/** The UTF-8 byte order mark, without which spreadsheets assume another encoding. */
export const byteOrderMark = "\uFEFF";

/** A row in the format of RFC 4180, with its line end. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe, and drops control characters except
 * line ends and tabs. Our own numbers stay numbers.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const clean = cell.replaceAll(controls, "").replaceAll(afterSeparator, "$1'");
  const safe = /^[\s\u00A0\uFEFF]*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A spreadsheet of another language begins a cell after a semicolon, a tab or a bar. */
const afterSeparator = /([;\t|][\s\u00A0\uFEFF]*)(?=[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;
