import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { pageOf, paging, reason } from "./admin.ts";

/** How the ledgers can differ: the gateway's from ours, or ours in themselves. */
export const DiscrepancyKind = z.enum([
  "unknown-here",
  "not-recorded",
  "unknown-there",
  "amount-differs",
  "not-settled",
  "disputed",
  "returned-elsewhere",
  "reference-differs",
  "refund-reference-differs",
  "outcomes-unknown",
  "refund-failed",
  "refund-missing",
  "void-settled",
  "credit-unlinked",
  "dispute-won",
  "grant-missing",
  "grant-unpaid",
  "attempt-missing",
  "purchase-not-completed",
  "amount-changed",
  "end-unfounded",
  "credit-unfounded",
  "payment-unresolved",
  "refund-unresolved",
  "coupon-count",
  "coupon-use",
  "tier-cache",
]);
export type DiscrepancyKind = z.infer<typeof DiscrepancyKind>;

export const Discrepancy = z
  .object({
    id: z.string(),
    kind: DiscrepancyKind,
    title: z.string(),
    transactionId: z.string().nullable(),
    purchaseId: z.string().nullable(),
    userId: z.string().nullable(),
    sentence: z.string().describe("What is wrong, for whom and about which purchase"),
    expected: z.string().nullable().describe("US dollars by our books"),
    found: z.string().nullable().describe("US dollars by the gateway's"),
    foundAt: z.iso.datetime(),
    resolvedAt: z.iso.datetime().nullable(),
    resolution: z.string().nullable(),
    actions: z
      .array(
        z.object({
          action: z.string(),
          label: z.string(),
          effect: z.string().describe("On money and access"),
        }),
      )
      .describe("What repairs it while it is open, the default first"),
  })
  .meta({ id: "Discrepancy" });
export type Discrepancy = z.infer<typeof Discrepancy>;

/** Shown with an open discrepancy that has no actions, since only comparisons repair it. */
export const repairFailed = "The repair failed. The log says why, and the next comparison tries again.";

export const Reconciliation = pageOf(Discrepancy)
  .extend({
    lastRunAt: z.iso.datetime().nullable(),
    lastError: z.string().nullable(),
    checked: z.int().describe("Transactions of the last run"),
  })
  .meta({ id: "Reconciliation" });
export type Reconciliation = z.infer<typeof Reconciliation>;

export const ReconciliationQuery = z.strictObject({ state: z.enum(["open", "repaired"]).optional(), ...paging });
export type ReconciliationQuery = z.infer<typeof ReconciliationQuery>;

export const getReconciliation = endpoint({
  method: "GET",
  path: "/api/admin/reconciliation",
  summary: "Where the gateway's books and ours differ, newest first, a page of them; repaired ones of the last 90 days",
  permission: "money:read",
  query: ReconciliationQuery,
  reply: Reconciliation,
});

export const runReconciliation = endpoint({
  method: "POST",
  path: "/api/admin/reconciliation/run",
  summary: "Compares the books now. Answers with the first page",
  permission: "money:settle",
  withoutFreshSignIn: "Only compares",
  body: z.strictObject({}),
  reply: Reconciliation,
});

export const Repair = z.strictObject({
  discrepancyId: z.string().min(1).max(40),
  action: z.string().min(1).max(40).optional().describe("Without it the first one of the kind"),
  charge: z.string().trim().min(1).max(40).optional().describe("For link-credit: the transaction of the charge"),
  reason,
});

export const repairDiscrepancy = endpoint({
  method: "POST",
  path: "/api/admin/reconciliation/repair",
  summary: "Repairs one discrepancy by an action of its kind. Answers with the first page",
  permission: "money:settle",
  body: Repair,
  reply: Reconciliation,
});
