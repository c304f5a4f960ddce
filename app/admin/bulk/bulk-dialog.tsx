import { useQuery } from "@tanstack/react-query";
import { api, messageOf } from "#app/api/api.ts";
import { queryOf, uncached } from "#app/api/query.ts";
import { useResumable } from "#app/identity/resumable.ts";
import {
  type BulkAction,
  type BulkKind,
  type BulkOperation,
  type BulkPreview,
  maxWithoutTyping,
  previewBulkAction,
  startBulkAction,
  type UserSelection,
} from "#contract/admin/bulk-actions.ts";
import { Field, Input } from "#ui/controls/field.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { randomId } from "#ui/random-id.ts";
import { peopleWords } from "../batches/batch-words.ts";
import { CountList } from "../batches/count-list.tsx";
import { GiftFields, useGift } from "../gift-fields.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { countsOf, kindWords } from "./bulk-words.ts";

interface BulkDialogProps {
  kind: BulkKind;
  selection: UserSelection;
  onClose: () => void;
  onStarted: (action: BulkAction) => void;
}

const descriptions: Readonly<Record<BulkKind, string>> = {
  grant: "The course opens at once, and nothing is charged. Nobody is given less than they have.",
  hold: "The course closes, and nothing is charged until an account is reactivated. Each is told by mail.",
  suspend: "The course closes at once, and nothing is charged until an account is reactivated. Each is told by mail.",
  reactivate:
    "The course opens again. Nothing is charged by it; a subscription gets a new date for its next charge. Each is told by mail.",
};

/** Previews what an action would do to the selected users, and starts it. */
export function BulkDialog({ kind, selection, onClose, onStarted }: BulkDialogProps) {
  const gift = useGift("basic");
  const operation: BulkOperation = kind === "grant" ? { kind, tier: gift.tier, ...gift.end } : { kind };
  const preview = useQuery({
    ...queryOf(previewBulkAction, { body: { selection, operation } }),
    ...uncached,
    enabled: !(kind === "grant" && gift.isIncomplete),
  });
  const [typed, setTyped] = useResumable("typed-count", "");
  // Stays the same until the action has started: pressing again, even after a lost response, does not start it twice.
  const [id] = useResumable("bulk-action", randomId());
  const concerned = preview.data?.concerned ?? 0;
  const isTypingNeeded = concerned > maxWithoutTyping;
  const isTyped = !isTypingNeeded || typed.replaceAll(/\D/g, "") === String(concerned);
  const words = kindWords[kind];
  return (
    <ReasonDialog
      title={words.title}
      description={descriptions[kind]}
      confirm={
        preview.data ? `${words.confirm} ${kind === "grant" ? "to " : ""}${peopleWords(concerned)}` : words.confirm
      }
      isDangerous={words.isDangerous}
      isReasonRequired={kind === "suspend"}
      reasonHint={kind === "hold" || kind === "suspend" ? "Each of them is shown it." : undefined}
      isIncomplete={!preview.data || preview.isFetching || concerned === 0 || !isTyped}
      act={async (reason) => {
        const asked = { selection, operation, reason, preview: preview.data?.preview ?? "" };
        const started = await api(startBulkAction, { params: { id }, body: asked }).catch((error) => {
          preview.refetch();
          throw error;
        });
        onStarted(started);
      }}
      words={{ done: "It is being done", failed: "Failed to begin" }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {kind === "grant" && <GiftFields gift={gift} isTierOpen error={faults.endsAt} />}
          <Preview
            kind={kind}
            preview={preview.isFetching ? undefined : preview.data}
            failure={preview.error && messageOf(preview.error, "The preview did not load. Try again in a moment.")}
          />
          {isTypingNeeded && (
            <Field label={`Type ${formatCount(concerned)} to confirm how many they are`}>
              <Input
                inputMode="numeric"
                autoComplete="off"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            </Field>
          )}
        </>
      )}
    </ReasonDialog>
  );
}

interface PreviewProps {
  kind: BulkKind;
  preview: BulkPreview | undefined;
  failure: string | null;
}

function Preview({ kind, preview, failure }: PreviewProps) {
  return (
    <div aria-live="polite" className="min-h-24 rounded-sm bg-sunken px-4 py-3">
      {failure ? (
        <p className="font-semibold text-danger text-sm">{failure}</p>
      ) : preview ? (
        <>
          <p>
            Of {peopleWords(preview.people)}, <strong>{formatCount(preview.concerned)}</strong>{" "}
            {kindWords[kind].outcome}.
          </p>
          <CountList rows={countsOf(preview.skipped)} />
          {preview.endsSubscriptions > 0 && (
            <p className="mt-2 text-sm">
              {peopleWords(preview.endsSubscriptions)} of them now pay for a subscription, which renews no more. Undoing
              does not bring it back.
            </p>
          )}
        </>
      ) : (
        <p className="text-ink-soft text-sm">Counting…</p>
      )}
    </div>
  );
}
