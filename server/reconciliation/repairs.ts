import type { DiscrepancyKind, RepairAction } from "#contract/admin/reconciliation.ts";
import { discrepancyWords } from "#contract/admin/reconciliation.ts";
import { refreshAccessCache } from "#server/access/cached-tiers.ts";
import { endGrant, undoEnd } from "#server/access/grants.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { countUsesAgain } from "#server/coupons/coupons.ts";
import type { Db } from "#server/db/db.ts";
import {
  claimDiscrepancy,
  type DiscrepancyRow,
  releaseDiscrepancy,
  resolveDiscrepancy,
} from "#server/discrepancies/discrepancies.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import { isOpen } from "#server/payments/attempts.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { recordNotCharged } from "#server/payments/outcomes.ts";
import { askAgain as askAboutPayment } from "#server/payments/resolver.ts";
import { findPurchase, settleCouponOf } from "#server/purchases/purchases.ts";
import { reverseRefund } from "#server/refunds/corrections.ts";
import { type Loss, recordLoss } from "#server/refunds/disputes.ts";
import { recordReturn } from "#server/refunds/refund-outcomes.ts";
import { gatewayAway, isHeld, isOpenRefund, refundPurchase } from "#server/refunds/refunds.ts";
import { isReplaced } from "#server/refunds/replaced.ts";
import { askAgain as askAboutRefund, neverMade, returned } from "#server/refunds/resolver.ts";
import {
  adoptAmount,
  adoptCharge,
  adoptChargeOfInvoice,
  completeAgain,
  disownCharge,
  endUnpaid,
  openPaid,
  recordLateApproval,
  restoreAttempt,
  stopRenewalOf,
} from "./charges.ts";
import { findChargeByNumber } from "./queries.ts";
import { payBack, takeBack } from "./recorded-refunds.ts";
import { returnMoney } from "./return-money.ts";

/** After this a claim was left by a node that died. */
const claimTime = 2 * MINUTE;

export interface RepairRequest {
  readonly discrepancyId: string;
  /** Null: the kind's default action. */
  readonly action: RepairAction | null;
  /** The transaction id of the charge that a credit refers to. */
  readonly charge: string | null;
  readonly actor: string;
}

/**
 * `note` writes the audit entry.
 * @throws Refusal not-found, also during another repair; invalid-input, conflict, payment-unavailable.
 */
export async function repair(
  ctx: PaymentContext,
  request: RepairRequest,
  note: (tx: Db, found: DiscrepancyRow, action: RepairAction, now: Date) => Promise<void>,
): Promise<void> {
  const now = ctx.clock.now();
  const row = await claimDiscrepancy(ctx.db, request.discrepancyId, now, after(now, -claimTime));
  if (!row) throw new Refusal("not-found", "This discrepancy is repaired already, or somebody is at it.");
  try {
    const action = request.action ?? discrepancyWords[row.kind].actions[0].action;
    const act = repairs[row.kind][action];
    if (!act) throw new Refusal("invalid-input", "This action does not repair such a discrepancy.");
    const resolution = await act(ctx, row, request);
    await ctx.db.transaction(async (tx) => {
      const resolvedAt = ctx.clock.now();
      if (resolution !== null) await resolveDiscrepancy(tx, row.id, resolution, request.actor, resolvedAt);
      await note(tx, row, action, resolvedAt);
    });
    if (resolution === null) throw new Refusal("payment-unavailable", outstanding);
  } catch (error) {
    await releaseDiscrepancy(ctx.db, row.id);
    if (error instanceof GatewayUnavailable) {
      throw gatewayAway();
    }
    throw error;
  }
}

const outstanding =
  "The refund was sent, and the gateway has not said yet what became of it. This stays open until it is known.";

/** Returns what was done, as shown in the list. Null: begun, but open until its outcome is known. */
type Repair = (ctx: PaymentContext, row: DiscrepancyRow, request: RepairRequest) => Promise<string | null>;

