import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { Barcode } from "#ui/brand/bars.tsx";
import { Spinner } from "#ui/spinner.tsx";

interface StateCardProps {
  title: string;
  children?: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
  /** Why the content is missing: `loading` animates the bars, and `failed` is announced at once. */
  tone?: "empty" | "loading" | "failed" | "held";
  /** 1 when the page has no other content. */
  level?: 1 | 2 | 3;
  className?: string;
}

const bands = { empty: "bg-kraft", loading: "bg-tag", failed: "bg-danger", held: "bg-danger" } as const;

/** Explains why there is no content: loading, failed, empty, on hold. */
export function StateCard({ title, children, actions, tone = "empty", level = 2, className }: StateCardProps) {
  const Heading = `h${level}` as const;
  return (
    <div
      role={tone === "failed" ? "alert" : tone === "loading" ? "status" : undefined}
      className={cx("relative mx-auto w-full max-w-xl rounded-md border border-line bg-surface shadow-card", className)}
    >
      <div className={cx("h-2 rounded-t-md", bands[tone])} />
      <div className="grid gap-4 p-[min(1.5rem,6vw)] sm:p-9">
        <Heading className="wide flex items-center gap-3 text-title max-[22rem]:text-heading">
          {tone === "loading" && <Spinner className="text-base" />}
          {title}
        </Heading>
        {children && <div className="grid gap-3 text-ink-soft text-lead">{children}</div>}
        {actions && <div className="mt-2 flex flex-wrap gap-3">{actions}</div>}
        <Barcode value={title} className="mt-2 h-6 w-28 text-line-strong" />
      </div>
    </div>
  );
}
