import { getPurchaseDetail, holdAccount, previewRefund, refundPurchase } from "#contract/admin/purchases.ts";
import { getReconciliation, repairDiscrepancy, runReconciliation } from "#contract/admin/reconciliation.ts";
import type { RunningAcademy } from "./academy.ts";
import type { Visitor } from "./visitor.ts";

/** What an administrator does with purchases and discrepancies. */
export function booksOf(administrator: Visitor) {
  /** Those of these purchases, or all. */
  const open = (purchaseIds: string[]) => (one: { resolvedAt: string | null; purchaseId: string | null }) =>
    one.resolvedAt === null && (purchaseIds.length === 0 || purchaseIds.includes(one.purchaseId ?? ""));
  return {
    /** Compares the books with the gateway's. Returns what is open then, of these purchases or in all. */
    compare: async (...purchaseIds: string[]) =>
      (await administrator.call(runReconciliation, { body: {} })).body.rows.filter(open(purchaseIds)),
    /** The same without a comparison. */
    open: async (...purchaseIds: string[]) =>
      (await administrator.call(getReconciliation)).body.rows.filter(open(purchaseIds)),
    repair: (discrepancyId: string | undefined, action?: string, more: object = {}) =>
      administrator.call(repairDiscrepancy, { body: { discrepancyId, action, reason: "test", ...more } }),
    detailOf: async (purchaseId: string) =>
      (await administrator.call(getPurchaseDetail, { params: { purchaseId } })).body,
    preview: async (purchaseId: string, query: Record<string, string> = {}) =>
      (await administrator.call(previewRefund, { params: { purchaseId }, query })).body,
    refund: (purchaseId: string, more: object = {}) =>
      administrator.call(refundPurchase, { body: { purchaseId, reason: "test", ...more } }),
    /** Puts a student's subscription on hold. */
    hold: async (student: Visitor) => {
      const { subscriptionId } = (await student.subscription()) ?? {};
      return administrator.call(holdAccount, { body: { userId: await student.id(), subscriptionId, reason: "test" } });
    },
  };
}

/** What the gateway charged for a student's purchases, without renewals, the oldest first, in dollars. */
export async function chargedTo(academy: RunningAcademy, student: Visitor): Promise<number[]> {
  const ids = (await student.purchases()).map(({ id }) => id);
  const charges = (await academy.ledger()).filter((row) => ids.includes(row.invoiceNumber) && row.responseCode === "1");
  return charges.map(({ amount }) => Number(amount));
}