const repairs: Readonly<Record<DiscrepancyKind, Readonly<Partial<Record<RepairAction, Repair>>>>> = {
  "unknown-here": { "return-money": unlessRecorded(async (ctx, row) => (await returnMoney(ctx, row)).said) },
  "not-recorded": {
    "complete-purchase": unlessRecorded(async (ctx, row) => {
      const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
      if (transaction?.state !== "approved" || !row.attemptId) {
        return "The charge is no longer there; nothing to complete";
      }
      if (await recordLateApproval(ctx, row.attemptId, transaction)) return "Purchase completed";
      return `Nothing is left to open. ${(await returnMoney(ctx, row)).said}`;
    }),
  },
  "amount-differs": {
    "adopt-amount": async (ctx, row) => {
      if (row.attemptId && row.found !== null) await adoptAmount(ctx, row.attemptId, row.found);
      return "The gateway's amount counts";
    },
    "end-access": async (ctx, row, { actor }) => {
      const { said, kind, transactionId } = await returnMoney(ctx, row);
      const reason = "the card covered a part alone";
      return `${said}. ${await lose(ctx, { ...row, transactionId }, { kind, cause: "never-paid", reason, actor })}`;
    },
  },
  "unknown-there": {
    "end-access": async (ctx, row, { actor }) => {
      // The gateway's lists may have lagged: access must not end if the charge is there by now.
      if (row.transactionId && (await ctx.gateway.findTransaction(row.transactionId)))
        return "Found at the gateway after all";
      return lose(ctx, row, { kind: "void", cause: "never-paid", reason: "the gateway has no such payment", actor });
    },
    "adopt-charge": async (ctx, { attemptId }) => {
      if (!attemptId) throw new Error("a charge without an id");
      await adoptChargeOfInvoice(ctx, attemptId);
      return "Recorded as this payment";
    },
  },
  "not-settled": {
    "end-access": async (ctx, row, { actor }) => {
      const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
      if (transaction?.state === "approved") return "Settled since; nothing to end";
      return lose(ctx, row, { kind: "void", cause: "never-paid", reason: "the payment did not settle", actor });
    },
  },
  disputed: {
    "end-access": async (ctx, row, { actor }) => {
      const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
      if (transaction?.state === "approved") return "The dispute was won since; nothing to end";
      return lose(ctx, row, { kind: "refund", cause: "charged-back", reason: "the payment was charged back", actor });
    },
  },
  "returned-elsewhere": {
    "record-return": async (ctx, row, { actor }) => {
      const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
      if (transaction === null || transaction.state === "held") {
        throw new Refusal("conflict", "The gateway does not have this as returned. Nothing was changed.");
      }
      if (!["refund", "voided"].includes(transaction.state)) return "Not returned after all; nothing to record";
      const kind = transaction.state === "refund" ? "refund" : "void";
      const amountCents = kind === "refund" ? row.found : null;
      const reason = "the payment was returned at the gateway";
      return lose(ctx, row, { kind, amountCents, cause: "returned", reason, actor });
    },
  },
  "reference-differs": {
    "adopt-charge": unlessRecorded(async (ctx, row) => {
      const transaction = row.transactionId ? await ctx.gateway.findTransaction(row.transactionId) : null;
      if (transaction?.state !== "approved" || !row.attemptId) {
        throw new Refusal("conflict", "The gateway does not have this charge as paid. Nothing was changed.");
      }
      if (await adoptCharge(ctx, row.attemptId, transaction)) return "Recorded as this payment";
      return `Nothing is left to open. ${(await returnMoney(ctx, row)).said}`;
    }),
    "return-money": unlessRecorded(async (ctx, row) => {
      const { said } = await returnMoney(ctx, row);
      if (row.attemptId) await recordNotCharged(ctx, row.attemptId, "a charge with another reference was returned");
      return said;
    }),
  },
  "refund-reference-differs": {
    "adopt-refund": async (ctx, { subjectId, transactionId }) => {
      const transaction = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
      if (transaction?.state !== "refund" || !subjectId) {
        throw new Refusal("conflict", "The gateway does not have this refund. Nothing was changed.");
      }
      await recordReturn(ctx, subjectId, returned(transaction));
      return "Recorded as this refund";
    },
    "give-up-refund": async (ctx, { subjectId }) => {
      if (subjectId) await recordReturn(ctx, subjectId, neverMade);
      return "Another refund; ours can be made again";
    },
  },
  "outcomes-unknown": {
    "allow-charges": async () => "Reviewed; the renewal is tried again",
    "stop-renewal": async (ctx, row) => {
      if (row.purchaseId) await stopRenewalOf(ctx, row.purchaseId);
      return "The renewal is stopped";
    },
  },
  "refund-failed": { "pay-back": payBack, "take-back": takeBack },
  "refund-missing": { "pay-back": payBack, "take-back": takeBack },
  "void-settled": { "pay-back": payBack, "take-back": takeBack },
  "dispute-won": {
    "take-back": takeBack,
    "book-payment": async (ctx, { subjectId }) => {
      if (subjectId) await reverseRefund(ctx, subjectId, { opens: false, why: "the dispute was won" });
      return "The payment counts again; the access stays closed";
    },
  },
  "credit-unlinked": {
    "link-credit": async (ctx, row, { charge, actor }) => {
      const named = charge ? await findChargeByNumber(ctx.db, charge) : null;
      const attemptId = charge ? named?.attemptId : row.attemptId;
      if (!attemptId) {
        const message = "Name the transaction of a charge that was paid.";
        throw new Refusal("conflict", message, { errors: { charge: [message] } });
      }
      const reason = "the payment was returned at the gateway";
      return lose(
        ctx,
        { ...row, attemptId },
        { kind: "refund", amountCents: row.found, cause: "returned", reason, actor },
      );
    },
    dismiss: async () => "About no purchase",
  },
  "grant-missing": {
    "open-access": async (ctx, row) => {
      if (row.attemptId) await openPaid(ctx, row.attemptId);
      return "What was paid is open";
    },
  },
  "grant-unpaid": {
    "end-grant": async (ctx, { subjectId, userId }) => {
      if (!subjectId || !userId) throw new Error("a grant without an id or an owner");
      await ctx.db.transaction(async (tx) => {
        await lockUser(tx, userId);
        await endGrant(tx, subjectId, "no payment stands behind it", ctx.clock.now());
      });
      return "The grant has ended";
    },
  },
  "attempt-missing": {
    "follow-gateway": async (ctx, { purchaseId, transactionId }) => {
      if (!purchaseId) throw new Error("a purchase without an id");
      const charge = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
      if (charge?.state === "approved") {
        await restoreAttempt(ctx, purchaseId, charge);
        return "The payment attempt is restored from the gateway";
      }
      await endUnpaid(ctx, purchaseId, "the gateway has no such payment");
      return "The gateway has no such payment; access ended";
    },
  },
  "purchase-not-completed": {
    "follow-gateway": async (ctx, { attemptId, transactionId }) => {
      if (!attemptId) throw new Error("a charge without an id");
      const charge = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
      if (charge?.state === "approved") {
        await completeAgain(ctx, attemptId, charge);
        return "Purchase completed";
      }
      await disownCharge(ctx, attemptId, "the gateway has no such payment");
      return "The gateway has no such payment; the attempt counts as not charged";
    },
  },
  "amount-changed": {
    "adopt-amount": async (ctx, { attemptId, transactionId }) => {
      const charge = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
      if (!charge || !attemptId) {
        throw new Refusal("conflict", "The gateway does not have this charge, so its amount is not known.");
      }
      await adoptAmount(ctx, attemptId, charge.amountCents);
      return "The gateway's amount counts";
    },
  },
  "end-unfounded": {
    "open-access": async (ctx, { subjectId, userId }) => {
      if (!subjectId || !userId) throw new Error("an end without an id or an owner");
      await ctx.db.transaction(async (tx) => {
        await lockUser(tx, userId);
        await undoEnd(tx, subjectId, "opened again by reconciliation", ctx.clock.now());
      });
      return "Open again";
    },
  },
  "credit-unfounded": {
    "let-stand": async () => "The upgrade stands",
    "end-upgrade": async (ctx, { purchaseId }, { actor }) => {
      const upgrade = purchaseId ? await findPurchase(ctx.db, purchaseId) : null;
      if (!upgrade || !purchaseId) throw new Error("an upgrade without a purchase");
      if (await isReplaced(ctx.db, upgrade)) {
        throw new Refusal(
          "conflict",
          "A later upgrade was credited with this one. Refund that one first, or let this stand.",
        );
      }
      const reason = "the payment it was credited with is gone";
      // The repair writes its own audit entry.
      const { state } = await refundPurchase(ctx, { purchaseId, reason, actor, note: async () => {} });
      return state === "returned" ? "The upgrade was paid back and has ended" : null;
    },
  },
  "payment-unresolved": {
    "ask-again": async (ctx, row) => {
      const attempt = await askAboutPayment(ctx, attemptIn(row));
      if (attempt && isOpen(attempt)) throw notSaid();
      return knownByNow;
    },
    "count-as-not-charged": async (ctx, row) => {
      const attempt = await askAboutPayment(ctx, attemptIn(row));
      if (!attempt || !isOpen(attempt)) return knownByNow;
      if (attempt.state === "held") throw heldThere();
      await recordNotCharged(ctx, attempt.id, "an administrator saw at the gateway that nothing was charged");
      return "Counts as not charged";
    },
  },
  "refund-unresolved": {
    "ask-again": async (ctx, row) => {
      const refund = await askAboutRefund(ctx, refundIn(row));
      if (refund && isOpenRefund(refund)) throw notSaid();
      return knownByNow;
    },
    "give-up-refund": async (ctx, row) => {
      const refund = await askAboutRefund(ctx, refundIn(row));
      if (!refund || !isOpenRefund(refund)) return knownByNow;
      if (isHeld(refund)) throw heldThere();
      await recordReturn(ctx, refund.id, neverMade);
      return "Counts as not made; it can be made again";
    },
  },
  "coupon-count": {
    "count-again": async (ctx, { subjectId: code }) => {
      if (!code) throw new Error("a count without a coupon");
      await ctx.db.transaction((tx) => countUsesAgain(tx, code));
      return "The coupon counts its uses";
    },
  },
  "coupon-use": {
    "follow-purchases": async (ctx, { subjectId: couponCode, userId }) => {
      if (!couponCode || !userId) throw new Error("a use without a coupon or a student");
      await ctx.db.transaction(async (tx) => {
        await lockUser(tx, userId);
        await settleCouponOf(tx, { couponCode, userId }, ctx.clock.now());
      });
      return "The use follows the purchases";
    },
  },
  "tier-cache": {
    "follow-ledger": async (ctx, { userId }) => {
      if (!userId) throw new Error("a user without an id");
      await ctx.db.transaction(async (tx) => {
        await lockUser(tx, userId);
        await refreshAccessCache(tx, userId, ctx.clock.now());
      });
      return "The lists show what the grants give";
    },
  },
};

