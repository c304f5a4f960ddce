/** What a column may hold. Instants and days are ISO texts, days those of UTC, money is US dollars. */
interface Values {
  text: string | null;
  money: number | string;
  instant: string | null;
  day: string | null;
  number: number;
  boolean: boolean;
}
export type Kind = keyof Values;

/** Its header, its kind, and its value: a field of the row, or a function of it. */
export type Column<Row> = {
  [K in Kind]: readonly [header: string, kind: K, value: FieldOf<Row, Values[K]> | ((row: Row) => Values[K])];
}[Kind];
type FieldOf<Row, Value> = { [Field in keyof Row]: Row[Field] extends Value ? Field : never }[keyof Row];

export type Cell = string | number | boolean | Date | null;

/** A list as both formats write it: its columns, the number of its rows, and their cells, page by page. */
export interface Table {
  readonly columns: readonly { readonly header: string; readonly kind: Kind }[];
  readonly total: number;
  readonly pages: AsyncGenerator<readonly (readonly Cell[])[]>;
}

/** The number of rows, and the rows themselves, page by page. */
export interface Rows<Row> {
  readonly total: number;
  readonly pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

export function tableOf<Row>(columns: readonly Column<Row>[], { total, pages }: Rows<Row>): Table {
  return {
    columns: columns.map(([header, kind]) => ({ header, kind })),
    total,
    pages: cellsOf(columns, pages),
  };
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
  if (kind === "instant" || kind === "day") return new Date(value as string);
  return kind === "money" ? Number(value) : value;
}

/** Without control characters, except tabs and line ends. No format can hold them all. */
export function withoutControls(text: string): string {
  return text.replaceAll(controls, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g;
