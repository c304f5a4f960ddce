import { Link } from "react-router";
import { buttonStyle } from "#ui/controls/button.tsx";
import { formatCount } from "#ui/format/numbers.ts";

/** On the pages that edit drafts: how many wait, and the way to publish them. */
export function DraftsBar({ drafts }: { drafts: number }) {
  if (drafts === 0) return null;
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border-2 border-tag-deep bg-surface py-2 pr-2 pl-4 text-sm">
      <span>
        <strong>{drafts === 1 ? "1 draft" : `${formatCount(drafts)} drafts`}</strong>{" "}
        <span className="text-ink-soft">{drafts === 1 ? "waits" : "wait"} to be published</span>
      </span>
      <Link to="/admin/drafts" className={buttonStyle({ variant: "tag", size: "small" })}>
        Review<span className="sr-only"> drafts</span>
      </Link>
    </p>
  );
}