const knownByNow = "The gateway has said what became of it";

function attemptIn({ attemptId }: DiscrepancyRow): string {
  if (!attemptId) throw new Error("an open payment without an id");
  return attemptId;
}

function refundIn({ subjectId }: DiscrepancyRow): string {
  if (!subjectId) throw new Error("an open refund without an id");
  return subjectId;
}

function notSaid(): Refusal {
  return new Refusal("conflict", "The gateway has still not said what became of it. Please look there.");
}

function heldThere(): Refusal {
  return new Refusal("conflict", "The gateway holds it for review. Decide about it there; it is recorded then.");
}

/** A later try may have adopted the unknown charge, which then must not be returned. */
function unlessRecorded(act: Repair): Repair {
  return async (ctx, row, request) => {
    const booked = row.transactionId ? await findChargeByNumber(ctx.db, row.transactionId) : null;
    return booked ? "Recorded here since; nothing to do" : act(ctx, row, request);
  };
}

const goneBefore = "All of it went back before; nothing to record";

async function lose(
  ctx: Context,
  { attemptId, transactionId }: DiscrepancyRow,
  loss: Pick<Loss, "kind" | "cause" | "reason" | "actor"> & { readonly amountCents?: number | null },
): Promise<string> {
  if (!attemptId) throw new Error("a discrepancy without a charge has nothing to end");
  const { endsAccess, refund } = await recordLoss(ctx, { amountCents: null, ...loss, attemptId, transactionId });
  if (!endsAccess && !refund) {
    const isContestable = loss.cause === "charged-back";
    return isContestable ? `${goneBefore}. Contest the chargeback by showing the bank the refund` : goneBefore;
  }
  if (!endsAccess) return "Recorded as refunded, access stays";
  return loss.cause === "never-paid" ? "Access ended" : "Recorded as refunded, access ended";
}
