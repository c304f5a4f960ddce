import { type Cell, type Kind, offsetIn, type Table, withoutControls } from "./table.ts";

/** The format of a kind's cells, and their width in characters, which a date needs to be shown. */
const looks: Readonly<Record<Kind, { readonly numFmt?: string; readonly width: number }>> = {
  text: { numFmt: "@", width: 24 },
  money: { numFmt: '"$"#,##0.00', width: 13 },
  instant: { numFmt: "yyyy-mm-dd hh:mm", width: 18 },
  day: { numFmt: "yyyy-mm-dd", width: 12 },
  number: { width: 10 },
  boolean: { width: 10 },
};

/** A workbook in bytes, read while it is sent. What is more than a sheet can hold is on further sheets. */
export async function writeXlsx(name: string, { columns, timeZone, pages }: Table): Promise<AsyncIterable<Uint8Array>> {
  const { writeXlsxStream } = await import("hucre/xlsx");
  const look = ({ header, kind }: Table["columns"][number]) => ({
    header,
    ...looks[kind],
    width: Math.max(looks[kind].width, header.length + 2),
  });
  return writeXlsxStream(rowsOf({ columns, timeZone, pages }), {
    name,
    columns: columns.map(look),
    freezePane: { rows: 1 },
  });
}

async function* rowsOf({ columns, timeZone, pages }: Omit<Table, "total">): AsyncGenerator<Cell[]> {
  const offset = offsetIn(timeZone);
  const write = (cell: Cell, kind: Kind | undefined) => {
    // A workbook's dates have no time zone.
    if (cell instanceof Date && kind === "instant") return new Date(cell.getTime() + offset(cell));
    return typeof cell === "string" ? xlsxText(cell) : cell;
  };
  for await (const rows of pages) {
    for (const cells of rows) yield cells.map((cell, at) => write(cell, columns[at]?.kind));
  }
}

/** The most UTF-16 code units that a cell may have. A spreadsheet calls a file with more damaged. */
const longest = 32_767;
const cutMark = "… (cut)";

/** The library writes it as text, so it needs no apostrophe. */
function xlsxText(text: string): string {
  const clean = withoutControls(text).replaceAll(/\r\n?/g, "\n");
  const whole = clean.length <= longest ? clean : cut(clean);
  // A spreadsheet reads _x0041_ as the character with that number.
  return whole.replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_");
}

function cut(text: string): string {
  return text.slice(0, longest - cutMark.length).replace(/[\uD800-\uDBFF]$/, "") + cutMark;
}
