import { api } from "#app/api/api.ts";
import { useForm } from "#app/api/use-form.ts";
import { FormField } from "#app/editing/form-field.tsx";
import {
  type Claim,
  ClaimEvidence,
  type ClaimRecord,
  exemptClaim,
  recordClaim,
  removeClaimRecord,
} from "#contract/admin/claims.ts";
import { named } from "#ui/academy.ts";
import { useActForm } from "../act-form.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { FormDialog } from "../form-dialog.tsx";
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
      title={claims.length === 1 ? "Remove 1 claim from all pages?" : `Remove ${claims.length} claims from all pages?`}
      description="They disappear from all pages and search data right away. You can restore them."
      confirm="Remove"
      isDangerous
      form={form}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section aria-label="Claims to remove" tabIndex={0} className="max-h-60 overflow-y-auto rounded-sm bg-sunken p-4">
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
  const form = useActForm(ClaimEvidence, {
    kept: `evidence-${claim.id}`,
    saved: { claimId: claim.id, note: "", link: "", date: "", version: claim.version },
    send: (body, version) => api(recordClaim, { query: { version }, body: { ...body, claimId: claim.id } }),
    words: { done: "Proof saved", failed: "Failed to save the proof" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Add proof"
      description={<span className="line-clamp-4">{named(claim.text)}</span>}
      confirm="Save proof"
      onClose={onClose}
    >
      <FormField
        form={form}
        name="note"
        label="Proof"
        hint="What you have and where it is, such as the reviews on file. It counts until the text changes."
      />
      <FormField form={form} name="link" label="Link to it (optional)" />
      <FormField form={form} name="date" label="Date of the proof" />
    </FormDialog>
  );
}

export function ExemptDialog({ claim, onClose }: { claim: Claim; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Mark as needing no proof?"
      description="Only claims that aren’t about people, prices or results need no proof, for example “At your own pace”. The mark stops counting when the text changes. The audit log keeps who marked it."
      confirm="Mark"
      act={() => api(exemptClaim, { query: { version: claim.version }, body: { claimId: claim.id } })}
      words={{ done: "Marked as needing no proof", failed: "Failed to mark the claim" }}
      onClose={onClose}
    >
      <p className="line-clamp-4 text-sm wrap-anywhere">{named(claim.text)}</p>
    </ConfirmDialog>
  );
}

export function DropRecordDialog({ record, onClose }: { record: ClaimRecord; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={record.isExemption ? "Remove this mark?" : "Delete this proof?"}
      description={
        record.isExemption
          ? "The claim then needs proof, unless your data proves it."
          : "The claim then needs other proof, unless your data proves it. The audit log keeps what this one said."
      }
      confirm={record.isExemption ? "Remove mark" : "Delete proof"}
      isDangerous
      act={() => api(removeClaimRecord, { params: { id: record.id } })}
      words={
        record.isExemption
          ? { done: "Mark removed", failed: "Failed to remove the mark" }
          : { done: "Proof deleted", failed: "Failed to delete the proof" }
      }
      onClose={onClose}
    />
  );
}
