import { announceAccess } from "#server/access/access-events.ts";
import { endGrantsOf, recordGrant } from "#server/access/grants.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { setAccountStatus, userById } from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { type AttemptRow, listCharges } from "#server/payments/attempts.ts";
import type { Approved, Failed, OutcomeHandler } from "#server/payments/handlers.ts";
import { addPaymentMethod, forgetCardLater } from "#server/payments/payment-methods.ts";
import { receiptNumberOf } from "#server/payments/receipt-numbers.ts";
import {
  type AgreedPrices,
  agreedPrices,
  laterOf,
  lockPurchase,
  type PurchaseRow,
  recordMoneyKept,
} from "#server/purchases/purchases.ts";
import { linesOfRenewal } from "#server/purchases/quotes/rules.ts";
import { declinedEmail, onHoldEmail } from "./dunning-emails.ts";
import { backAgainEmail, renewedEmail } from "./emails.ts";
import { keepCardLater } from "./payment-methods.ts";
import { lockByPurchase, type Subscription, updateSubscription } from "./queries.ts";
import { advance, graceEnd, isRenewing, type Refused, startOfPaid } from "./rules.ts";

const declinedReason = "Your last payment was declined. Please update your payment method.";
const notChargedReason = "We couldn't charge your renewal. Please update your payment method.";

export const renewalOutcomes: OutcomeHandler = { approved: completeRenewal, failed: recordRenewalFailure };

/** A concurrent cancellation or administrator's hold stays. */
async function completeRenewal(tx: Db, attempt: AttemptRow, outcome: Approved, now: Date): Promise<void> {
  const subscription = await lockByPurchase(tx, attempt.purchaseId);
  const { id, userId, purchaseId, tier, planName } = subscription;
  const { sentAt } = attempt;
  const charges = await listCharges(tx, purchaseId);
  const paidFrom = startOfPaid(attempt, charges);
  const purchase = await lockPurchase(tx, purchaseId);
  const prices = pricesAfter(purchase, attempt, charges);
  const renewed = advance(subscription, { cause: "paid", startsAt: paidFrom }, now);
  const card = await replaceCard(tx, subscription, attempt, outcome, now);
  await updateSubscription(tx, id, { ...stateOf(renewed), ...prices, lastAttemptAt: sentAt, paymentMethodId: card });
  await recordMoneyKept(tx, purchaseId, true);
  await endGrantsOf(tx, { userId, purchaseId, source: "grace" }, "renewed", now);
  const { currentPeriodStart: startsAt, currentPeriodEnd: paidUntil } = renewed;
  const grant = { userId, tier, source: "renewal", sourceId: attempt.id, purchaseId, startsAt } as const;
  await recordGrant(tx, { ...grant, endsAt: paidUntil }, now);
  const wasHeld = subscription.status === "on_hold" && (await liftHold(tx, userId, now));
  if (subscription.status === "on_hold") {
    await recordEvent(tx, "subscription.resumed", { id, userId, purchaseId }, now);
  }
  const payment = {
    planName,
    amountCents: attempt.amount,
    paidAt: attempt.resolvedAt ?? sentAt,
    card: outcome.card,
    transactionId: outcome.transactionId,
    receiptId: attempt.id,
    receiptNumber: receiptNumberOf(attempt),
    lines: linesOfRenewal(purchase, attempt.amount, planName),
  };
  const next = prices && { cents: prices.price, later: laterOf(prices) };
  const about = { userId, occasion: attempt.id };
  const { nextChargeAt: nextPaymentAt } = renewed;
  if (wasHeld) {
    const facts = { planName, nextPaymentAt, accessUntil: paidUntil, payment, ...(next && { next }) };
    await postEmail(tx, backAgainEmail, { ...about, facts }, now);
  } else {
    await postEmail(
      tx,
      renewedEmail,
      { ...about, facts: { ...payment, paidUntil, nextPaymentAt, ...(next && { next }) } },
      now,
    );
  }
}

/** Null without discounted renewals: the price stays. An older node may have recorded earlier charges, so all are counted. */
function pricesAfter(purchase: PurchaseRow, { id }: AttemptRow, charges: readonly AttemptRow[]): AgreedPrices | null {
  if (purchase.laterAmount === null) return null;
  const earlier = charges.filter((charge) => charge.kind === "renewal" && charge.id !== id);
  return agreedPrices(purchase, earlier.length + 1);
}

/** A card that the student has just submitted changes no retry schedule, and is deleted. */
async function recordRenewalFailure(tx: Db, attempt: AttemptRow, outcome: Failed, now: Date): Promise<void> {
  const subscription = await lockByPurchase(tx, attempt.purchaseId);
  const { customerProfileId, paymentProfileId } = subscription.card;
  if (attempt.initiatedBy === "student" || !isRenewing(subscription)) {
    if (attempt.paymentProfileId !== null && attempt.paymentProfileId !== paymentProfileId) {
      await forgetCardLater(tx, { customerProfileId, paymentProfileId: attempt.paymentProfileId }, now);
    }
    return updateSubscription(tx, subscription.id, { lastAttemptAt: attempt.sentAt });
  }
  // Our fault: stops renewals, and does not count as the student's refusal.
  const isOurs = outcome.kind === "not-processed" && outcome.cause === "credentials";
  if (isOurs) return updateSubscription(tx, subscription.id, { lastAttemptAt: attempt.sentAt });
  const refused = outcome.kind === "declined" ? (outcome.hard ? "for-good" : "declined") : "not-processed";
  await recordRefusal(tx, subscription, { refused, occasion: attempt.id, at: attempt.sentAt }, now);
}

