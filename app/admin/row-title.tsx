import type { ReactNode } from "react";
import { Link } from "react-router";

export const rowTitleStyle = "font-bold decoration-2 underline-offset-4 hover:underline wrap-anywhere";

interface RowTitleProps {
  to: string;
  /** Of the history entry that the link makes. */
  state?: unknown;
  title: string;
  /** In small letters below. */
  children?: ReactNode;
}

/** What a row is about, which leads to its page. */
export function RowTitle({ to, state, title, children }: RowTitleProps) {
  return (
    <div className="min-w-0">
      <Link to={to} state={state} data-opens className={rowTitleStyle}>
        {title}
      </Link>
      {children && <p className="text-fine text-ink-soft wrap-anywhere">{children}</p>}
    </div>
  );
}

/** Stands below a value of a table, and beside it in a brief row. */
export function ValueNote({ children }: { children: ReactNode }) {
  return <span className="text-fine text-ink-soft @4xl:block"> {children}</span>;
}
