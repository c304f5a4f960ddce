import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { reason } from "./admin.ts";

/** How the ledgers can differ: the gateway's from ours, or ours in themselves. */
const discrepancyKinds = [
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
] as const;

export const DiscrepancyKind = z.enum(discrepancyKinds);
export type DiscrepancyKind = z.infer<typeof DiscrepancyKind>;

/** What an administrator may do about a discrepancy. */
const repairActions = [
  "return-money",
  "complete-purchase",
  "end-access",
  "adopt-amount",
  "record-return",
  "adopt-charge",
  "adopt-refund",
  "give-up-refund",
  "allow-charges",
  "stop-renewal",
  "pay-back",
  "take-back",
  "book-payment",
  "link-credit",
  "dismiss",
  "open-access",
  "end-grant",
  "follow-gateway",
  "follow-ledger",
  "let-stand",
  "end-upgrade",
  "ask-again",
  "count-as-not-charged",
  "count-again",
  "follow-purchases",
] as const;

export const RepairAction = z.enum(repairActions);
export type RepairAction = z.infer<typeof RepairAction>;

interface ActionWords {
  readonly action: RepairAction;
  readonly label: string;
  /** Its effect on money and access. */
  readonly effect: string;
}

const returnMoney: ActionWords = {
  action: "return-money",
  label: "Return the money",
  effect: "The charge is voided or refunded at the gateway. No access changes.",
};
const endAccess: ActionWords = {
  action: "end-access",
  label: "End the access",
  effect: "The money is taken off the revenue, nothing renews, the access ends now and the student is told.",
};

/** The effect of every recorded refund of a charge. */
const lostPayment = "It is taken off the revenue. All of the newest charge ends the access; a part leaves it.";

const payBack: ActionWords = {
  action: "pay-back",
  label: "Pay it back again",
  effect: "The same amount is returned to the card by a new refund. The access stays as it is.",
};
const takeBack: ActionWords = {
  action: "take-back",
  label: "Keep the payment, open the access",
  effect: "The money counts as ours again, and what the refund ended is open again to the end of what was paid.",
};
const askAgain: ActionWords = {
  action: "ask-again",
  label: "Ask the gateway again",
  effect: "What it says by now is recorded. Nothing is charged or returned.",
};
const followGateway: ActionWords = {
  action: "follow-gateway",
  label: "Follow the gateway",
  effect:
    "What the gateway has as paid counts as paid and is open. What it does not have ends the access and is taken off the revenue.",
};

/** Each kind's description, and the actions that repair it, the default first, as administrators read them. */
export const discrepancyWords: Readonly<
  Record<DiscrepancyKind, { readonly title: string; readonly actions: readonly [ActionWords, ...ActionWords[]] }>
