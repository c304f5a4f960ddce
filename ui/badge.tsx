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

/** "Opens September 25"; without a time, "Coming soon". The server doesn't know the reader's time zone and takes the academy's. */
export function OpensAt({ at }: { at: string | null }) {
  const isHydrated = useHydrated();
  return at ? (
    <time dateTime={at}>{formatOpening(at, isHydrated ? undefined : (academy().timeZone ?? "UTC"))}</time>
  ) : (
    "Coming soon"
  );
}

/** "Checked October 3, 2026", in the zone that `OpensAt` takes. */
export function CheckedAt({ at }: { at: string }) {
  const isHydrated = useHydrated();
  return (
    <p className="text-fine text-ink-soft">
      Checked <time dateTime={at}>{formatDay(at, isHydrated ? undefined : (academy().timeZone ?? "UTC"))}</time>
    </p>
  );
}
