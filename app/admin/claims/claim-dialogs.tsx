import { api, faultsIn } from "#app/api/api.ts";
import { type Faults, type Typed, useForm } from "#app/api/use-form.ts";
import { type Claim, type ClaimRecord, recordClaim, removeClaimRecord } from "#contract/admin/claims.ts";
import { Field, Input, Textarea } from "#ui/controls/field.tsx";
import { useAct } from "../act.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { useWithdraw } from "./claim-actions.ts";

interface WithdrawDialogProps {
  claims: readonly Claim[];
  onMoved: (ids: readonly string[]) => void;
  onClose: () => void;
}

export function WithdrawDialog({ claims, onMoved, onClose }: WithdrawDialogProps) {
  const withdraw = useWithdraw(({ moved }) => {
    onMoved(moved);
    onClose();
  });
  const form = useForm({ send: () => withdraw.mutateAsync(null) });
  return (
    <ActionDialog
      title={claims.length === 1 ? "Take 1 claim off all pages?" : `Take ${claims.length} claims off all pages?`}
      description="From the next request on they stand on no page, in no structured data and in no answer. You can put them back."
      confirm="Take them off"
      isDangerous
      form={form}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section aria-label="What goes" tabIndex={0} className="max-h-60 overflow-y-auto rounded-sm bg-sunken p-4">
        <ul className="grid gap-2 text-sm">
          {claims.map(({ id, text }) => (
            <li key={id} className="line-clamp-2 wrap-anywhere">
              {text}
            </li>
          ))}
        </ul>
      </section>
    </ActionDialog>
  );
}

export function RecordDialog({ claim, onClose }: { claim: Claim; onClose: () => void }) {
  const showFailure = (error: Error) => form.show(faultsIn(error));
  const act = useAct(
    ({ note = "", link = "", date = "" }: Typed) =>
      api(recordClaim, {
        query: { version: claim.version },
        body: { claimId: claim.id, note, link: link.trim(), date },
      }),
    { done: "Record kept", failed: "Failed to keep the record" },
    onClose,
    undefined,
    showFailure,
  );
  const form = useForm({ check: ({ note, date }) => missing({ note, date }), send: (typed) => act.mutateAsync(typed) });
  return (
    <ActionDialog
      title="Add a record"
      description={<span className="line-clamp-4">{claim.text}</span>}
      confirm="Keep the record"
      form={form}
      onClose={onClose}
    >
      <Field
        name="note"
        label="What backs it"
        hint="What you have and where it lies, such as the reviews on file. It backs the claim as it is worded today."
        error={form.faults.note}
      >
        <Textarea rows={3} required maxLength={2000} />
      </Field>
      <Field name="link" label="Link to it (optional)" error={form.faults.link}>
        <Input type="url" maxLength={500} />
      </Field>
      <Field name="date" label="Day of the evidence" error={form.faults.date}>
        <Input type="date" required />
      </Field>
    </ActionDialog>
  );
}

function missing(fields: Typed): Faults {
  const empty = Object.keys(fields).filter((name) => !fields[name]?.trim());
  return Object.fromEntries(empty.map((name) => [name, "Required"]));
}

export function DropRecordDialog({ record, onClose }: { record: ClaimRecord; onClose: () => void }) {
  const act = useAct(
    () => api(removeClaimRecord, { params: { id: record.id } }),
    { done: "Record dropped", failed: "Failed to drop the record" },
    onClose,
  );
  const form = useForm({ send: () => act.mutateAsync() });
  return (
    <ActionDialog
      title="Drop this record?"
      description="The claim counts as not backed, unless our data or another record back it. The audit log keeps what the record said."
      confirm="Drop"
      isDangerous
      form={form}
      onClose={onClose}
    />
  );
}
