import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { refreshAccessCache } from "#server/access/cached-tiers.ts";
import { endGrant, undoEnd } from "#server/access/grants.ts";
import { Refusal } from "#server/base/refusal.ts";
import { countUsesAgain } from "#server/coupons/coupons.ts";
import { lockUser } from "#server/identity/users.ts";
import { isOpen } from "#server/payments/attempts.ts";
import { recordNotCharged } from "#server/payments/outcomes.ts";
import { paymentResolver } from "#server/payments/resolver.ts";
import { findPurchase, settleCouponOf } from "#server/purchases/purchases.ts";
import { recordReturn } from "#server/refunds/refund-outcomes.ts";
import { isHeld, isOpenRefund, refundPurchase } from "#server/refunds/refunds.ts";
import { isReplaced } from "#server/refunds/replaced.ts";
import { neverMade, refundResolver } from "#server/refunds/resolver.ts";
import { adoptAmount, completeAgain, disownCharge, endUnpaid, openPaid, restoreAttempt } from "./charges.ts";
import type { Kind } from "./discrepancy-kind.ts";

const followGateway = {
  action: "follow-gateway",
  label: "Use the gateway’s record",
  effect:
    "If the gateway has the payment, it counts as paid and the student gets the access. If not, access ends and it no longer counts as revenue.",
};
const askAgain = {
  action: "ask-again",
  label: "Ask the gateway again",
  effect: "We record the gateway’s current answer. Nothing is charged or refunded.",
};
const knownByNow = "The gateway has answered";

