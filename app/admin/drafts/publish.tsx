import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, faultsIn, isRefusal } from "#app/api/api.ts";
import { getAcademy } from "#contract/academy.ts";
import { publishContent } from "#contract/admin/content.ts";
import type { DescribedChange } from "#contract/lesson-changes.ts";
import { useOutcome } from "../act.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { showAcademy } from "../content/show-academy.ts";
import type { Line } from "./lines.ts";

/** With the versions on this page: the server refuses others, because nobody has reviewed them. */
export const only = (lines: readonly Line[]) => ({
  only: lines.map(({ kind, id, version }) => ({ kind, id, version })),
});

/** Drafts that the server refused to publish until somebody has answered, with the reason by id. */
interface Asked {
  lines: readonly Line[];
  reasons: ReturnType<typeof faultsIn>;
}

/** What changed for students, by lesson; null: nothing to tell. */
export type Described = Readonly<Record<string, DescribedChange | null>>;

/** Lessons whose other video or captions nobody has described. */
export type Undescribed = Asked;

/** Drafts whose videos may not play or have no captions. */
export interface Doubted extends Asked {
  /** Whether captions are all that is missing. */
  arePlayable: boolean;
  described?: Described;
}

const words = { done: "Published", failed: "Failed to publish" };

interface Answers {
  despite?: string[];
  changes?: Described | undefined;
}

async function publishLines(lines: readonly Line[], answers: Answers = {}) {
  const reply = await api(publishContent, { body: { ...only(lines), ...answers } });
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
  onUndescribed: (undescribed: Undescribed) => void;
  /** Called with the lines as they were shown. */
  onOutdated: (lines: readonly Line[]) => void;
  onDone: () => void;
}

export function usePublish({ onDoubted, onUndescribed, onOutdated, onDone }: Outcomes) {
  const show = useShowPublished();
  const { succeed, fail } = useOutcome(words, () => {
    show();
    onDone();
  });
  return useMutation({
    mutationFn: (lines: readonly Line[]) => publishLines(lines),
    onSuccess: succeed,
    onError(error, lines) {
      if (isRefusal(error, "undescribed-change")) return onUndescribed({ lines, reasons: faultsIn(error) });
      if (isDoubt(error)) return onDoubted(doubtedIn(error, lines));
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

/** Publishes what was described. Videos that may not play or have no captions are asked about next. */
export function usePublishDescribed({ onDoubted, onDone }: Pick<Outcomes, "onDoubted" | "onDone">) {
  const show = useShowPublished();
  const { succeed, fail } = useOutcome(words, () => {
    show();
    onDone();
  });
  return {
    onFailed: fail,
    async publish(lines: readonly Line[], described: Described): Promise<void> {
      try {
        void succeed(await publishLines(lines, { changes: described }));
      } catch (error) {
        if (!isDoubt(error)) throw error;
        onDoubted({ ...doubtedIn(error, lines), described });
      }
    },
  };
}

const isDoubt = (error: unknown) => isRefusal(error, "unplayable-video") || isRefusal(error, "no-captions");

function doubtedIn(error: unknown, lines: readonly Line[]): Doubted {
  return { arePlayable: isRefusal(error, "no-captions"), lines, reasons: faultsIn(error) };
}

export function DoubtedDialog({
  doubted: { arePlayable, lines, reasons, described },
  onDone,
  onClose,
}: DoubtedDialogProps) {
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
      act={() => publishLines(lines, { despite: Object.keys(reasons), changes: described })}
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
