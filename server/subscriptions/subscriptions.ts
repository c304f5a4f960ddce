import { decimalAmount } from "#contract/money.ts";
import type { OwnSubscription, OwnSubscriptionState, SubscriptionOverview } from "#contract/purchases/subscriptions.ts";
import type { Tier } from "#contract/tiers.ts";
import { accessOf } from "#server/access/access.ts";
import { endGrantsOf } from "#server/access/grants.ts";
import { after } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { paymentDisputed, whatStops } from "#server/discrepancies/discrepancies.ts";
import { announceEnd } from "#server/identity/sessions/sessions.ts";
import { lockUser, setAccountStatus, type User } from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { hasOpenAttempt } from "#server/payments/attempts.ts";
import { forgetCardLater } from "#server/payments/payment-methods.ts";
import { backAgainEmail, cancelledEmail, heldEmail, resumedEmail, suspendedEmail } from "./emails.ts";
import { keepCardLater } from "./payment-methods.ts";
import { findByPurchase, listSubscriptions, type Subscription, updateSubscription } from "./queries.ts";
import { closeForPayment, keepOpen, liftHold, stateOf } from "./renewal-outcomes.ts";
import {
  advance,
  amountDue,
  graceAhead,
  graceEnd,
  isEndedByGift,
  isRenewing,
  isStoppedOrDeclined,
  notRenewing,
  reactivationTime,
  type SubscriptionStatus,
} from "./rules.ts";

export {
  type CurrentSubscription,
  findByPurchase,
  listCurrentOfMany,
  listSubscriptionsOf,
  type Subscription,
  subscriptionFigures,
} from "./queries.ts";
export {
  isDeclined,
  isEndedByGift,
  isRenewing,
  isReopened,
  startOfPaid,
  statusesShownAs,
  waitsForPayment,
} from "./rules.ts";

export async function describeSubscription(ctx: Context, student: User): Promise<SubscriptionOverview> {
  const now = ctx.clock.now();
  const { tier, source, since, until } = await accessOf(ctx.db, student.id, now);
  const subscription = await findSubscription(ctx.db, student.id, now);
  const isConfirming = await hasOpenAttempt(ctx.db, student.id);
  return {
    access: { tier, source, since: since?.toISOString() ?? null, until: until?.toISOString() ?? null },
    accountStatus: student.accountStatus,
    suspensionReason: student.suspensionReason,
    chargesStopped: (await whatStops(ctx.db, "charges", student.id)).length > 0 ? paymentDisputed : null,
    subscription: subscription && presentSubscription(subscription, student, isConfirming, now),
  };
}

/**
 * The subscription that is not cancelled, or a cancelled one whose period has not ended, unless a higher plan
 * replaced it.
 */
export async function findSubscription(db: Db, userId: string, now: Date): Promise<Subscription | null> {
  const subscriptions = await listSubscriptions(db, userId);
  const current = subscriptions.find(({ status }) => status !== "cancelled");
  if (current) return current;
  const { tier } = await accessOf(db, userId, now);
  return subscriptions.find((one) => one.currentPeriodEnd > now && one.tier === tier) ?? null;
}

export function presentSubscription(
  subscription: Subscription,
  student: User,
  isConfirming: boolean,
  now: Date,
): OwnSubscription {
  const { status, nextChargeAt, declinedForGood, card } = subscription;
  const mayAct = student.accountStatus !== "suspended";
  return {
    purchaseId: subscription.purchaseId,
    subscriptionId: subscription.id,
    planName: subscription.planName,
    tier: subscription.tier,
    state: shownStates[status],
    price: decimalAmount(subscription.price),
    paidUntil: subscription.currentPeriodEnd.toISOString(),
    nextPaymentAt: declinedForGood ? null : (nextChargeAt?.toISOString() ?? null),
    accessUntil: accessUntil(subscription, now)?.toISOString() ?? null,
    amountDue: decimalAmount(amountDue(subscription, now)),
    isConfirming,
    isHeldByAdministrator: status === "held",
    card: card.last4 === null ? null : { brand: card.brand, last4: card.last4 },
    mayCancel: status !== "cancelled",
    mayResume: status === "cancelled" && mayAct,
    mayChangeCard: status !== "cancelled" && mayAct && status !== "held",
  };
}

