import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { Skeleton } from "#ui/feedback/skeleton.tsx";

export interface Figure {
  label: string;
  /** Undefined while it is loading. */
  value: ReactNode | undefined;
  note?: ReactNode;
}

/** Key numbers in one band. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <section aria-label={label}>
      <dl
        className={cx(
          "grid gap-px overflow-hidden rounded-md border border-line bg-line",
          figures.length === 3 ? "sm:grid-cols-3" : "grid-cols-2 lg:grid-cols-4",
        )}
      >
        {figures.map(({ label: name, value, note }) => (
          <div key={name} className="row-span-2 grid grid-rows-subgrid gap-3 bg-surface p-4 sm:p-5">
            <dt className="printed text-ink-soft">{name}</dt>
            <dd>
              {value === undefined ? (
                <Skeleton className="h-9 w-24" />
              ) : (
                <span className="narrow block text-title tabular-nums max-[23rem]:text-xl max-sm:text-2xl">
                  {value}
                </span>
              )}
              <span className="mt-1 block min-h-5 text-fine text-ink-soft">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
