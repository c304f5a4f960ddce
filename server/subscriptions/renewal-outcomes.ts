import { endGrantsOf, recordGrant } from "#server/access/access.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { setAccountStatus, userById } from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import type { AttemptRow } from "#server/payments/attempts.ts";
import type { Approved, Failed, OutcomeHandler } from "#server/payments/handlers.ts";
import { periodEnd } from "#server/purchases/periods.ts";
import { findPlanName, lockPurchase, type PurchaseRow } from "#server/purchases/purchases.ts";
import { declinedEmail, onHoldEmail } from "./dunning-emails.ts";
import { backAgainEmail, renewedEmail } from "./emails.ts";
import { updateSubscription } from "./queries.ts";
import {
  graceEnd,
  isHeldByAdministrator,
  isHeldForPayment,
  lastTry,
  nextTry,
  type Refused,
  renewalStart,
} from "./rules.ts";
import { forgetCardLater, keepCardLater } from "./stored-cards.ts";

const declinedReason = "Your last payment was declined. Please update your payment method.";
const notChargedReason = "Your renewal could not be charged. Please update your payment method.";

/** What follows from a charge for the next 30 days. */
export const renewalOutcomes: OutcomeHandler = { approved: completeRenewal, failed: recordRenewalFailure };

/**
 * A renewal is paid: the next 30 days are open, whatever stood against it is cleared, and a card that was given for it
 * becomes the one that is charged from now on. A cancellation that came meanwhile stays, and so does an administrator's
 * hold, whichever card paid.
 */
async function completeRenewal(tx: Db, attempt: AttemptRow, outcome: Approved, now: Date): Promise<void> {
  const purchase = await lockPurchase(tx, attempt.purchaseId);
  const startsAt = renewalStart(attempt.renewsFrom ?? attempt.sentAt, attempt.sentAt);
  const paidUntil = periodEnd(purchase.tier, startsAt);
  const mayLift = isHeldForPayment(purchase);
  const isStopped = purchase.subscriptionStatus === "cancelled" || isHeldByAdministrator(purchase);
  const newCard = newCardOf(purchase, attempt, outcome);
  await updateSubscription(tx, purchase.id, {
    paidUntil,
    nextBillingDate: isStopped ? null : paidUntil,
    subscriptionStatus: isStopped ? purchase.subscriptionStatus : "active",
    lastPaymentAttempt: attempt.sentAt,
    ...cleared,
    ...(newCard && { ...newCard, cardBrand: outcome.card.brand, cardLast4: outcome.card.last4 }),
  });
  if (newCard) await forgetCardLater(tx, purchase, now);
  if (newCard?.paymentProfileId === null) await keepCardLater(tx, purchase.id, now);
  await endGrantsOf(tx, { userId: purchase.userId, purchaseId: purchase.id, source: "grace" }, "renewed", now);
  await recordGrant(
    tx,
    {
      userId: purchase.userId,
      tier: purchase.tier,
      source: "renewal",
      sourceId: attempt.id,
      purchaseId: purchase.id,
      startsAt,
      endsAt: paidUntil,
    },
    now,
  );
  const wasHeld = mayLift && (await liftHold(tx, purchase.userId, now));
  const payment = {
    planName: await findPlanName(tx, purchase.planId),
    amountCents: attempt.amount,
    paidAt: attempt.sentAt,
    card: outcome.card,
    transactionId: outcome.transactionId,
    receiptId: attempt.id,
  };
  const { planName } = payment;
  const nextPaymentAt = isStopped ? null : paidUntil;
  const about = { userId: purchase.userId, occasion: attempt.id };
  if (wasHeld) {
    const facts = { planName, nextPaymentAt, accessUntil: paidUntil, payment };
    await postEmail(tx, backAgainEmail, { ...about, facts }, now);
  } else {
    const facts = { ...payment, paidUntil: paidUntil ?? now, nextPaymentAt };
    await postEmail(tx, renewedEmail, { ...about, facts }, now);
  }
}

/** What a payment, or somebody who forgives it, takes away. */
export const cleared = { paymentDeclined: false, declinedSince: null, declinedForGood: false } as const;

/**
 * A renewal did not go through: it is tried again on the days of the rules, and then the account goes on hold. A card
 * that the student gave just now changes no schedule, and is not kept.
 */
async function recordRenewalFailure(tx: Db, attempt: AttemptRow, outcome: Failed, now: Date): Promise<void> {
  const purchase = await lockPurchase(tx, attempt.purchaseId);
  const isGivenNow = attempt.clientHash !== null;
  if (isGivenNow || purchase.subscriptionStatus !== "active") {
    if (attempt.paymentProfileId !== null && attempt.paymentProfileId !== purchase.paymentProfileId) {
      await forgetCardLater(tx, { ...purchase, paymentProfileId: attempt.paymentProfileId }, now);
    }
    await updateSubscription(tx, purchase.id, { lastPaymentAttempt: attempt.sentAt });
    return;
  }
  // Our own fault: renewals are stopped, and nothing is counted against the student.
  const isOurs = outcome.kind === "not-processed" && outcome.cause === "credentials";
  if (isOurs) {
    await updateSubscription(tx, purchase.id, { lastPaymentAttempt: attempt.sentAt });
    return;
  }
  const refused = outcome.kind === "declined" ? (outcome.hard ? "for-good" : "declined") : "not-processed";
  await recordRefusal(tx, purchase, { refused, occasion: attempt.id, at: attempt.sentAt }, now);
}

