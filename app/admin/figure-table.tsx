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
  /** For three figures: in narrow containers they are below their name, so that nothing scrolls. */
  isStacked?: boolean;
}

/**
 * Figures to compare: rows stay rows on every screen. Where they are wider or longer, they scroll beside their names and
 * below their headings.
 */
export function FigureTable<Row>({ caption, details, columns, rows, rowKey, isStacked }: FigureTableProps<Row>) {
  const [name, ...figures] = columns;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: changing a table's CSS display removes them
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section aria-label={`${caption}, table`} tabIndex={0} className="end-fade @container max-h-200 overflow-auto">
      <table
        role="table"
        className={cx("w-full border-separate border-spacing-0 text-sm", isStacked && "@max-lg:block")}
      >
        <caption className="sr-only">{details ? `${caption}: ${details}` : caption}</caption>
        <thead role="rowgroup" className={cx(isStacked && "@max-lg:block")}>
          <tr role="row" className={cx(isStacked && stackedRow)}>
            <th
              scope="col"
              role="columnheader"
              className={cx(heading, "left-0 z-20 w-full min-w-30 text-left", isStacked && "@max-lg:sr-only")}
            >
              {name?.label}
            </th>
            {figures.map(({ key, label }) => (
              <th
                key={key}
                scope="col"
                role="columnheader"
                className={cx(heading, "z-10 pl-6 text-right", isStacked && stackedCell)}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className={cx("[&>:last-child>*]:border-b-0", isStacked && "@max-lg:block")}>
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" className={cx(isStacked && stackedRow)}>
              <th
                scope="row"
                role="rowheader"
                className={cx(
                  "sticky left-0 z-10 border-line border-b bg-surface py-2.5 text-left font-bold",
                  isStacked && "@max-lg:col-span-full @max-lg:border-b-0 @max-lg:pb-0 @max-lg:font-normal",
                )}
              >
                {name?.cell(row)}
              </th>
              {figures.map(({ key, cell }) => (
                <td
                  key={key}
                  role="cell"
                  className={cx(
                    "whitespace-nowrap border-line border-b py-2.5 pl-6 text-right tabular-nums last:pr-1",
                    isStacked && `@max-lg:pt-0.5 @max-lg:text-base ${stackedCell}`,
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}

const heading =
  "sticky top-0 whitespace-nowrap border-ink border-b-2 bg-surface py-2 font-semibold text-fine text-ink-soft last:pr-1";

const stackedRow = "@max-lg:grid @max-lg:grid-cols-3";

const stackedCell = "@max-lg:pl-0 @max-lg:text-left";
