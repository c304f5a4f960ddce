import type { BulkPreview } from "#contract/admin/bulk-actions.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { reasonOf } from "./bulk-words.ts";

/** How many users are left out, by reason. */
export function SkippedList({ skipped }: { skipped: BulkPreview["skipped"] }) {
  if (skipped.length === 0) return null;
  return (
    <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
      {skipped.map(({ reason, people }) => (
        <div key={reason} className="col-span-2 grid grid-cols-subgrid items-baseline">
          <dd className="order-first text-right font-bold tabular-nums">{formatCount(people)}</dd>
          <dt className="text-ink-soft">{reasonOf(reason)}</dt>
        </div>
      ))}
    </dl>
  );
}
