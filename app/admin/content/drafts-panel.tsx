import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, faultsIn, isRefusal } from "#app/api/api.ts";
import { ChangeList } from "#app/editing/change-list.tsx";
import { getAcademy } from "#contract/academy.ts";
import { discardDrafts, publishContent } from "#contract/admin/content.ts";
import { fieldsOf } from "#contract/entries.ts";
import { Button } from "#ui/controls/button.tsx";
import { useOutcome } from "../act.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { Panel } from "../panel.tsx";
import type { Draft } from "./items.ts";
import { showAcademy } from "./show-academy.ts";

/** The drafts, to publish or to discard. Each is compared field by field with what the pages show now. */
export function DraftsPanel({ drafts }: { drafts: readonly Draft[] }) {
  const [isDiscarding, setIsDiscarding] = useState<readonly Draft[] | null>(null);
  const [doubted, setDoubted] = useState<DoubtedDrafts | null>(null);
  const publish = usePublish(setDoubted);
  if (drafts.length === 0) return null;
  const isPublishing = (draft: Draft) =>
    publish.isPending && publish.variables.length === 1 && publish.variables[0] === draft;
  return (
    <Panel
      title={drafts.length === 1 ? "1 change waits to be published" : `${drafts.length} changes wait to be published`}
      aside={
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" size="small" disabled={publish.isPending} onClick={() => setIsDiscarding(drafts)}>
            Discard all
          </Button>
          <Button
            variant="tag"
            size="small"
            pending={publish.isPending && publish.variables.length === drafts.length}
            onClick={() => publish.mutate(drafts)}
          >
            Publish all
          </Button>
        </div>
      }
    >
      <ul>
        {drafts.map((draft) => (
          <li key={`${draft.kind} ${draft.id}`} className="border-line border-b py-3 last:border-b-0">
            <details>
              <summary className="flex list-none flex-wrap items-center justify-between gap-3 text-sm">
                <span className="min-w-0 wrap-anywhere">
                  <span className="text-ink-soft first-letter:uppercase">{draft.kind}</span>{" "}
                  <strong>{draft.title}</strong>
                  {!draft.published && " (new)"}
                  {"released" in draft.draft && !draft.draft.released && (
                    <span className="text-ink-soft"> Not visible to students</span>
                  )}
                </span>
                <span className="text-ink-soft underline underline-offset-4">What changes</span>
              </summary>
              <ChangeList before={draft.published && fieldsOf(draft.published)} after={fieldsOf(draft.draft)} />
              <div className="mt-3 flex flex-wrap gap-2">
                <Button size="small" pending={isPublishing(draft)} onClick={() => publish.mutate([draft])}>
                  Publish
                </Button>
                <Button
                  variant="outline"
                  size="small"
                  disabled={publish.isPending}
                  onClick={() => setIsDiscarding([draft])}
                >
                  Discard
                </Button>
              </div>
            </details>
          </li>
        ))}
      </ul>
      {doubted && <DoubtedDialog doubted={doubted} onClose={() => setDoubted(null)} />}
      {isDiscarding && <DiscardDialog drafts={isDiscarding} onClose={() => setIsDiscarding(null)} />}
    </Panel>
  );
}

/** With the versions on this page: the server refuses others, because nobody has reviewed them. */
const only = (drafts: readonly Draft[]) => ({ only: drafts.map(({ kind, id, version }) => ({ kind, id, version })) });

/** Drafts whose videos may not play, with the reason by id. */
interface DoubtedDrafts {
  drafts: readonly Draft[];
  reasons: ReturnType<typeof faultsIn>;
}

const words = { done: "Published", failed: "Failed to publish" };

async function publishDrafts(drafts: readonly Draft[], despite?: string[]) {
  const reply = await api(publishContent, { body: { ...only(drafts), despite } });
  // The open document shows the academy's settings, texts and plan names too, and would otherwise keep the old ones.
  if (drafts.some(({ kind }) => ["settings", "copy", "plan"].includes(kind))) showAcademy(await api(getAcademy));
  return reply;
}

function useShowPublished() {
  const queryClient = useQueryClient();
  return () => {
    // The public pages in this document show it too.
    for (const queryKey of [["plans"], ["catalogue"], ["offer"], ["claims"], ["communities"]])
      queryClient.invalidateQueries({ queryKey });
  };
}

function usePublish(onDoubted: (doubted: DoubtedDrafts) => void) {
  const { succeed, fail } = useOutcome(words, useShowPublished());
  return useMutation({
    mutationFn: (drafts: readonly Draft[]) => publishDrafts(drafts),
    onSuccess: succeed,
    onError(error, drafts) {
      if (isRefusal(error, "unplayable-video")) onDoubted({ drafts, reasons: faultsIn(error) });
      else fail(error, false);
    },
  });
}

function DoubtedDialog({ doubted: { drafts, reasons }, onClose }: { doubted: DoubtedDrafts; onClose: () => void }) {
  const show = useShowPublished();
  const named = drafts.filter(({ id }) => reasons[id]);
  return (
    <ConfirmDialog
      title="Publish with these videos?"
      description="Students may not be able to watch them."
      confirm="Publish anyway"
      isDangerous
      act={() => publishDrafts(drafts, Object.keys(reasons))}
      words={words}
      onDone={() => {
        show();
        onClose();
      }}
      onClose={onClose}
    >
      <ul className="grid gap-2 text-sm">
        {named.map(({ kind, id, title }) => (
          <li key={`${kind} ${id}`} className="wrap-anywhere">
            <strong>{title}</strong>: {reasons[id]}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

function DiscardDialog({ drafts, onClose }: { drafts: readonly Draft[]; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={drafts.length === 1 ? `Discard the draft of ${drafts[0]?.title}?` : `Discard ${drafts.length} drafts?`}
      description="The pages stay as they are. You can’t undo this."
      confirm="Discard"
      isDangerous
      act={() => api(discardDrafts, { body: only(drafts) })}
      words={{ done: "Drafts discarded", failed: "Failed to discard the drafts" }}
      onClose={onClose}
    />
  );
}
