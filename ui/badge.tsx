import { cva, cx, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { academy } from "./academy.ts";
import { useHydrated } from "./browser-state.ts";
import { formatDay, formatOpening } from "./format/dates.ts";

const badgeStyle = cva(
  "badge-tag printed inline-flex items-center py-1 xs:whitespace-nowrap pr-2.5 pl-5 font-semibold",
  {
    variants: {
      tone: {
        tag: "bg-tag text-tag-ink",
        ink: "bg-ink text-canvas",
        plain: "bg-line text-ink",
        kraft: "bg-kraft text-kraft-ink",
        stamp: "bg-stamp text-stamp-ink",
        danger: "bg-danger-soft text-danger",
        success: "bg-success-soft text-success",
      },
    },
    defaultVariants: { tone: "plain" },
  },
);

/** One or two words on a small price tag, such as a tier or a status. */
export function Badge({ tone, className, ...rest }: ComponentProps<"span"> & VariantProps<typeof badgeStyle>) {
  return <span className={cx(badgeStyle({ tone }), className)} {...rest} />;
}

/** Undefined means the reader's own. The server doesn't know it and takes the academy's. */
function useTimeZone(): string | undefined {
  return useHydrated() ? undefined : (academy().timeZone ?? "UTC");
}

/** "Opens September 25"; without a time, "Coming soon". */
export function OpensAt({ at }: { at: string | null }) {
  const timeZone = useTimeZone();
  return at ? <time dateTime={at}>{formatOpening(at, timeZone)}</time> : "Coming soon";
}

/** "Checked September 25, 2026": when somebody last checked that a lesson is still right. */
export function Checked({ at }: { at: string }) {
  return <p className="text-fine text-ink-soft">Checked {formatDay(at, useTimeZone())}</p>;
}
