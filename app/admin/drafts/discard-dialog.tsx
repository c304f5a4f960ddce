import { api } from "#app/api/api.ts";
import { discardDrafts } from "#contract/admin/content.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { isSame, type Line } from "./lines.ts";
import { only } from "./publish.tsx";

interface DiscardDialogProps {
  lines: readonly Line[];
  others: readonly Line[];
  onDone: () => void;
  onClose: () => void;
}

export function DiscardDialog({ lines, others, onDone, onClose }: DiscardDialogProps) {
  const [first] = lines;
  const gone = others.filter(
    (other) => other.kind === "lesson" && !lines.includes(other) && lines.some((line) => needs(other, line)),
  );
  return (
    <ConfirmDialog
      title={lines.length === 1 ? `Discard the draft of “${first?.title}”?` : `Discard ${lines.length} drafts?`}
      description={`The pages stay as they are.${goneWords(gone)} You can’t undo this.`}
      confirm="Discard"
      isDangerous
      act={() => api(discardDrafts, { body: only(lines) })}
      words={{ done: lines.length === 1 ? "Draft discarded" : "Drafts discarded", failed: "Failed to discard" }}
      onDone={() => {
        onClose();
        onDone();
      }}
      onClose={onClose}
    />
  );
}

const needs = (one: Line, other: Line) => one.needs.some((key) => isSame(key, other));

/** Lessons of a module that was never published go with it. */
function goneWords(gone: readonly Line[]): string {
  if (gone.length === 0) return "";
  const titles = gone.map(({ title }) => `“${title}”`).join(", ");
  return gone.length === 1
    ? ` Its new lesson ${titles} is discarded too.`
    : ` Its new lessons ${titles} are discarded too.`;
}
