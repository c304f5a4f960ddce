import { cva, cx, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";

const cardStyle = cva("relative", {
  variants: {
    tone: {
      plain: "rounded-md border border-line bg-surface",
      raised: "rounded-md border border-line bg-surface shadow-card",
      sunken: "rounded-md bg-sunken",
      kraft: "rounded-md bg-kraft-soft",
      dark: "rounded-md bg-rail text-rail-ink",
    },
    padding: { none: "", small: "p-4", medium: "p-5 sm:p-7", large: "p-6 sm:p-10" },
  },
  defaultVariants: { tone: "plain", padding: "medium" },
});

/** A panel of label stock or cardboard. */
export function Card({ tone, padding, className, ...rest }: ComponentProps<"div"> & VariantProps<typeof cardStyle>) {
  return <div className={cx(cardStyle({ tone, padding }), className)} {...rest} />;
}
