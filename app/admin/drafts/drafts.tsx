import { useRef, useState } from "react";
import { Link } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { Changes } from "#app/editing/change-list.tsx";
import type { Change } from "#app/editing/changes.ts";
import { getContent } from "#contract/admin/content.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { OpenAll } from "#ui/controls/open-all.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatCount, formatCountOf } from "#ui/format/numbers.ts";
import { AdminPage } from "../admin-page.tsx";
import { OldNamesPanel } from "../content/old-names-panel.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { DiscardDialog } from "./discard-dialog.tsx";
import { isSame, type Line, linesOf } from "./lines.ts";
import { type Doubted, DoubtedDialog, usePublish } from "./publish.tsx";

export default function DraftsPage() {
  return (
    <AdminPage
      title="Drafts"
      description="Unpublished changes and who made them, for administrators."
      lead="Nobody outside the team sees these changes yet. Publish or discard them one by one, or all together."
    >
      <Drafts />
    </AdminPage>
  );
}

DraftsPage.queries = () => [queryOf(getContent)];

function Drafts() {
  const { data, instead } = useLoaded(queryOf(getContent), "drafts");
  const top = useRef<HTMLDivElement>(null);
  const [discarding, setDiscarding] = useState<readonly Line[] | null>(null);
  const [doubted, setDoubted] = useState<Doubted | null>(null);
  /** The lines as they were when the server refused them, because somebody had changed one. */
  const [outdated, setOutdated] = useState<readonly Line[]>([]);
  // The button that was pressed is gone.
  const focusTop = () => top.current?.focus();
  const publish = usePublish({ onDoubted: setDoubted, onOutdated: setOutdated, onDone: focusTop });
  if (!data) return instead;
  const groups = linesOf(data);
  const all = groups.flatMap(({ lines }) => lines);
  const pending = publish.isPending ? publish.variables : [];
  return (
    <div ref={top} tabIndex={-1} className="grid max-w-4xl gap-6 outline-none">
      {all.length === 0 ? (
        <p className="rounded-md bg-sunken p-8 text-center text-ink-soft">
          No unpublished changes. What you save under Content, Pages and Settings appears here first.
        </p>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="text-ink-soft text-sm">{all.length === 1 ? "1 draft" : `${formatCount(all.length)} drafts`}</p>
          <div className="flex flex-wrap gap-2">
            <OpenAll list={top} count={all.filter((line) => isLong(line.changesFrom())).length} label="Changes" />
            <Button variant="outline" size="small" disabled={publish.isPending} onClick={() => setDiscarding(all)}>
              Discard all
            </Button>
            <Button
              variant="tag"
              size="small"
              pending={pending.length === all.length}
              onClick={() => publish.mutate(all)}
            >
              Publish all
            </Button>
          </div>
        </div>
      )}
      <OldNamesPanel content={data} />
      {groups.map(({ title, lines }) => (
        <Panel key={title} title={title}>
          <ul>
            {lines.map((line) => (
              <DraftLine
                key={`${line.kind} ${line.id}`}
                line={line}
                others={all}
                earlier={outdated.find((one) => isSame(one, line) && one.version !== line.version)}
                isPending={pending.length < all.length && pending[0]?.kind === line.kind && pending[0].id === line.id}
                onPublish={(lines) => publish.mutate(lines)}
                onDiscard={setDiscarding}
              />
            ))}
          </ul>
        </Panel>
      ))}
      {doubted && <DoubtedDialog doubted={doubted} onDone={focusTop} onClose={() => setDoubted(null)} />}
      {discarding && (
        <DiscardDialog lines={discarding} others={all} onDone={focusTop} onClose={() => setDiscarding(null)} />
      )}
    </div>
  );
}

interface DraftLineProps {
  line: Line;
  others: readonly Line[];
  /** As it was shown before somebody changed it. */
  earlier: Line | undefined;
  isPending: boolean;
  onPublish: (lines: readonly Line[]) => void;
  onDiscard: (lines: readonly Line[]) => void;
}

function DraftLine({ line, others, earlier, isPending, onPublish, onDiscard }: DraftLineProps) {
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
      <LineChanges changes={line.changesFrom()} title={title} />
    </li>
  );
}

const publishWords = ({ length }: readonly Line[]) =>
  length === 1 ? "Publish" : length === 2 ? "Publish both" : `Publish all ${length}`;

/** Longer changes are folded, so that the page stays an overview. */
function isLong(changes: readonly Change[]): boolean {
  const characters = changes.reduce((sum, { before, after }) => sum + (before ?? "").length + (after ?? "").length, 0);
  return changes.length > 6 || characters > 1200;
}

function LineChanges({ changes, title }: { changes: readonly Change[]; title: string }) {
  if (changes.length === 0) return <Nothing>Only its order changes.</Nothing>;
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
