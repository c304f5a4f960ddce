import { eq } from "drizzle-orm";
import { promiseWords } from "#contract/coaching/promise.ts";
import { dollarsOf } from "#contract/money.ts";
import { nextStart, recordGrant } from "#server/access/grants.ts";
import { replaceLowerTiers } from "#server/access/replaced-days.ts";
import { welcomeTo } from "#server/catalogue/catalogue.ts";
import type { Db } from "#server/db/db.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import type { AttemptRow } from "#server/payments/attempts.ts";
import type { Approved, Failed, OutcomeHandler } from "#server/payments/handlers.ts";
import { receiptNumberOf } from "#server/payments/receipt-numbers.ts";
import { settleCoupon } from "./coupon-uses.ts";
import { purchasedEmail } from "./emails.ts";
import { periodEnd } from "./periods.ts";
import { findFirstPayment, getPlan, lockPurchase } from "./queries.ts";
import { linesOfPurchase } from "./quotes/rules.ts";
import { coveredUntil } from "./refund-policy.ts";
import { agreedPrices, laterOf } from "./rules.ts";
import { type PurchaseRow, purchases } from "./tables.ts";

/** Injected, because purchases must not import subscriptions. @returns the name of the replaced plan, and whether this one renews */
export type FollowPurchase = (
  tx: Db,
  purchase: PurchaseRow,
  paid: { readonly outcome: Approved; readonly startsAt: Date; readonly endsAt: Date | null },
  now: Date,
) => Promise<{ readonly replacedPlan: string | null; readonly isRenewing: boolean }>;

export function purchaseOutcomes(follow: FollowPurchase): OutcomeHandler {
  return {
    approved: (tx, attempt, outcome, now) => completePurchase(tx, attempt, outcome, now, follow),
    failed: failPurchase,
  };
}

async function failPurchase(tx: Db, attempt: AttemptRow, outcome: Failed, now: Date): Promise<void> {
  await tx
    .update(purchases)
    .set({ status: outcome.kind === "declined" ? "declined" : "failed", statusMessage: outcome.message })
    .where(eq(purchases.id, attempt.purchaseId));
  await settleCoupon(tx, attempt.purchaseId, now);
}

/** Grants access from now, or from the end of the student's access to the same tier. */
async function completePurchase(
  tx: Db,
  attempt: AttemptRow,
  outcome: Approved,
  now: Date,
  follow: FollowPurchase,
): Promise<void> {
  const purchase = await lockPurchase(tx, attempt.purchaseId);
  const startsAt = await nextStart(tx, purchase.userId, purchase.tier, now);
  const endsAt = periodEnd(purchase.tier, startsAt);
  const { name: planName } = await getPlan(tx, purchase.planId);
  await tx
    .update(purchases)
    .set({ status: "completed", statusMessage: null, transactionId: outcome.transactionId, completedAt: now })
    .where(eq(purchases.id, purchase.id));
  await settleCoupon(tx, purchase.id, now);
  const { replacedPlan, isRenewing } = await follow(tx, purchase, { outcome, startsAt, endsAt }, now);
  const { userId, tier } = purchase;
  await replaceLowerTiers(tx, { userId, tier, purchaseId: purchase.id }, now);
  await recordGrant(
    tx,
    {
      userId: purchase.userId,
      tier: purchase.tier,
      source: "purchase",
      sourceId: purchase.id,
      purchaseId: purchase.id,
      startsAt,
      endsAt,
    },
    now,
  );
  const paid = { planId: purchase.planId, tier, amount: dollarsOf(attempt.amount) };
  await recordEvent(tx, "purchase.completed", { id: purchase.id, userId, ...paid }, now);
  const first = await findFirstPayment(tx, purchase);
  const prices = agreedPrices(purchase, 0);
  const facts = {
    planName,
    welcome: await welcomeTo(tx, purchase.tier),
    amountCents: attempt.amount,
    paidAt: attempt.resolvedAt ?? attempt.sentAt,
    card: outcome.card,
    transactionId: outcome.transactionId,
    receiptId: attempt.id,
    receiptNumber: receiptNumberOf(attempt),
    accessUntil: endsAt,
    nextPaymentAt: isRenewing ? endsAt : null,
    renewalCents: prices.price,
    later: laterOf(prices),
    replacedPlan,
    coaching: promiseWords(purchase.coaching),
    lines: linesOfPurchase(purchase, planName),
    refundableUntil: first && (await coveredUntil(tx, { ...purchase, completedAt: now }, first)),
    isRefundCertain: purchase.addressHash !== null,
  };
  await postEmail(tx, purchasedEmail, { userId: purchase.userId, occasion: purchase.id, facts }, now);
}
