import { cx } from "class-variance-authority";
import type { ComponentProps, ReactNode } from "react";
import { Chart } from "#ui/chart.tsx";
import { Panel } from "../panel.tsx";

interface ChartPanelProps extends ComponentProps<typeof Chart> {
  aside?: ReactNode;
  /** Explains the numbers, below the chart. */
  note?: ReactNode;
}

/** A chart, with its numbers in a table. */
export function ChartPanel({ aside, note, ...props }: ChartPanelProps) {
  const { title, points, series, format } = props;
  return (
    <Panel title={title} aside={aside}>
      <Chart {...props} />
      {note && <p className="mt-4 text-fine text-ink-soft">{note}</p>}
      <details className="mt-5 text-sm">
        <summary className="w-fit text-ink-soft underline decoration-1 underline-offset-4 hover:text-ink">
          {title} as a table
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
        <section aria-label={`${title}, table`} tabIndex={0} className="mt-3 max-h-80 overflow-auto">
          <table className="w-full text-left">
            <thead className="sticky top-0 bg-surface">
              <tr className="border-ink border-b">
                <th scope="col" className="py-1.5 pr-4 font-semibold">
                  When
                </th>
                {series.map(({ label }) => (
                  <th key={label} scope="col" className="px-4 py-1.5 text-right font-semibold">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map((point, at) => (
                <tr key={point} className="border-line border-b">
                  <th scope="row" className="py-1.5 pr-4 font-normal">
                    {point}
                  </th>
                  {series.map(({ label, values }) => (
                    <td
                      key={label}
                      className={cx("px-4 py-1.5 text-right tabular-nums", !values[at] && "text-ink-soft")}
                    >
                      {format(values[at] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </Panel>
  );
}
