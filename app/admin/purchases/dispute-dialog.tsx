import { useQuery } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { type AdminPurchase, DisputedCharge, getPurchaseDetail, recordDispute } from "#contract/admin/purchases.ts";
import { formatDollars } from "#contract/money.ts";
import { formatShortDay } from "#ui/format/dates.ts";
import { useActForm } from "../act-form.ts";
import { FormDialog } from "../form-dialog.tsx";
import { attemptKinds } from "./payment-words.tsx";

/** The purchase comes from the page. */
const Typed = DisputedCharge.omit({ purchaseId: true });

/** Records a dispute by hand, because the gateway does not always report it. */
export function DisputeDialog({ purchase, onClose }: { purchase: AdminPurchase; onClose: () => void }) {
  const { data } = useQuery(queryOf(getPurchaseDetail, { params: { purchaseId: purchase.id } }));
  const charges = (data?.attempts ?? []).filter(({ state }) => state === "approved");
  const form = useActForm(Typed, {
    about: `dispute ${purchase.id}`,
    saved: { chargeId: undefined, reason: "" },
    send: (body) => api(recordDispute, { body: { chargeId: charges[0]?.id, ...body, purchaseId: purchase.id } }),
    words: { done: "Dispute recorded", failed: "Failed to record the dispute" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Record a dispute by ${purchase.userName}`}
      description="The student’s bank took back a charge. We’ll subtract it from your revenue, end access and renewals, and email the student."
      confirm="Record the dispute"
      isDangerous
      isIncomplete={charges.length === 0}
      isReasonRequired
      reasonHint="How you know about it. Saved in the audit log. Don’t enter names or addresses."
      onClose={onClose}
    >
      <FormField
        form={form}
        name="chargeId"
        label="Charge"
        options={charges.map(({ id, kind, sentAt, amount }) => [
          id,
          `${attemptKinds[kind]} of ${formatShortDay(sentAt)}, ${formatDollars(amount)}`,
        ])}
      />
    </FormDialog>
  );
}
