import { SECOND } from "#server/base/clock.ts";

/** What a column may hold. Instants and days are ISO texts, money is US dollars. */
interface Values {
  text: string | null;
  money: number | string | null;
  instant: string | null;
  day: string | null;
  number: number;
  boolean: boolean;
}
export type Kind = keyof Values;

/** Its header, its kind, and its value: a field of the row, or a function of it. The time zone follows the header of an instant or a day. */
export type Column<Row> = {
  [K in Kind]: readonly [header: string, kind: K, value: FieldOf<Row, Values[K]> | ((row: Row) => Values[K])];
}[Kind];
type FieldOf<Row, Value> = { [Field in keyof Row]: Row[Field] extends Value ? Field : never }[keyof Row];

export type Cell = string | number | boolean | Date | null;

/** A list as both formats write it: its columns, the number of its rows, and their cells, page by page. */
export interface Table {
  readonly columns: readonly { readonly header: string; readonly kind: Kind }[];
  readonly total: number;
  /** The zone of all instants and days. */
  readonly timeZone: string;
  readonly pages: AsyncGenerator<readonly (readonly Cell[])[]>;
}

/** The number of rows, and the rows themselves, page by page. */
export interface Rows<Row> {
  readonly total: number;
  readonly pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

export function tableOf<Row>(columns: readonly Column<Row>[], { total, pages }: Rows<Row>, timeZone: string): Table {
  return {
    columns: columns.map(([name, kind]) => ({ header: hasZone(kind) ? `${name} (${timeZone})` : name, kind })),
    total,
    timeZone,
    pages: cellsOf(columns, pages),
  };
}

function hasZone(kind: Kind): boolean {
  return kind === "instant" || kind === "day";
}

async function* cellsOf<Row>(columns: readonly Column<Row>[], pages: Rows<Row>["pages"]): Table["pages"] {
  for await (const rows of pages) {
    yield rows.map((row) =>
      columns.map(([, kind, value]) =>
        cellOf(kind, (typeof value === "function" ? value(row) : row[value]) as Values[Kind]),
      ),
    );
  }
}

function cellOf(kind: Kind, value: Values[Kind]): Cell {
  if (value === null) return null;
  if (hasZone(kind)) return new Date(value as string);
  return kind === "money" ? Number(value) : value;
}

/** The offset of a time zone at an instant, in milliseconds. */
export function offsetIn(timeZone: string): (instant: Date) => number {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return (instant) =>
    Date.parse(`${format.format(instant).replace(" ", "T")}Z`) - Math.floor(instant.getTime() / SECOND) * SECOND;
}

/** Without control characters, except tabs and line ends. No format can hold them all. */
export function withoutControls(text: string): string {
  return text.replaceAll(controls, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g;
