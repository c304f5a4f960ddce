import { cx } from "class-variance-authority";
import { type PointerEvent, useState } from "react";

export interface Series {
  label: string;
  /** One value per point, never negative. Drawn below the axis when `isBelow`. */
  values: readonly number[];
  tone: "tag" | "ink" | "danger";
  isBelow?: boolean;
}

interface ChartProps {
  /** What is measured, for people. */
  title: string;
  /** The labels of the points, such as days, in order. */
  points: readonly string[];
  series: readonly Series[];
  kind?: "bars" | "line";
  format: (value: number) => string;
  /** For the scale, which has less space. Defaults to `format`. */
  formatShort?: (value: number) => string;
}

const fills = {
  tag: "fill-tag stroke-ink",
  ink: "fill-ink stroke-ink",
  danger: "fill-danger stroke-danger",
} as const;
const swatches = { tag: "bg-tag border-ink", ink: "bg-ink border-ink", danger: "bg-danger border-danger" } as const;

/**
 * A chart over time. Shows one point's values in text above it: the one under the pointer, or the one selected with the
 * arrow keys, because the chart is a slider. Starts with the last point.
 */
export function Chart({ title, points, series, kind = "bars", format, formatShort = format }: ChartProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const last = points.length - 1;
  const at = Math.min(chosen ?? last, last);
  const { top, bottom, ticks } = scaleOf(series);
  const isEmpty = series.every(({ values }) => values.every((value) => value === 0));
  const heightOf = (value: number) => ((top - value) / (top - bottom)) * 100;

  function follow(event: PointerEvent<HTMLInputElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const part = (event.clientX - left) / width;
    setChosen(Math.min(last, Math.max(0, Math.floor(part * points.length))));
  }

  const words = series.map(({ label, values }) => `${label} ${format(values[at] ?? 0)}`);
  return (
    <div>
      <dl className="flex flex-wrap items-baseline gap-x-4 gap-y-1 sm:gap-x-6">
        <div className={cx("min-w-32", series.length > 1 && "max-sm:w-full")}>
          <dt className="sr-only">When</dt>
          <dd className="font-bold text-sm">{points[at]}</dd>
        </div>
        {series.map(({ label, values, tone }) => (
          <div key={label} className="flex items-baseline gap-2 text-sm">
            <dt className="flex items-center gap-2 text-ink-soft">
              <span aria-hidden="true" className={cx("size-2.5 border", swatches[tone])} />
              {label}
            </dt>
            <dd className="font-bold tabular-nums">{format(values[at] ?? 0)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        <div aria-hidden="true" className="relative min-w-12">
          {ticks.map((tick) => (
            <span
              key={tick}
              className="printed absolute right-0 -translate-y-1/2 whitespace-nowrap text-ink-soft"
              style={{ top: `${heightOf(tick)}%` }}
            >
              {formatShort(tick)}
            </span>
          ))}
          {/* Reserves the width of the widest label. */}
          <span className="printed opacity-0">{formatShort(top)}</span>
        </div>
        <div
          className={cx(
            "relative rounded-sm has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-4",
            isEmpty ? "h-20" : "h-44 sm:h-56",
          )}
        >
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${points.length} 100`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full overflow-visible"
          >
            {ticks.map((tick) => (
              <line
                key={tick}
                x1={0}
                x2={points.length}
                y1={heightOf(tick)}
                y2={heightOf(tick)}
                vectorEffect="non-scaling-stroke"
                className={tick === 0 ? "stroke-ink" : "stroke-line"}
              />
            ))}
            <rect x={at} y={0} width={1} height={100} className="fill-ink opacity-8" />
            {series.map((one) =>
              kind === "line" ? (
                <Line key={one.label} series={one} heightOf={heightOf} />
              ) : (
                <Bars key={one.label} points={points} series={one} heightOf={heightOf} />
              ),
            )}
          </svg>
          <input
            type="range"
            aria-label={`${title}, point by point`}
            aria-valuetext={`${points[at]}: ${words.join(", ")}`}
            min={0}
            max={last}
            value={at}
            onChange={(event) => setChosen(Number(event.target.value))}
            onPointerMove={follow}
            className="absolute inset-0 size-full cursor-crosshair opacity-0"
          />
        </div>
        <div
          aria-hidden="true"
          className="printed @container col-start-2 mt-2 flex justify-between gap-4 text-ink-soft"
        >
          {[...new Set([0, Math.floor(last / 2), last])].map((point) => (
            // Phones only have space for the first and the last label.
            <span key={point} className="last:text-right not-first:not-last:@max-xs:hidden">
              {points[point]}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

interface DrawnProps {
  series: Series;
  heightOf: (value: number) => number;
}

function Bars({ points, series: { values, tone, isBelow }, heightOf }: DrawnProps & { points: readonly string[] }) {
  const ground = heightOf(0);
  return values.map((value, at) => {
    const end = heightOf(isBelow ? -value : value);
    return value === 0 ? null : (
      <rect
        key={points[at]}
        x={at + 0.18}
        width={0.64}
        y={Math.min(ground, end)}
        height={Math.abs(end - ground)}
        vectorEffect="non-scaling-stroke"
        className={fills[tone]}
      />
    );
  });
}

function Line({ series: { values, tone }, heightOf }: DrawnProps) {
  const path = values.map((value, at) => `${at + 0.5},${heightOf(value)}`).join(" ");
  return (
    <polyline
      points={path}
      vectorEffect="non-scaling-stroke"
      className={cx("fill-none stroke-[2.5]", tone === "danger" ? "stroke-danger" : "stroke-ink")}
    />
  );
}

/** The bounds of all values, and the ticks between them, including 0. */
function scaleOf(series: readonly Series[]): { top: number; bottom: number; ticks: number[] } {
  const highest = Math.max(0, ...series.filter(({ isBelow }) => !isBelow).flatMap(({ values }) => values));
  const lowest = Math.max(0, ...series.filter(({ isBelow }) => isBelow).flatMap(({ values }) => values));
  const step = roundStep(Math.max(highest, lowest) / 3);
  const top = Math.max(1, Math.ceil(highest / step)) * step;
  // Below zero, only as much space as the values need.
  const bottom = lowest * -1.05;
  const ticks = [];
  for (let tick = top; tick >= bottom; tick -= step) ticks.push(tick);
  return { top, bottom, ticks };
}

/** Rounds up to one of 1, 2, 5, 10, 20, 50 … At least 1. */
function roundStep(size: number): number {
  if (size <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= size) ?? 10);
}