/**
 * The card that renewals are charged to was refused at `at`, or could not be asked for. `occasion` names the refusal: a
 * decline is written to the student once; of anything else they hear after a week without a payment.
 */
export async function recordRefusal(
  tx: Db,
  purchase: PurchaseRow,
  { refused, occasion, at }: { readonly refused: Refused; readonly occasion: string; readonly at: Date },
  now: Date,
): Promise<void> {
  const declinedSince = purchase.declinedSince ?? at;
  const forGood = refused === "for-good";
  const next = nextTry(declinedSince, now, refused);
  const isDeclined = refused !== "not-processed" || purchase.paymentDeclined;
  await updateSubscription(tx, purchase.id, {
    paymentDeclined: isDeclined,
    declinedSince,
    declinedForGood: forGood,
    lastPaymentAttempt: at,
    nextBillingDate: next,
  });
  if (next === null) return holdForPayment(tx, { ...purchase, paymentDeclined: isDeclined }, occasion, now);
  const openUntil = graceEnd(purchase, declinedSince, forGood);
  if (purchase.declinedSince === null || purchase.declinedForGood !== forGood) {
    // What was kept open while the answer was outstanding ends with it; from here on the tries say until when.
    await endGrantsOf(tx, { userId: purchase.userId, purchaseId: purchase.id, source: "grace" }, "refused", now);
    if (openUntil > now) await keepOpen(tx, purchase, { until: openUntil, occasion: `declined:${occasion}` }, now);
  }
  if (refused === "not-processed") return;
  const facts = {
    planName: await findPlanName(tx, purchase.planId),
    amountCents: purchase.amount,
    nextTryAt: forGood ? null : next,
    finalAt: lastTry(declinedSince, forGood),
    openUntil: openUntil > now ? openUntil : null,
    cardPageOf: purchase.id,
  };
  await postEmail(tx, declinedEmail, { userId: purchase.userId, occasion, facts }, now);
}

/** Nothing more is tried: the account is held until a new card comes, and what was kept open ends. */
export async function holdForPayment(tx: Db, purchase: PurchaseRow, occasion: string, now: Date): Promise<void> {
  await updateSubscription(tx, purchase.id, {
    subscriptionStatus: "on_hold",
    paymentDeclined: true,
    nextBillingDate: null,
  });
  // A suspension that came while the charge was under way stays: no card may lift it.
  if ((await userById(tx, purchase.userId)).accountStatus === "active") {
    const reason = purchase.paymentDeclined ? declinedReason : notChargedReason;
    await setAccountStatus(tx, purchase.userId, "on_hold", reason, now);
  }
  await endGrantsOf(tx, { userId: purchase.userId, purchaseId: purchase.id, source: "grace" }, "on hold", now);
  const { userId, planId, amount: amountCents, id: cardPageOf } = purchase;
  const facts = { planName: await findPlanName(tx, planId), amountCents, cardPageOf };
  await postEmail(tx, onHoldEmail, { userId, occasion, facts }, now);
}

/** Keeps the course open past the paid period. */
export function keepOpen(
  tx: Db,
  purchase: PurchaseRow,
  { until, occasion }: { readonly until: Date; readonly occasion: string },
  now: Date,
): Promise<void> {
  return recordGrant(
    tx,
    {
      userId: purchase.userId,
      tier: purchase.tier,
      source: "grace",
      sourceId: idFor(purchase.id, occasion),
      purchaseId: purchase.id,
      startsAt: purchase.paidUntil !== null && purchase.paidUntil > now ? purchase.paidUntil : now,
      endsAt: until,
    },
    now,
  );
}

/**
 * Ends a hold that waited for a payment, and says whether there was one; a suspension is an administrator's to end. The
 * caller has seen that the subscription was held for a payment.
 */
export async function liftHold(tx: Db, userId: string, now: Date): Promise<boolean> {
  const { accountStatus } = await userById(tx, userId);
  if (accountStatus !== "on_hold") return false;
  await setAccountStatus(tx, userId, "active", null, now);
  return true;
}

/** The card that the student gave, if it is another one; its numbers are null when the gateway has yet to keep it. */
function newCardOf(purchase: PurchaseRow, attempt: AttemptRow, outcome: Approved): Partial<PurchaseRow> | null {
  if (attempt.clientHash === null) return null;
  const { customerProfileId } = purchase;
  const byNumber = attempt.paymentProfileId && { customerProfileId, paymentProfileId: attempt.paymentProfileId };
  const given = byNumber || outcome.storedCard || { customerProfileId: null, paymentProfileId: null };
  if (given.paymentProfileId !== null && given.paymentProfileId === purchase.paymentProfileId) return null;
  return { ...given, networkTransactionId: outcome.networkTransactionId };
}
