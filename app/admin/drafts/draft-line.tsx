import { Link } from "react-router";
import { Changes } from "#app/editing/change-list.tsx";
import type { Change } from "#app/editing/changes.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { Nothing } from "../panel.tsx";
import { isSame, type Line } from "./lines.ts";

interface DraftLineProps {
  line: Line;
  others: readonly Line[];
  /** As it was shown before somebody changed it. */
  earlier: Line | undefined;
  isPending: boolean;
  onPublish: (lines: readonly Line[]) => void;
  onDiscard: (lines: readonly Line[]) => void;
}

export function DraftLine({ line, others, earlier, isPending, onPublish, onDiscard }: DraftLineProps) {
  const { what, title, isNew, isHidden, by, at, to } = line;
  const needed = others.filter((other) => line.needs.some((key) => isSame(key, other)));
  const together = [line, ...needed];
  return (
    <li className="grid gap-3 border-line border-b py-4 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-60 text-sm">
          <p className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
            <span className="text-ink-soft">{what}</span>
            <Link to={to} className="font-bold underline underline-offset-4">
              {title}
            </Link>
            {isNew && <Badge>New</Badge>}
            {isHidden && <span className="text-ink-soft">Not visible to students</span>}
          </p>
          <p className="mt-1 text-fine text-ink-soft">
            {by && `${by}, `}
            {formatTimestamp(at)}
          </p>
          {needed.length > 0 && (
            <p className="mt-1 text-fine wrap-anywhere">
              Needs {needed.map((one) => `the new ${one.what.toLowerCase()} “${one.title}”`).join(" and ")}.
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="quiet" size="small" aria-label={`Discard ${title}`} onClick={() => onDiscard([line])}>
            Discard
          </Button>
          <Button
            variant="outline"
            size="small"
            aria-label={
              needed.length > 0
                ? `${publishWords(together)}: ${together.map((one) => one.title).join(", ")}`
                : `Publish ${title}`
            }
            pending={isPending}
            onClick={() => onPublish(together)}
          >
            {publishWords(together)}
          </Button>
        </div>
      </div>
      {earlier && (
        <section
          aria-label="Changed meanwhile"
          className="rounded-sm border-2 border-danger bg-danger-soft p-4 text-sm"
        >
          <p className="font-semibold">
            {by ?? "Someone"} changed this draft after you opened this page. Review what is new, then publish it.
          </p>
          <Changes changes={line.changesFrom(earlier.draft)} />
        </section>
      )}
      <LineChanges line={line} />
    </li>
  );
}

const publishWords = ({ length }: readonly Line[]) =>
  length === 1 ? "Publish" : length === 2 ? "Publish both" : `Publish all ${length}`;

/** Longer changes are folded, so that the page stays an overview. */
export function isLong(changes: readonly Change[]): boolean {
  const characters = changes.reduce((sum, { before, after }) => sum + (before ?? "").length + (after ?? "").length, 0);
  return changes.length > 6 || characters > 1200;
}

function LineChanges({ line: { kind, title, changesFrom } }: { line: Line }) {
  const changes = changesFrom();
  if (changes.length === 0) {
    return (
      <Nothing>{kind === "email" ? "Removes wording that can’t be used anymore." : "Only its order changes."}</Nothing>
    );
  }
  if (!isLong(changes)) return <Changes changes={changes} />;
  return (
    <details>
      <summary className="w-fit min-h-8 content-center text-fine underline underline-offset-4">
        {formatCountOf(changes.length, "change")}
        <span className="sr-only"> of {title}</span>
      </summary>
      <Changes changes={changes} />
    </details>
  );
}