> = {
  "unknown-here": { title: "Charged at the gateway, unknown here", actions: [returnMoney] },
  "not-recorded": {
    title: "Charged at the gateway, failed here",
    actions: [
      {
        action: "complete-purchase",
        label: "Complete the purchase",
        effect:
          "What was paid is opened and counted. Where nothing is left to open, since another charge paid for it, its purchase has ended or the account is deleted, the money is returned.",
      },
    ],
  },
  "unknown-there": {
    title: "Completed here, unknown at the gateway",
    actions: [
      endAccess,
      {
        action: "adopt-charge",
        label: "Record the charge of the same invoice",
        effect: "The gateway's approved charge of this invoice and amount counts as this payment. The access stays.",
      },
    ],
  },
  "amount-differs": {
    title: "Another amount at the gateway",
    actions: [
      {
        action: "adopt-amount",
        label: "Adopt the gateway's amount",
        effect: "The revenue counts what the gateway charged. The access stays.",
      },
      {
        action: "end-access",
        label: "Return it and end the access",
        effect: "What the gateway charged goes back, as for a card that covers a part alone, and the access ends.",
      },
    ],
  },
  "not-settled": { title: "Approved, but never settled", actions: [endAccess] },
  disputed: { title: "Charged back by the card holder", actions: [endAccess] },
  "returned-elsewhere": {
    title: "Refunded or voided outside the academy",
    actions: [
      {
        action: "record-return",
        label: "Record the refund",
        effect: lostPayment,
      },
    ],
  },
  "reference-differs": {
    title: "A charge under our invoice carries another reference",
    actions: [
      {
        action: "adopt-charge",
        label: "Record it as this payment",
        effect: "The payment counts as made by this charge, and what was paid is opened.",
      },
      returnMoney,
    ],
  },
  "refund-reference-differs": {
    title: "A refund of our charge carries another reference",
    actions: [
      {
        action: "adopt-refund",
        label: "Record it as this refund",
        effect: "The refund counts as made by this transaction.",
      },
      {
        action: "give-up-refund",
        label: "It is another refund",
        effect: "Ours counts as not made, and can be made again.",
      },
    ],
  },
  "outcomes-unknown": {
    title: "Several renewals of one period have no known outcome",
    actions: [
      {
        action: "allow-charges",
        label: "Allow the next try",
        effect: "You have seen at the gateway that nothing was charged. The renewal is tried again.",
      },
      {
        action: "stop-renewal",
        label: "Stop the renewal",
        effect: "Nothing more is charged; the course stays open to the end of what is paid.",
      },
    ],
  },
  "refund-failed": { title: "A refund failed at the gateway", actions: [payBack, takeBack] },
  "refund-missing": { title: "A refund that the gateway never made", actions: [payBack, takeBack] },
  "void-settled": { title: "Voided here, settled all the same", actions: [payBack, takeBack] },
  "credit-unlinked": {
    title: "Paid out at the gateway, linked to no charge",
    actions: [
      {
        action: "link-credit",
        label: "Record it as a refund",
        effect: `Name the charge that it pays back. ${lostPayment}`,
      },
      { action: "dismiss", label: "It is about no purchase", effect: "Nothing changes in our books." },
    ],
  },
  "dispute-won": {
    title: "A dispute was won",
    actions: [
      takeBack,
      {
        action: "book-payment",
        label: "Keep the payment, leave the access closed",
        effect: "The money counts as ours again. The access stays ended.",
      },
    ],
  },
  "grant-missing": {
    title: "Paid, and nothing was opened",
    actions: [
      { action: "open-access", label: "Open what was paid", effect: "The course is open for what the payment covers." },
    ],
  },
  "grant-unpaid": {
    title: "Open without a payment",
    actions: [
      {
        action: "end-grant",
        label: "End the grant",
        effect: "What it opened ends now. What else was paid stays open.",
      },
    ],
  },
  "attempt-missing": { title: "Completed without a payment attempt", actions: [followGateway] },
  "purchase-not-completed": { title: "Paid, and not completed", actions: [followGateway] },
  "amount-changed": {
    title: "A purchase and its charge have different amounts",
    actions: [
      {
        action: "adopt-amount",
        label: "Adopt the gateway's amount",
        effect: "Purchase and charge get the amount that the gateway charged. The access stays.",
      },
    ],
  },
  "end-unfounded": {
    title: "Access ended for no reason",
    actions: [
      { action: "open-access", label: "Open it again", effect: "What was cut off is open again, to its own end." },
    ],
  },
  "credit-unfounded": {
    title: "An upgrade was credited with money that is gone",
    actions: [
      {
        action: "let-stand",
        label: "Let it stand",
        effect: "The upgrade stays as it is. Nothing is charged or returned.",
      },
      {
        action: "end-upgrade",
        label: "End the upgrade",
        effect:
          "What the upgrade itself charged goes back, and its access ends now. Days that it replaced come back where their own payment is still ours.",
      },
    ],
  },
  "payment-unresolved": {
    title: "A payment without a known outcome",
    actions: [
      askAgain,
      {
        action: "count-as-not-charged",
        label: "It was not charged",
        effect:
          "You have seen at the gateway that nothing was charged. The payment counts as failed, and the student can pay again.",
      },
    ],
  },
  "refund-unresolved": {
    title: "A refund without a known outcome",
    actions: [
      askAgain,
      {
        action: "give-up-refund",
        label: "It was not made",
        effect:
          "You have seen at the gateway that nothing went back. The refund counts as not made, and can be made again.",
      },
    ],
  },
  "coupon-count": {
    title: "A coupon counts other uses than it has",
    actions: [
      {
        action: "count-again",
        label: "Count again",
        effect: "The coupon counts the uses that students have or reserved. No purchase changes.",
      },
    ],
  },
  "coupon-use": {
    title: "The use of a coupon does not follow its purchases",
    actions: [
      {
        action: "follow-purchases",
        label: "Follow the purchases",
        effect: "The use counts as used, reserved or free as the student's purchases with the coupon stand.",
      },
    ],
  },
  "tier-cache": {
    title: "Lists show another tier than the grants give",
    actions: [
      {
        action: "follow-ledger",
        label: "Follow the grants",
        effect: "Lists and badges show what the grants give. What may be used does not change.",
      },
    ],
  },
};

export const Discrepancy = z
  .object({
    id: z.string(),
    kind: DiscrepancyKind,
    transactionId: z.string().nullable(),
    purchaseId: z.string().nullable(),
    userId: z.string().nullable(),
    sentence: z.string().describe("What is wrong, for whom and about which purchase"),
    expected: z.string().nullable().describe("US dollars by our books"),
    found: z.string().nullable().describe("US dollars by the gateway's"),
    foundAt: z.iso.datetime(),
    resolvedAt: z.iso.datetime().nullable(),
    resolution: z.string().nullable(),
  })
  .meta({ id: "Discrepancy" });
export type Discrepancy = z.infer<typeof Discrepancy>;

export const Reconciliation = z
  .object({
    lastRunAt: z.iso.datetime().nullable(),
    lastError: z.string().nullable(),
    checked: z.int().describe("Transactions of the last run"),
    discrepancies: z.array(Discrepancy).describe("Open ones first, newest first; repaired ones of the last 90 days"),
  })
  .meta({ id: "Reconciliation" });
export type Reconciliation = z.infer<typeof Reconciliation>;

export const getReconciliation = endpoint({
  method: "GET",
  path: "/api/admin/reconciliation",
  summary: "Where the gateway's books and ours differ",
  permission: "money:read",
  reply: Reconciliation,
});

export const runReconciliation = endpoint({
  method: "POST",
  path: "/api/admin/reconciliation/run",
  summary: "Compares the books now",
  permission: "money:settle",
  withoutFreshSignIn: "Only compares",
  body: z.strictObject({}),
  reply: Reconciliation,
});

export const repairDiscrepancy = endpoint({
  method: "POST",
  path: "/api/admin/reconciliation/repair",
  summary: "Repairs one discrepancy by an action of its kind",
  permission: "money:settle",
  body: z.strictObject({
    discrepancyId: z.string().min(1).max(40),
    action: RepairAction.optional().describe("Without it the first one of the kind"),
    charge: z.string().trim().min(1).max(40).optional().describe("For link-credit: the transaction of the charge"),
    reason,
  }),
  reply: Reconciliation,
});
