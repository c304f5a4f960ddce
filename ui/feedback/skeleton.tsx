import { cx } from "class-variance-authority";

/** Stands where something will be; give it the size of that by its class. Hidden from screen readers. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx("skeleton", className)} />;
}
