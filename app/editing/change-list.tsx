import { cx } from "class-variance-authority";
import { type Change, changesBetween } from "./changes.ts";

/** Lists the fields that differ, with their old and new values. */
export function ChangeList({ before, after }: { before: unknown; after: unknown }) {
  return <Changes changes={changesBetween(before, after)} />;
}

export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <dl className="mt-2 grid rounded-sm bg-sunken px-3 py-1 text-fine">
      {changes.map(({ field, before: was, after: is }) => (
        <div key={field} className="grid gap-x-4 py-1 sm:grid-cols-[10rem_minmax(0,1fr)]">
          <dt className="text-ink-soft wrap-anywhere">{field}</dt>
          <dd className="whitespace-pre-wrap wrap-anywhere">
            {was !== null && (
              <del className={cx("text-ink-soft decoration-1", hasLines(was, is) && "block")}>{was}</del>
            )}
            {was !== null && is !== null && !hasLines(was, is) && <span className="px-2 text-ink-soft">→</span>}
            {is !== null && <ins className={cx("font-semibold no-underline", hasLines(was, is) && "block")}>{is}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const hasLines = (...texts: (string | null)[]) => texts.some((text) => text?.includes("\n"));
