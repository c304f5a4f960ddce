import { useRef, useState } from "react";
import { queryOf } from "#app/api/query.ts";
import { getContent } from "#contract/admin/content.ts";
import { Button } from "#ui/controls/button.tsx";
import { OpenAll } from "#ui/controls/open-all.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { AdminPage } from "../admin-page.tsx";
import { OldNamesPanel } from "../content/old-names-panel.tsx";
import { useLoaded } from "../loaded.tsx";
import { Panel } from "../panel.tsx";
import { DescribeDialog } from "./describe-dialog.tsx";
import { DiscardDialog } from "./discard-dialog.tsx";
import { DraftLine, isLong } from "./draft-line.tsx";
import { isSame, type Line, linesOf } from "./lines.ts";
import { type Doubted, DoubtedDialog, type Undescribed, usePublish } from "./publish.tsx";

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
  const [undescribed, setUndescribed] = useState<Undescribed | null>(null);
  /** The lines as they were when the server refused them, because somebody had changed one. */
  const [outdated, setOutdated] = useState<readonly Line[]>([]);
  // The button that was pressed is gone.
  const focusTop = () => top.current?.focus();
  const publish = usePublish({
    onDoubted: setDoubted,
    onUndescribed: setUndescribed,
    onOutdated: setOutdated,
    onDone: focusTop,
  });
  if (!data) return instead;
  const groups = linesOf(data);
  const all = groups.flatMap(({ lines }) => lines);
  const pending = publish.isPending ? publish.variables : [];
  return (
    <div ref={top} tabIndex={-1} className="grid max-w-4xl gap-6 outline-none">
      {all.length === 0 ? (
        <p className="border-line border-y py-12 text-center">
          No unpublished changes. What you save under Content, Automatic emails, Pages and Settings appears here first.
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
      {undescribed && (
        <DescribeDialog
          undescribed={undescribed}
          onDoubted={setDoubted}
          onDone={focusTop}
          onClose={() => setUndescribed(null)}
        />
      )}
      {doubted && <DoubtedDialog doubted={doubted} onDone={focusTop} onClose={() => setDoubted(null)} />}
      {discarding && (
        <DiscardDialog lines={discarding} others={all} onDone={focusTop} onClose={() => setDiscarding(null)} />
      )}
    </div>
  );
}
