import { cx } from "class-variance-authority";
import type { ComponentProps, ReactNode } from "react";
import { Chart } from "#ui/chart.tsx";
import type { Column } from "#ui/table.tsx";
import { FigureTable } from "../figure-table.tsx";
import { Panel } from "../panel.tsx";

interface ChartPanelProps extends ComponentProps<typeof Chart> {
  aside?: ReactNode;
  /** Explains the numbers, below the chart. */
  note?: ReactNode;
}

/** A chart, with its numbers in a table. */
export function ChartPanel({ aside, note, ...props }: ChartPanelProps) {
  const { title, points, series, format } = props;
  const columns: Column<number>[] = [
    { key: "when", label: "When", cell: (at) => points[at] },
    ...series.map(({ label, values }) => ({
      key: label,
      label,
      cell: (at: number) => <span className={cx(!values[at] && "text-ink-soft")}>{format(values[at] ?? 0)}</span>,
    })),
  ];
  return (
    <Panel title={title} aside={aside}>
      <Chart {...props} />
      {note && <p className="mt-4 text-fine text-ink-soft">{note}</p>}
      <details className="mt-5 text-sm">
        <summary className="w-fit text-ink-soft underline decoration-1 underline-offset-4 hover:text-ink">
          {title} as a table
        </summary>
        <div className="mt-3">
          <FigureTable caption={title} columns={columns} rows={[...points.keys()]} rowKey={String} />
        </div>
      </details>
    </Panel>
  );
}