/**
 * Emails the student about a decline; other refusals are reported after a week without payment.
 * @param occasion the refusal's id, for one email only
 */
export async function recordRefusal(
  tx: Db,
  subscription: Subscription,
  { refused, occasion, at }: { readonly refused: Refused; readonly occasion: string; readonly at: Date },
  now: Date,
): Promise<void> {
  const { id, userId, purchaseId, planName, price: amountCents } = subscription;
  const after = advance(subscription, { cause: "refused", refused, at }, now);
  await updateSubscription(tx, id, { ...stateOf(after), lastAttemptAt: at });
  const wasDeclined = refused !== "not-processed" || subscription.status === "declined";
  if (after.status === "on_hold") return closeForPayment(tx, subscription, { wasDeclined, occasion }, now);
  const { nextChargeAt, dunningSince, declinedForGood } = after;
  if (nextChargeAt === null || dunningSince === null) return;
  const openUntil = graceEnd(after, dunningSince, declinedForGood);
  if (subscription.dunningSince === null || subscription.declinedForGood !== declinedForGood) {
    // The grace period of an unanswered charge ends here. From now on the retries determine the end.
    await endGrantsOf(tx, { userId, purchaseId, source: "grace" }, "refused", now);
    if (openUntil > now) await keepOpen(tx, subscription, { until: openUntil, occasion: `declined:${occasion}` }, now);
  }
  if (refused === "not-processed") return;
  await recordEvent(tx, "subscription.declined", { id, userId, purchaseId }, now);
  const facts = {
    planName,
    amountCents,
    nextTryAt: declinedForGood ? null : nextChargeAt,
    openUntil: openUntil > now ? openUntil : null,
    cardPageOf: purchaseId,
  };
  await postEmail(tx, declinedEmail, { userId, occasion, facts }, now);
}

export async function giveUp(tx: Db, subscription: Subscription, occasion: string, now: Date): Promise<void> {
  await updateSubscription(tx, subscription.id, stateOf(advance(subscription, { cause: "given-up" }, now)));
  await closeForPayment(
    tx,
    subscription,
    { wasDeclined: subscription.status === "declined" || subscription.declinedForGood, occasion },
    now,
  );
}

export async function closeForPayment(
  tx: Db,
  subscription: Subscription,
  { wasDeclined, occasion }: { readonly wasDeclined: boolean; readonly occasion: string },
  now: Date,
): Promise<void> {
  const { id, userId, purchaseId, planName, price: amountCents } = subscription;
  // A concurrent suspension stays, because no card may lift it.
  if ((await userById(tx, userId)).accountStatus === "active") {
    await setAccountStatus(tx, userId, "on_hold", wasDeclined ? declinedReason : notChargedReason, now);
    await announceAccess(tx, userId, now);
  }
  await endGrantsOf(tx, { userId, purchaseId, source: "grace" }, "on hold", now);
  await recordEvent(tx, "subscription.held", { id, userId, purchaseId }, now);
  await postEmail(tx, onHoldEmail, { userId, occasion, facts: { planName, amountCents, cardPageOf: purchaseId } }, now);
}

export function keepOpen(
  tx: Db,
  { userId, tier, purchaseId, currentPeriodEnd }: Subscription,
  { until, occasion }: { readonly until: Date; readonly occasion: string },
  now: Date,
): Promise<void> {
  const startsAt = currentPeriodEnd > now ? currentPeriodEnd : now;
  const sourceId = idFor(purchaseId, occasion);
  return recordGrant(tx, { userId, tier, source: "grace", sourceId, purchaseId, startsAt, endsAt: until }, now);
}

/** Ends a hold that waits for a payment, but no suspension. False when there was none. */
export async function liftHold(tx: Db, userId: string, now: Date): Promise<boolean> {
  const { accountStatus } = await userById(tx, userId);
  if (accountStatus !== "on_hold") return false;
  await setAccountStatus(tx, userId, "active", null, now);
  await announceAccess(tx, userId, now);
  return true;
}

export function stateOf(after: Subscription) {
  const { status, currentPeriodStart, currentPeriodEnd, nextChargeAt } = after;
  const { graceFrom, dunningSince, reopenedUntil, declinedForGood, cancelledAt, heldAt } = after;
  return {
    ...{ status, currentPeriodStart, currentPeriodEnd, nextChargeAt },
    ...{ graceFrom, dunningSince, reopenedUntil, declinedForGood, cancelledAt, heldAt },
  };
}

/**
 * Has the previous card deleted. The new one has null ids until the gateway has stored it.
 * @returns the id of the payment method for renewals
 */
async function replaceCard(
  tx: Db,
  { userId, purchaseId, card }: Subscription,
  attempt: AttemptRow,
  outcome: Approved,
  now: Date,
): Promise<string> {
  if (attempt.initiatedBy !== "student") return card.id;
  const { customerProfileId } = card;
  const byNumber = attempt.paymentProfileId && { customerProfileId, paymentProfileId: attempt.paymentProfileId };
  const given = byNumber || outcome.paymentProfile || { customerProfileId: null, paymentProfileId: null };
  if (given.paymentProfileId !== null && given.paymentProfileId === card.paymentProfileId) return card.id;
  const { networkTransactionId } = outcome;
  const { id } = await addPaymentMethod(
    tx,
    { ...given, userId, networkTransactionId, chargedAmount: attempt.amount, ...outcome.card },
    now,
  );
  await forgetCardLater(tx, card, now);
  if (given.paymentProfileId === null) await keepCardLater(tx, purchaseId, now);
  return id;
}