const shownStates: Readonly<Record<SubscriptionStatus, OwnSubscriptionState>> = {
  active: "renewing",
  retrying: "renewing",
  declined: "declined",
  on_hold: "on-hold",
  held: "on-hold",
  cancelled: "cancelled",
};

function accessUntil(subscription: Subscription, now: Date): Date | null {
  const { status, dunningSince, currentPeriodEnd, declinedForGood } = subscription;
  if (status === "on_hold" || status === "held") return null;
  const openUntil = dunningSince === null ? currentPeriodEnd : graceEnd(subscription, dunningSince, declinedForGood);
  return openUntil > now ? openUntil : null;
}

/**
 * Access lasts until the paid end. A grace period, and a hold for a payment, end now.
 * @throws Refusal not-found, conflict.
 */
export async function cancelSubscription(
  tx: Db,
  where: { readonly userId: string; readonly subscriptionId?: string },
  now: Date,
): Promise<void> {
  const { subscription } = await lockSubscription(tx, where);
  const { userId, purchaseId, planName, currentPeriodEnd, status, card } = subscription;
  if (status === "cancelled") throw notRenewing();
  await stopRenewal(tx, subscription, "cancelled", now);
  const accessUntil = currentPeriodEnd > now ? currentPeriodEnd : null;
  if (!accessUntil) await forgetCardLater(tx, card, now);
  const occasion = `${purchaseId}:${now.toISOString()}`;
  const { tier, until } = await accessOf(tx, userId, now);
  const isOther = tier !== subscription.tier || until?.getTime() !== (accessUntil?.getTime() ?? null);
  const facts = { planName, accessUntil, instead: tier !== null && isOther ? { tier, until } : null };
  await postEmail(tx, cancelledEmail, { userId, occasion, facts }, now);
}

/** For administrators: a hold and its reason stay. @throws Refusal not-found, conflict unless it is active. */
export async function cancelActive(tx: Db, where: Parameters<typeof cancelSubscription>[1], now: Date): Promise<void> {
  const { subscription } = await lockSubscription(tx, where);
  if (!isRenewing(subscription)) {
    throw new Refusal("conflict", "You can only cancel an active subscription. This one is on hold or cancelled.");
  }
  await cancelSubscription(tx, where, now);
}

/** Call after the gift is recorded, so that the email names it. Also ends a held subscription, and a hold for a payment. */
export async function endSubscriptionForGift(
  tx: Db,
  userId: string,
  gift: { readonly tier: Tier; readonly endsAt: Date | null },
  now: Date,
): Promise<void> {
  const current = (await listSubscriptions(tx, userId)).find(({ status }) => status !== "cancelled");
  if (!current || !isEndedByGift(current, gift)) return;
  await cancelSubscription(tx, { userId, subscriptionId: current.id }, now);
}

/** @throws Refusal not-found, conflict when there is none, it is too late, or a higher plan replaced it. */
export async function resumeSubscription(tx: Db, userId: string, now: Date): Promise<void> {
  const student = await lockUser(tx, userId);
  const subscription = await findSubscription(tx, userId, now);
  if (!subscription) throw nothingRenews();
  const resumed = advance(subscription, { cause: "resumed" }, now);
  if (student.accountStatus !== "active") {
    throw new Refusal("account-blocked", student.suspensionReason ?? "Your account is blocked.");
  }
  await updateSubscription(tx, subscription.id, stateOf(resumed));
  const { purchaseId, planName, price: amountCents, currentPeriodEnd: nextPaymentAt, card } = subscription;
  if (card.paymentProfileId === null) await keepCardLater(tx, purchaseId, now);
  const occasion = `${purchaseId}:${now.toISOString()}`;
  await postEmail(tx, resumedEmail, { userId, occasion, facts: { planName, amountCents, nextPaymentAt } }, now);
}

