import { useQuery } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { useResumable } from "#app/identity/resumable.ts";
import { type AdminPurchase, getPurchaseDetail, recordDispute } from "#contract/admin/purchases.ts";
import { formatDollars } from "#contract/money.ts";
import { Field, Select } from "#ui/controls/field.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { ReasonDialog } from "../reason-dialog.tsx";

/** Records a dispute by hand, because the gateway does not always report it. */
export function DisputeDialog({ purchase, onClose }: { purchase: AdminPurchase; onClose: () => void }) {
  const { data } = useQuery(queryOf(getPurchaseDetail, { params: { purchaseId: purchase.id } }));
  const charges = (data?.attempts ?? []).filter(({ state }) => state === "approved");
  const [chosen, setChosen] = useResumable<string | null>("dispute-charge", null);
  const chargeId = chosen ?? charges[0]?.id;
  return (
    <ReasonDialog
      title={`Record a dispute of ${purchase.userName}`}
      description="A bank took the money of a charge back. It is taken off the revenue, the access ends, nothing renews, and the student is told."
      confirm="Record the dispute"
      isDangerous
      isIncomplete={!chargeId}
      isReasonRequired
      reasonHint="How you know about it. Saved in the audit log. Don't enter names or addresses."
      act={(reason = "") => api(recordDispute, { body: { purchaseId: purchase.id, chargeId, reason } })}
      words={{ done: "Dispute recorded", failed: "Failed to record the dispute" }}
      onClose={onClose}
    >
      <Field label="Charge">
        <Select value={chargeId} onChange={(event) => setChosen(event.target.value)}>
          {charges.map(({ id, kind, sentAt, amount }) => (
            <option key={id} value={id}>
              {kind === "initial" ? "First payment" : "Renewal"} of {formatShortDay(sentAt)}, {formatDollars(amount)}
            </option>
          ))}
        </Select>
      </Field>
    </ReasonDialog>
  );
}
