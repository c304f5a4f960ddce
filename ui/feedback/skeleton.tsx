import { cx } from "class-variance-authority";

/** A placeholder. Its class sets the size. Hidden from screen readers. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx("skeleton", className)} />;
}