/** Only for a subscription that renews and is not declined. @throws Refusal not-found, conflict. */
export async function holdAccount(
  tx: Db,
  where: { readonly userId: string; readonly subscriptionId: string },
  reason: string | null,
  now: Date,
): Promise<void> {
  const { subscription, student } = await lockSubscription(tx, where);
  const held = advance(subscription, { cause: "held" }, now);
  if (student.accountStatus !== "active") throw new Refusal("conflict", "This account is blocked already.");
  const { id, userId, purchaseId, planName } = subscription;
  await updateSubscription(tx, id, stateOf(held));
  await setAccountStatus(tx, userId, "on_hold", reason, now);
  const occasion = `${purchaseId}:${now.toISOString()}`;
  await postEmail(tx, heldEmail, { userId, occasion, facts: { planName, reason } }, now);
}

/** Blocks access in spite of payments. Nothing is charged meanwhile. @throws Refusal conflict. */
export async function suspendAccount(tx: Db, userId: string, reason: string, now: Date): Promise<void> {
  const student = await lockUser(tx, userId);
  if (student.accountStatus === "suspended") throw new Refusal("conflict", "This account is suspended already.");
  await setAccountStatus(tx, userId, "suspended", reason, now);
  await announceEnd(tx, userId, now);
  await postEmail(tx, suspendedEmail, { userId, occasion: now.toISOString(), facts: { reason } }, now);
}

/** Ends the suspension of an account that was on hold before. @throws Refusal conflict. */
export async function returnToHold(tx: Db, userId: string, reason: string | null, now: Date): Promise<void> {
  const { accountStatus } = await lockUser(tx, userId);
  if (accountStatus !== "suspended") throw new Refusal("conflict", "This account is not suspended.");
  await setAccountStatus(tx, userId, "on_hold", reason, now);
}

/** opens-when-paid: the card is charged within the hour · unpaid: on hold until the student pays. */
export type Reactivated = "opened" | "opened-for-days" | "opens-when-paid" | "unpaid";

/**
 * Charges nothing now. What is unpaid opens for a few days, once before the next payment; else a suspension or an
 * administrator's hold ends, and the account waits for the payment.
 * @throws Refusal conflict, also when it waits for a payment already.
 */
export async function reactivateAccount(tx: Db, userId: string, now: Date): Promise<Reactivated> {
  const { accountStatus } = await lockUser(tx, userId);
  const subscription = (await listSubscriptions(tx, userId)).find(({ status }) => status !== "cancelled");
  if (accountStatus === "active" && !(subscription && isStoppedOrDeclined(subscription))) {
    throw new Refusal("conflict", "This account is active, and no payment is declined.");
  }
  const reactivated = subscription ? advance(subscription, { cause: "reactivated" }, now) : null;
  const isUnpaid = reactivated?.status === "on_hold";
  if (isUnpaid && subscription?.status === "on_hold" && accountStatus !== "suspended") throw usedUp();
  await setAccountStatus(tx, userId, "active", null, now);
  if (subscription && reactivated) await updateSubscription(tx, subscription.id, stateOf(reactivated));
  if (subscription && isUnpaid) {
    const occasion = `reactivated:${now.toISOString()}`;
    await closeForPayment(tx, subscription, { wasDeclined: false, occasion }, now);
    return "unpaid";
  }
  const isReopened = subscription !== undefined && (await keepReactivatedOpen(tx, subscription, reactivated, now));
  const { tier, until: accessUntil } = await accessOf(tx, userId, now);
  const nextPaymentAt = reactivated?.nextChargeAt ?? null;
  const isOpen = tier !== null || nextPaymentAt === null;
  const due = reactivated &&
    (reactivated.dunningSince !== null || !isOpen) && {
      amountCents: reactivated.price,
      isTriedAgain: !reactivated.declinedForGood,
      isOpen,
    };
  const planName = (await findSubscription(tx, userId, now))?.planName ?? null;
  const facts = { planName, nextPaymentAt, accessUntil, payment: null, ...(due && { due }) };
  await postEmail(tx, backAgainEmail, { userId, occasion: now.toISOString(), facts }, now);
  return isReopened ? "opened-for-days" : isOpen ? "opened" : "opens-when-paid";
}