export const kindsOfOurRows = {
  "grant-missing": {
    title: "Paid without access",
    sentence: ({ who, ours, what }) => `${who} paid ${ours} for ${what} but didn’t get access.`,
    actions: [
      {
        action: "open-access",
        label: "Give access",
        effect: "The student gets the access that the payment covers.",
        repair: async (ctx, { attemptId }) => {
          if (attemptId) await openPaid(ctx, attemptId);
          return "Access given";
        },
      },
    ],
  },
  "grant-unpaid": {
    title: "Access without a payment",
    sentence: ({ who, detail, what }) =>
      `${who} has access to ${what} without a payment (${detail ?? "unknown grant"}).`,
    actions: [
      {
        action: "end-grant",
        label: "End access",
        effect: "This access ends now. Any other access that the student paid for continues.",
        repair: async (ctx, { subjectId, userId }) => {
          await ctx.db.transaction(async (tx) => {
            await lockUser(tx, known(userId));
            await endGrant(tx, known(subjectId), "there is no payment for it", ctx.clock.now());
          });
          return "Access ended";
        },
      },
    ],
  },
  "attempt-missing": {
    title: "Completed without a payment",
    sentence: ({ who, what, ours }) =>
      `The purchase of ${what} for ${ours} by ${who} is completed, but it has no approved payment.`,
    actions: [
      {
        ...followGateway,
        repair: async (ctx, { purchaseId, transactionId }) => {
          const charge = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
          if (charge?.state === "approved") {
            await restoreAttempt(ctx, known(purchaseId), charge);
            return "The payment was restored from the gateway";
          }
          await endUnpaid(ctx, known(purchaseId), "the gateway has no such payment");
          return "The gateway has no such payment. Access ended";
        },
      },
    ],
  },
  "purchase-not-completed": {
    title: "Paid but not completed",
    sentence: ({ who, ours, what, charge }) =>
      `${who} paid ${ours} for ${what} (${charge}), but the purchase isn’t completed.`,
    actions: [
      {
        ...followGateway,
        repair: async (ctx, { attemptId, transactionId }) => {
          const charge = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
          if (charge?.state === "approved") {
            await completeAgain(ctx, known(attemptId), charge);
            return "Purchase completed";
          }
          await disownCharge(ctx, known(attemptId), "the gateway has no such payment");
          return "The gateway has no such payment. It was recorded as not charged";
        },
      },
    ],
  },
  "amount-changed": {
    title: "A purchase and its charge have different amounts",
    sentence: ({ who, ours, what, charge, theirs }) =>
      `${who} was charged ${ours} for ${what} (${charge}), but the purchase shows ${theirs}.`,
    actions: [
      {
        action: "adopt-amount",
        label: "Use the gateway’s amount",
        effect: "Purchase and charge show the amount that the gateway charged. Access doesn’t change.",
        repair: async (ctx, { attemptId, transactionId }) => {
          const charge = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
          if (!charge || !attemptId) {
            throw new Refusal("conflict", "The gateway doesn’t have this charge, so we don’t know its amount.");
          }
          await adoptAmount(ctx, attemptId, charge.amountCents);
          return "The gateway’s amount was recorded";
        },
      },
    ],
  },
  "end-unfounded": {
    title: "Access ended without a reason",
    sentence: ({ who, what }) => `${who} lost access to ${what} without a refund or an administrator’s action.`,
    actions: [
      {
        action: "open-access",
        label: "Restore access",
        effect: "The student gets the access back until its original end.",
        repair: async (ctx, { subjectId, userId }) => {
          await ctx.db.transaction(async (tx) => {
            await lockUser(tx, known(userId));
            await undoEnd(tx, known(subjectId), "opened again by reconciliation", ctx.clock.now());
          });
          return "Access restored";
        },
      },
    ],
  },
  "credit-unfounded": {
    title: "Upgrade credited with refunded money",
    sentence: ({ who, what, ours, charge, theirs }) =>
      `The upgrade of ${who} to ${what} was credited with ${ours} from ${charge}, but only ${theirs} of that charge hasn’t been refunded.`,
    actions: [
      {
        action: "let-stand",
        label: "Keep the upgrade",
        effect: "The upgrade doesn’t change. Nothing is charged or refunded.",
        repair: async () => "Upgrade kept",
      },
      {
        action: "end-upgrade",
        label: "End the upgrade",
        effect:
          "We refund what the upgrade itself cost and end its access now. The student gets replaced days back unless their payment was refunded.",
        repair: async (ctx, row, { actor }) => {
          const purchaseId = known(row.purchaseId);
          const upgrade = await findPurchase(ctx.db, purchaseId);
          if (upgrade && (await isReplaced(ctx.db, upgrade))) {
            throw new Refusal(
              "conflict",
              "A later upgrade was credited with this one. Refund that one first, or keep this upgrade.",
            );
          }
          const reason = "the payment it was credited with was refunded";
          const { state } = await refundPurchase(ctx, { purchaseId, reason, actor, isRepair: true });
          return state === "returned" ? "Upgrade refunded and ended" : null;
        },
      },
    ],
  },
  "payment-unresolved": {
    title: "Payment without an outcome",
    sentence: ({ who, ours, what, detail }) =>
      `We don’t know yet whether ${who} was charged ${ours} for ${what}: the gateway ${detail ?? "hasn’t answered"}. Until we do, the student can’t pay or renew.`,
    actions: [
      {
        ...askAgain,
        repair: async (ctx, { attemptId }) => {
          const attempt = await paymentResolver.askAgain(ctx, known(attemptId));
          if (attempt && isOpen(attempt)) throw notSaid();
          return knownByNow;
        },
      },
      {
        action: "count-as-not-charged",
        label: "Mark as not charged",
        effect:
          "Choose this if you’ve checked at the gateway that nothing was charged. The payment is recorded as failed, and the student can pay again.",
        repair: async (ctx, { attemptId }) => {
          const attempt = await paymentResolver.askAgain(ctx, known(attemptId));
          if (!attempt || !isOpen(attempt)) return knownByNow;
          if (attempt.state === "held") throw heldThere();
          await recordNotCharged(ctx, attempt.id, "an administrator saw at the gateway that nothing was charged");
          return "Marked as not charged";
        },
      },
    ],
  },
  "refund-unresolved": {
    title: "Refund without an outcome",
    sentence: ({ ours, who, what, detail }) =>
      `We don’t know yet whether ${who} was refunded ${ours} for ${what}: the gateway ${detail ?? "hasn’t answered"}.`,
    actions: [
      {
        ...askAgain,
        repair: async (ctx, { subjectId }) => {
          const refund = await refundResolver.askAgain(ctx, known(subjectId));
          if (refund && isOpenRefund(refund)) throw notSaid();
          return knownByNow;
        },
      },
      {
        action: "give-up-refund",
        label: "Mark as not refunded",
        effect:
          "Choose this if you’ve checked at the gateway that nothing was refunded. You can then make the refund again.",
        repair: async (ctx, { subjectId }) => {
          const refund = await refundResolver.askAgain(ctx, known(subjectId));
          if (!refund || !isOpenRefund(refund)) return knownByNow;
          if (isHeld(refund)) throw heldThere();
          await recordReturn(ctx, refund.id, neverMade);
          return "Marked as not refunded. The refund can be made again";
        },
      },
    ],
  },
  "coupon-count": {
    title: "Wrong number of coupon uses",
    sentence: ({ detail }) => `Coupon ${detail ?? "unknown"}.`,
    actions: [],
    repairAlone: async (tx, { subjectId }) => {
      await countUsesAgain(tx, known(subjectId));
      return "The coupon’s count of uses was corrected";
    },
  },
  "coupon-use": {
    title: "Coupon use doesn’t match its purchases",
    sentence: ({ who, detail }) => `${who}: coupon ${detail ?? "unknown"}.`,
    actions: [],
    repairAlone: async (tx, { subjectId, userId }, now) => {
      await lockUser(tx, known(userId));
      await settleCouponOf(tx, { couponCode: known(subjectId), userId: known(userId) }, now);
      return "The use now matches the purchases";
    },
  },
  "tier-cache": {
    title: "Lists show the wrong plan",
    sentence: ({ who, detail }) => `Lists show ${who} with ${detail ?? "the wrong plan"}.`,
    actions: [],
    repairAlone: async (tx, { userId }, now) => {
      await lockUser(tx, known(userId));
      await refreshAccessCache(tx, known(userId), now);
      return "The lists show the right plan again";
    },
  },
} as const satisfies Partial<Record<DiscrepancyKind, Kind>>;

function known(id: string | null | undefined): string {
  if (!id) throw new Error("a discrepancy without the id of what is wrong");
  return id;
}

function notSaid(): Refusal {
  return new Refusal("conflict", "The gateway still hasn’t answered. Check the transaction there.");
}

function heldThere(): Refusal {
  return new Refusal(
    "conflict",
    "The gateway is holding it for review. Decide about it there, and we’ll record the result.",
  );
}
