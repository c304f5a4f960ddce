import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { Link } from "react-router";

export interface Figure {
  label: string;
  /** Undefined while it is loading. */
  value: ReactNode | undefined;
  /** The list that the value counts. */
  to?: string;
  note?: ReactNode;
}

/** The classes of a number that leads to what it counts. */
export const numberLinkStyle =
  "underline decoration-line-strong decoration-1 underline-offset-4 hover:decoration-2 hover:decoration-current";

/** A placeholder as high as the text that will replace it. */
export function NumberPlaceholder() {
  return (
    <span aria-hidden="true" className="skeleton text-transparent">
      $000.00
    </span>
  );
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
        {figures.map(({ label: name, value, to, note }) => (
          <div
            key={name}
            className={cx(
              "row-span-2 grid grid-rows-subgrid gap-3 bg-surface p-4 sm:p-5",
              figures.length === 3 && "max-sm:flex max-sm:items-baseline max-sm:justify-between max-sm:py-3",
            )}
          >
            <dt className="printed text-ink-soft">{name}</dt>
            <dd className={cx(figures.length === 3 && "max-sm:text-right")}>
              <span className="narrow block text-title tabular-nums max-[23rem]:text-xl max-sm:text-2xl">
                {value === undefined ? (
                  <NumberPlaceholder />
                ) : to ? (
                  <Link to={to} className={numberLinkStyle}>
                    {value}
                  </Link>
                ) : (
                  value
                )}
              </span>
              <span
                className={cx("mt-1 block text-fine text-ink-soft", figures.length === 3 ? "sm:min-h-5" : "min-h-5")}
              >
                {note}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
