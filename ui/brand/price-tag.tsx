import { cx } from "class-variance-authority";
import type { ReactNode } from "react";

interface PriceTagProps {
  /** Yellow, for the highlighted one of several tags. */
  loud?: boolean;
  /** Outlined in red, for the tag that the URL names. */
  marked?: boolean;
  className?: string;
  children: ReactNode;
}

/** A swing tag with cut corners and a punched hole, as large as its content. */
export function PriceTag({ loud, marked, className, children }: PriceTagProps) {
  return (
    <div data-marked={marked ?? false} className={cx("swing-tag-frame relative", className)}>
      <div className={cx("swing-tag scheme-light", loud ? "bg-tag text-tag-ink" : "bg-surface text-ink")}>
        {children}
      </div>
    </div>
  );
}
