import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, faultsIn, isRefusal } from "#app/api/api.ts";
import { getAcademy } from "#contract/academy.ts";
import { publishContent } from "#contract/admin/content.ts";
import { useOutcome } from "../act.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { showAcademy } from "../content/show-academy.ts";
import type { Line } from "./lines.ts";

/** With the versions on this page: the server refuses others, because nobody has reviewed them. */
export const only = (lines: readonly Line[]) => ({
  only: lines.map(({ kind, id, version }) => ({ kind, id, version })),
});

/** Drafts whose videos may not play or have no captions, with the reason by id. */
export interface Doubted {
  /** Whether captions are all that is missing. */
  arePlayable: boolean;
  lines: readonly Line[];
  reasons: ReturnType<typeof faultsIn>;
}

const words = { done: "Published", failed: "Failed to publish" };

async function publishLines(lines: readonly Line[], despite?: string[]) {
  const reply = await api(publishContent, { body: { ...only(lines), despite } });
  // The open document shows the academy's settings, texts and plan names too, and would otherwise keep the old ones.
  if (lines.some(({ kind }) => ["settings", "copy", "plan"].includes(kind))) showAcademy(await api(getAcademy));
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

interface Outcomes {
  onDoubted: (doubted: Doubted) => void;
  /** Called with the lines as they were shown. */
  onOutdated: (lines: readonly Line[]) => void;
  onDone: () => void;
}

export function usePublish({ onDoubted, onOutdated, onDone }: Outcomes) {
  const show = useShowPublished();
  const { succeed, fail } = useOutcome(words, () => {
    show();
    onDone();
  });
  return useMutation({
    mutationFn: (lines: readonly Line[]) => publishLines(lines),
    onSuccess: succeed,
    onError(error, lines) {
      const arePlayable = isRefusal(error, "no-captions");
      if (arePlayable || isRefusal(error, "unplayable-video")) {
        return onDoubted({ arePlayable, lines, reasons: faultsIn(error) });
      }
      if (isRefusal(error, "conflict")) onOutdated(lines);
      fail(error, false);
    },
  });
}

interface DoubtedDialogProps {
  doubted: Doubted;
  onDone: () => void;
  onClose: () => void;
}

export function DoubtedDialog({ doubted: { arePlayable, lines, reasons }, onDone, onClose }: DoubtedDialogProps) {
  const show = useShowPublished();
  return (
    <ConfirmDialog
      title={arePlayable ? "Publish without captions?" : "Publish with these videos?"}
      description={
        arePlayable
          ? "You can add captions later. The checklist reminds you."
          : "Students may not be able to watch them."
      }
      confirm="Publish anyway"
      isDangerous
      act={() => publishLines(lines, Object.keys(reasons))}
      words={words}
      onDone={() => {
        show();
        onClose();
        onDone();
      }}
      onClose={onClose}
    >
      <ul className="grid gap-2 text-sm">
        {lines
          .filter(({ id }) => reasons[id])
          .map(({ kind, id, title }) => (
            <li key={`${kind} ${id}`} className="wrap-anywhere">
              <strong>{title}</strong>: {reasons[id]}
            </li>
          ))}
      </ul>
    </ConfirmDialog>
  );
}
