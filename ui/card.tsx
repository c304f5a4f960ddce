import { cva, cx, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";

// In forced colors, transparent borders are visible.
const cardStyle = cva("relative", {
  variants: {
    tone: {
      plain: "rounded-md border border-line bg-surface",
      raised: "rounded-md border border-line bg-surface shadow-card",
      sunken: "rounded-md border border-transparent bg-sunken",
      kraft: "rounded-md border border-transparent bg-kraft-soft",
      dark: "rounded-md border border-transparent bg-rail text-rail-ink",
    },
    padding: {
      none: "",
      small: "p-4",
      medium: "p-pad sm:p-[min(1.75rem,5vw)]",
      large: "p-[min(1.5rem,6vw)] sm:p-[min(2.5rem,6vw)]",
    },
  },
  defaultVariants: { tone: "plain", padding: "medium" },
});

/** A panel of label stock or cardboard. */
export function Card({ tone, padding, className, ...rest }: ComponentProps<"div"> & VariantProps<typeof cardStyle>) {
  return <div className={cx(cardStyle({ tone, padding }), className)} {...rest} />;
}
