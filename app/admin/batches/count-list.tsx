import { formatCount } from "#ui/format/numbers.ts";

export type CountRow = readonly [count: number, words: string];

/** Numbers of people, each with a reason. Hides those without people. */
export function CountList({ rows }: { rows: readonly CountRow[] }) {
  const shown = rows.filter(([count]) => count > 0);
  if (shown.length === 0) return null;
  return (
    <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
      {shown.map(([count, words]) => (
        <div key={words} className="col-span-2 grid grid-cols-subgrid items-baseline">
          <dd className="order-first text-right font-bold tabular-nums">{formatCount(count)}</dd>
          <dt className="text-ink-soft">{words}</dt>
        </div>
      ))}
    </dl>
  );
}