/** The occasions name the paid end, so that none of them opens twice before the next payment. True for an unpaid one. */
async function keepReactivatedOpen(
  tx: Db,
  subscription: Subscription,
  reactivated: Subscription | null,
  now: Date,
): Promise<boolean> {
  const { currentPeriodEnd, graceFrom, reopenedUntil } = subscription;
  if (!reactivated?.nextChargeAt || currentPeriodEnd > now) return false;
  const paidEnd = currentPeriodEnd.toISOString();
  if (reactivated.reopenedUntil !== null && reactivated.reopenedUntil !== reopenedUntil) {
    const until = after(reactivated.reopenedUntil, graceAhead);
    await keepOpen(tx, subscription, { until, occasion: `reopened:${paidEnd}` }, now);
    return true;
  }
  if (reactivated.graceFrom !== graceFrom) {
    const until = after(reactivated.nextChargeAt, reactivationTime);
    await keepOpen(tx, subscription, { until, occasion: `reactivated:${paidEnd}` }, now);
  }
  return false;
}

function usedUp(): Refusal {
  return new Refusal(
    "conflict",
    "This account was reopened before without a payment. It opens again when the student pays with a card.",
  );
}

/** A student has at most one at a time. @returns the name of the replaced plan, or null. */
export async function endOtherSubscriptions(
  tx: Db,
  userId: string,
  purchaseId: string,
  now: Date,
): Promise<string | null> {
  let replaced: string | null = null;
  for (const subscription of await listSubscriptions(tx, userId)) {
    if (subscription.purchaseId === purchaseId || subscription.status === "cancelled") continue;
    await stopRenewal(tx, subscription, "another plan took its place", now);
    await forgetCardLater(tx, subscription.card, now);
    replaced = subscription.planName;
  }
  return replaced;
}

/** Also ends a grace period. */
export async function stopRenewal(tx: Db, subscription: Subscription, reason: string, now: Date): Promise<void> {
  const { id, userId, purchaseId, status } = subscription;
  await updateSubscription(tx, id, stateOf(advance(subscription, { cause: "cancelled" }, now)));
  await endGrantsOf(tx, { userId, purchaseId, source: "grace" }, reason, now);
  // No payment is due any more. An administrator's hold stays.
  if (status === "on_hold") await liftHold(tx, userId, now);
}

/** For days that were given back to a cancelled subscription: after a resume, it renews at their end. */
export async function moveEndedPeriod(
  tx: Db,
  purchaseId: string,
  { startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date },
): Promise<void> {
  const subscription = await findByPurchase(tx, purchaseId);
  if (subscription?.status !== "cancelled") return;
  await updateSubscription(tx, subscription.id, { currentPeriodStart: startsAt, currentPeriodEnd: endsAt });
}

/** Sets the price of each period to the gateway's first charge. */
export async function correctPrice(tx: Db, purchaseId: string, price: number): Promise<void> {
  const subscription = await findByPurchase(tx, purchaseId);
  if (subscription) await updateSubscription(tx, subscription.id, { price });
}

async function lockSubscription(
  tx: Db,
  where: { readonly userId: string; readonly subscriptionId?: string },
): Promise<{ subscription: Subscription; student: User }> {
  const student = await lockUser(tx, where.userId);
  const subscriptions = await listSubscriptions(tx, where.userId);
  const subscription = where.subscriptionId
    ? subscriptions.find(({ id }) => id === where.subscriptionId)
    : (subscriptions.find(({ status }) => status !== "cancelled") ?? subscriptions[0]);
  if (!subscription) throw notFound("membership");
  return { subscription, student };
}

export function nothingRenews(): Refusal {
  return new Refusal("not-found", "You have no membership that renews.");
}
