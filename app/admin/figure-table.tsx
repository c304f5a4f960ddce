import { cx } from "class-variance-authority";
import type { Column } from "#ui/table.tsx";

interface FigureTableProps<Row> {
  /** Names the table for screen readers. Not visible. */
  caption: string;
  /** What the table compares. Completes the caption. */
  details?: string;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/**
 * Figures to compare: rows stay rows on every screen. Where they are wider or longer, they scroll beside their names and
 * below their headings.
 */
export function FigureTable<Row>({ caption, details, columns, rows, rowKey }: FigureTableProps<Row>) {
  const [name, ...figures] = columns;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section aria-label={`${caption}, table`} tabIndex={0} className="max-h-200 overflow-auto">
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">{details ? `${caption}: ${details}` : caption}</caption>
        <thead>
          <tr>
            <th scope="col" className={cx(heading, "left-0 z-20 w-full min-w-30 text-left")}>
              {name?.label}
            </th>
            {figures.map(({ key, label }) => (
              <th key={key} scope="col" className={cx(heading, "z-10 pl-6 text-right")}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&>:last-child>*]:border-b-0">
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              <th scope="row" className="sticky left-0 z-10 border-line border-b bg-surface py-2.5 text-left font-bold">
                {name?.cell(row)}
              </th>
              {figures.map(({ key, cell }) => (
                <td
                  key={key}
                  className="whitespace-nowrap border-line border-b py-2.5 pl-6 text-right tabular-nums last:pr-1"
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const heading =
  "sticky top-0 whitespace-nowrap border-ink border-b-2 bg-surface py-2 font-semibold text-fine text-ink-soft last:pr-1";
