import { MINUTE } from "#server/base/clock.ts";
import { type Cell, type Kind, offsetIn, type Table, withoutControls } from "./table.ts";

/** The UTF-8 byte order mark, without which spreadsheets assume another encoding. */
const byteOrderMark = "\uFEFF";

export async function* writeCsv({ columns, timeZone, pages }: Table): AsyncGenerator<string> {
  const kinds = columns.map(({ kind }) => kind);
  const offset = offsetIn(timeZone);
  yield byteOrderMark + csvRow(columns.map(({ header }) => header));
  for await (const rows of pages) yield rows.map((cells) => csvRow(cells, kinds, offset)).join("");
}

/**
 * A row in the format of RFC 4180, with its line end.
 * @internal
 */
export function csvRow(cells: readonly Cell[], kinds: readonly Kind[] = [], offset = offsetIn("UTC")): string {
  return `${cells.map((cell, at) => csvCell(cell, kinds[at], offset)).join(",")}\r\n`;
}

/** Prefixes text that a spreadsheet would run as a formula with an apostrophe. Our own numbers stay numbers. */
function csvCell(cell: Cell, kind: Kind = "text", offset: ReturnType<typeof offsetIn>): string {
  if (cell === null) return "";
  if (cell instanceof Date) return kind === "day" ? cell.toISOString().slice(0, 10) : isoIn(cell, offset(cell));
  if (typeof cell === "number") return kind === "money" ? cell.toFixed(2) : String(cell);
  if (typeof cell === "boolean") return String(cell);
  const clean = withoutControls(cell).replaceAll(afterSeparator, "$1'");
  const safe = /^[\s\u00A0\uFEFF]*[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** "2026-01-31T01:00:00.000+01:00", and "Z" in UTC. */
function isoIn(instant: Date, offset: number): string {
  if (offset === 0) return instant.toISOString();
  const minutes = Math.abs(offset) / MINUTE;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0"));
  const local = new Date(instant.getTime() + offset).toISOString().slice(0, -1);
  return `${local}${offset < 0 ? "-" : "+"}${hour}:${minute}`;
}

/** A spreadsheet of another language begins a cell after a semicolon, a tab or a bar. */
const afterSeparator = /([;\t|][\s\u00A0\uFEFF]*)(?=[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])/g;
