import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, messageOf } from "#app/api/api.ts";
import { queryOf, uncached } from "#app/api/query.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { useResumable } from "#app/editing/resumable.ts";
import { type Written, within } from "#app/editing/written.ts";
import {
  type BulkAction,
  type BulkKind,
  type BulkOperation,
  type BulkPreview,
  BulkStart,
  maxWithoutTyping,
  previewBulkAction,
  startBulkAction,
  type UserSelection,
} from "#contract/admin/bulk-actions.ts";
import { academy } from "#ui/academy.ts";
import { Field, Input } from "#ui/controls/field.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { randomId } from "#ui/random-id.ts";
import { useActForm } from "../act-form.ts";
import { peopleWords } from "../batches/batch-words.ts";
import { CountList } from "../batches/count-list.tsx";
import { DurationFields } from "../duration-fields.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { countsOf, kindWords } from "./bulk-words.ts";

interface BulkDialogProps {
  kind: BulkKind;
  selection: UserSelection;
  onClose: () => void;
  onStarted: (action: BulkAction) => void;
}

const descriptions: Readonly<Record<BulkKind, string>> = {
  grant: "The course opens right away, and we don’t charge anything. Nobody gets less than they already have.",
  hold: "The course closes, and we don’t charge anything until you reactivate an account. We email each person.",
  suspend:
    "The course closes right away, and we don’t charge anything until you reactivate an account. We email each person.",
  reactivate:
    "The course opens again. We don’t charge anything now, and each subscription gets a new date for its next charge. We email each person.",
};

/** The rest comes from the page and its preview. */
const Asked = BulkStart.pick({ operation: true, reason: true });

/** Previews what an action would do to the selected users, and starts it. */
export function BulkDialog({ kind, selection, onClose, onStarted }: BulkDialogProps) {
  const about = `bulk action ${JSON.stringify([kind, selection])}`;
  const form = useActForm(Asked, {
    about,
    saved: { operation: kind === "grant" ? { kind, tier: "basic" as const } : { kind }, reason: undefined },
    async send(asked): Promise<BulkAction> {
      const body = { ...asked, selection, preview: preview.data?.preview ?? "" };
      return api(startBulkAction, { params: { id }, body }).catch((error) => {
        preview.refetch();
        throw error;
      });
    },
    words: { done: "Started", failed: "Failed to start" },
    onDone: onStarted,
  });
  const { operation } = form.value;
  const preview = useQuery({
    ...queryOf(previewBulkAction, { body: { selection, operation } }),
    ...uncached,
    enabled: !(operation.kind === "grant" && operation.endsAt === ""),
  });
  const [typed, setTyped] = useState("");
  // Stays the same until the action has started: pressing again, even after a lost response, does not start it twice.
  const [id] = useResumable(`id of ${about}`, randomId);
  const concerned = preview.data?.concerned ?? 0;
  const isTypingNeeded = concerned > maxWithoutTyping;
  const isTyped = !isTypingNeeded || typed.replaceAll(/\D/g, "") === String(concerned);
  const words = kindWords[kind];
  return (
    <FormDialog
      form={form}
      title={words.title}
      description={descriptions[kind]}
      confirm={
        preview.data ? `${words.confirm} ${kind === "grant" ? "to " : ""}${peopleWords(concerned)}` : words.confirm
      }
      isDangerous={words.isDangerous}
      isReasonRequired={kind === "suspend"}
      reasonHint={kind === "hold" || kind === "suspend" ? "Each person sees it." : undefined}
      isIncomplete={!preview.data || preview.isFetching || concerned === 0 || !isTyped}
      onClose={onClose}
    >
      {operation.kind === "grant" && <GrantFields form={within(form, "operation") as Written<Grant>} />}
      <Preview
        kind={kind}
        preview={preview.isFetching ? undefined : preview.data}
        failure={preview.error && messageOf(preview.error, "The preview didn’t load. Try again in a moment.")}
      />
      {isTypingNeeded && (
        <Field label={`Type ${formatCount(concerned)} to confirm`}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}

type Grant = Extract<BulkOperation, { kind: "grant" }>;

function GrantFields({ form }: { form: Written<Grant> }) {
  return (
    <>
      <FormField
        form={{ ...form, change: (changes) => form.change({ ...changes, endsAt: undefined }) }}
        name="tier"
        label="Plan"
        options={Object.entries(academy().planNames)}
      />
      <DurationFields form={form} tier={form.value.tier} />
    </>
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
            <strong>{formatCount(preview.concerned)}</strong> of {peopleWords(preview.people)} {kindWords[kind].outcome}
            .
          </p>
          <CountList rows={countsOf(preview.skipped)} />
          {preview.endsSubscriptions > 0 && (
            <p className="mt-2 text-sm">
              {peopleWords(preview.endsSubscriptions)} of them have a subscription. It won’t renew anymore, even if you
              undo this.
            </p>
          )}
        </>
      ) : (
        <p className="text-ink-soft text-sm">Counting…</p>
      )}
    </div>
  );
}
