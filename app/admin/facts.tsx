import { cx } from "class-variance-authority";
import type { ReactNode } from "react";

/** Names with their values. Leaves out names without a value. */
export function Facts({
  facts,
  isWide,
}: {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  isWide?: boolean;
}) {
  return (
    <dl className={cx("text-sm", isWide && "gap-x-10 xl:columns-2")}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "")
        .map(([name, value]) => (
          <div
            key={name}
            className="grid break-inside-avoid grid-cols-[min(9rem,36%)_minmax(0,1fr)] gap-x-4 border-line border-b py-2 last:border-b-0"
          >
            <dt className="text-ink-soft">{name}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
