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
  label: "Follow the gateway",
  effect:
    "What the gateway has as paid counts as paid and is open. What it does not have ends the access and is taken off the revenue.",
};
const askAgain = {
  action: "ask-again",
  label: "Ask the gateway again",
  effect: "What it says by now is recorded. Nothing is charged or returned.",
};
const knownByNow = "The gateway has said what became of it";

export const kindsOfOurRows = {
  "grant-missing": {
    title: "Paid, and nothing was opened",
    sentence: ({ who, ours, what }) => `${who} paid ${ours} for ${what}, and no grant opens the course for it.`,
    actions: [
      {
        action: "open-access",
        label: "Open what was paid",
        effect: "The course is open for what the payment covers.",
        repair: async (ctx, { attemptId }) => {
          if (attemptId) await openPaid(ctx, attemptId);
          return "What was paid is open";
        },
      },
    ],
  },
  "grant-unpaid": {
    title: "Open without a payment",
    sentence: ({ who, detail, what }) =>
      `${who} has a grant (${detail ?? "unknown"}) for ${what} that no payment stands behind.`,
    actions: [
      {
        action: "end-grant",
        label: "End the grant",
        effect: "What it opened ends now. What else was paid stays open.",
        repair: async (ctx, { subjectId, userId }) => {
          await ctx.db.transaction(async (tx) => {
            await lockUser(tx, known(userId));
            await endGrant(tx, known(subjectId), "no payment stands behind it", ctx.clock.now());
          });
          return "The grant has ended";
        },
      },
    ],
  },
  "attempt-missing": {
    title: "Completed without a payment attempt",
    sentence: ({ who, what, ours }) =>
      `${who} has ${what} as completed for ${ours}, and there is no approved payment attempt.`,
    actions: [
      {
        ...followGateway,
        repair: async (ctx, { purchaseId, transactionId }) => {
          const charge = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
          if (charge?.state === "approved") {
            await restoreAttempt(ctx, known(purchaseId), charge);
            return "The payment attempt is restored from the gateway";
          }
          await endUnpaid(ctx, known(purchaseId), "the gateway has no such payment");
          return "The gateway has no such payment; access ended";
        },
      },
    ],
  },
  "purchase-not-completed": {
    title: "Paid, and not completed",
    sentence: ({ who, ours, what, charge }) =>
      `${who} paid ${ours} for ${what} (${charge}), and the purchase does not count as completed.`,
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
          return "The gateway has no such payment; the attempt counts as not charged";
        },
      },
    ],
  },
  "amount-changed": {
    title: "A purchase and its charge have different amounts",
    sentence: ({ who, ours, what, charge, theirs }) =>
      `${who} was charged ${ours} for ${what} (${charge}), and the purchase says ${theirs}.`,
    actions: [
      {
        action: "adopt-amount",
        label: "Adopt the gateway's amount",
        effect: "Purchase and charge get the amount that the gateway charged. The access stays.",
        repair: async (ctx, { attemptId, transactionId }) => {
          const charge = transactionId ? await ctx.gateway.findTransaction(transactionId) : null;
          if (!charge || !attemptId) {
            throw new Refusal("conflict", "The gateway does not have this charge, so its amount is not known.");
          }
          await adoptAmount(ctx, attemptId, charge.amountCents);
          return "The gateway's amount counts";
        },
      },
    ],
  },
  "end-unfounded": {
    title: "Access ended for no reason",
    sentence: ({ who, what }) =>
      `The access of ${who} for ${what} was ended, and neither a refund nor an administrator did it.`,
    actions: [
      {
        action: "open-access",
        label: "Open it again",
        effect: "What was cut off is open again, to its own end.",
        repair: async (ctx, { subjectId, userId }) => {
          await ctx.db.transaction(async (tx) => {
            await lockUser(tx, known(userId));
            await undoEnd(tx, known(subjectId), "opened again by reconciliation", ctx.clock.now());
          });
          return "Open again";
        },
      },
    ],
  },
  "credit-unfounded": {
    title: "An upgrade was credited with money that is gone",
    sentence: ({ who, what, ours, charge, theirs }) =>
      `The upgrade of ${who} to ${what} was credited with ${ours} of ${charge}, of which only ${theirs} is left.`,
    actions: [
      {
        action: "let-stand",
        label: "Let it stand",
        effect: "The upgrade stays as it is. Nothing is charged or returned.",
        repair: async () => "The upgrade stands",
      },
      {
        action: "end-upgrade",
        label: "End the upgrade",
        effect:
          "What the upgrade itself charged goes back, and its access ends now. Days that it replaced come back where their own payment is still ours.",
        repair: async (ctx, row, { actor }) => {
          const purchaseId = known(row.purchaseId);
          const upgrade = await findPurchase(ctx.db, purchaseId);
          if (upgrade && (await isReplaced(ctx.db, upgrade))) {
            throw new Refusal(
              "conflict",
              "A later upgrade was credited with this one. Refund that one first, or let this stand.",
            );
          }
          const reason = "the payment it was credited with is gone";
          const { state } = await refundPurchase(ctx, { purchaseId, reason, actor, isRepair: true });
          return state === "returned" ? "The upgrade was paid back and has ended" : null;
        },
      },
    ],
  },
  "payment-unresolved": {
    title: "A payment without a known outcome",
    sentence: ({ who, ours, what, detail }) =>
      `Nobody knows yet whether ${who} was charged ${ours} for ${what}: the gateway was asked, and ${detail ?? "has not said"}. Until it is known the student can neither pay nor renew.`,
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
        label: "It was not charged",
        effect:
          "You have seen at the gateway that nothing was charged. The payment counts as failed, and the student can pay again.",
        repair: async (ctx, { attemptId }) => {
          const attempt = await paymentResolver.askAgain(ctx, known(attemptId));
          if (!attempt || !isOpen(attempt)) return knownByNow;
          if (attempt.state === "held") throw heldThere();
          await recordNotCharged(ctx, attempt.id, "an administrator saw at the gateway that nothing was charged");
          return "Counts as not charged";
        },
      },
    ],
  },
  "refund-unresolved": {
    title: "A refund without a known outcome",
    sentence: ({ ours, who, what, detail }) =>
      `Nobody knows yet whether ${ours} went back to ${who} for ${what}: the gateway was asked, and ${detail ?? "has not said"}.`,
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
        label: "It was not made",
        effect:
          "You have seen at the gateway that nothing went back. The refund counts as not made, and can be made again.",
        repair: async (ctx, { subjectId }) => {
          const refund = await refundResolver.askAgain(ctx, known(subjectId));
          if (!refund || !isOpenRefund(refund)) return knownByNow;
          if (isHeld(refund)) throw heldThere();
          await recordReturn(ctx, refund.id, neverMade);
          return "Counts as not made; it can be made again";
        },
      },
    ],
  },
  "coupon-count": {
    title: "A coupon counts other uses than it has",
    sentence: ({ detail }) => `The coupon ${detail ?? "unknown"}.`,
    actions: [],
    repairAlone: async (tx, { subjectId }) => {
      await countUsesAgain(tx, known(subjectId));
      return "The coupon counts its uses";
    },
  },
  "coupon-use": {
    title: "The use of a coupon does not follow its purchases",
    sentence: ({ who, detail }) => `The use by ${who} of the coupon ${detail ?? "unknown"}.`,
    actions: [],
    repairAlone: async (tx, { subjectId, userId }, now) => {
      await lockUser(tx, known(userId));
      await settleCouponOf(tx, { couponCode: known(subjectId), userId: known(userId) }, now);
      return "The use follows the purchases";
    },
  },
  "tier-cache": {
    title: "Lists show another tier than the grants give",
    sentence: ({ who, detail }) => `The lists show ${who} with ${detail ?? "another tier"}.`,
    actions: [],
    repairAlone: async (tx, { userId }, now) => {
      await lockUser(tx, known(userId));
      await refreshAccessCache(tx, known(userId), now);
      return "The lists show what the grants give";
    },
  },
} as const satisfies Partial<Record<DiscrepancyKind, Kind>>;

function known(id: string | null | undefined): string {
  if (!id) throw new Error("a discrepancy without the id of what is wrong");
  return id;
}

function notSaid(): Refusal {
  return new Refusal("conflict", "The gateway has still not said what became of it. Please look there.");
}

function heldThere(): Refusal {
  return new Refusal("conflict", "The gateway holds it for review. Decide about it there; it is recorded then.");
}
