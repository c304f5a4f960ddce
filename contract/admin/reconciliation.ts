import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { reason } from "./admin.ts";

/** How the gateway's books and ours can differ. */
const breakKinds = [
  "unknown-here",
  "not-recorded",
  "unknown-there",
  "amount-differs",
  "not-settled",
  "disputed",
  "returned-elsewhere",
] as const;

export const BreakKind = z.enum(breakKinds);
export type BreakKind = z.infer<typeof BreakKind>;

/** What each kind is, and the one action that mends it, in the administrator's words. */
export const breakWords: Readonly<Record<BreakKind, { readonly title: string; readonly action: string }>> = {
  "unknown-here": { title: "Charged at the gateway, unknown here", action: "Return the money" },
  "not-recorded": { title: "Charged at the gateway, failed here", action: "Complete the purchase" },
  "unknown-there": { title: "Completed here, unknown at the gateway", action: "End the access" },
  "amount-differs": { title: "Another amount at the gateway", action: "Take over the gateway's amount" },
  "not-settled": { title: "Approved, but never settled", action: "End the access" },
  disputed: { title: "Charged back by the card holder", action: "End the access" },
  "returned-elsewhere": { title: "Refunded or voided outside the academy", action: "Record the refund" },
};

export const ReconciliationBreak = z
  .object({
    id: z.string(),
    kind: BreakKind,
    transactionId: z.string().nullable(),
    purchaseId: z.string().nullable(),
    expected: z.string().nullable().describe("US dollars by our books"),
    found: z.string().nullable().describe("US dollars by the gateway's"),
    foundAt: z.iso.datetime(),
    resolvedAt: z.iso.datetime().nullable(),
    resolution: z.string().nullable(),
  })
  .meta({ id: "ReconciliationBreak" });
export type ReconciliationBreak = z.infer<typeof ReconciliationBreak>;

export const Reconciliation = z
  .object({
    lastRunAt: z.iso.datetime().nullable(),
    lastError: z.string().nullable(),
    checked: z.int().describe("Transactions of the last run"),
    breaks: z.array(ReconciliationBreak).describe("Open ones first, newest first; mended ones of the last 90 days"),
  })
  .meta({ id: "Reconciliation" });
export type Reconciliation = z.infer<typeof Reconciliation>;

export const getReconciliation = endpoint({
  method: "GET",
  path: "/api/admin/reconciliation",
  summary: "Where the gateway's books and ours differ",
  reply: Reconciliation,
});

export const runReconciliation = endpoint({
  method: "POST",
  path: "/api/admin/reconciliation/run",
  summary: "Compares the books now",
  body: z.strictObject({}),
  reply: Reconciliation,
});

export const mendBreak = endpoint({
  method: "POST",
  path: "/api/admin/reconciliation/mend",
  summary: "Mends one break by the action of its kind",
  body: z.strictObject({ breakId: z.string().min(1).max(40), reason }),
  reply: Reconciliation,
});
