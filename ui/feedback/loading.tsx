import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { Spinner } from "#ui/spinner.tsx";

/** Names what is loading. A skeleton follows below. */
export function Loading({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <p role="status" className={cx("printed flex min-h-11 items-center gap-3 text-ink-soft", className)}>
      <Spinner className="text-base" /> {children}
    </p>
  );
}
