import { decimalAmount } from "#contract/money.ts";
import type { OwnSubscription, OwnSubscriptionState, SubscriptionOverview } from "#contract/purchases/subscriptions.ts";
import type { Tier } from "#contract/tiers.ts";
import { accessOf } from "#server/access/access.ts";
import { endGrantsOf } from "#server/access/grants.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { paymentDisputed, whatStops } from "#server/discrepancies/discrepancies.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { hasOpenAttempt } from "#server/payments/attempts.ts";
import { forgetCardLater } from "#server/payments/payment-methods.ts";
import { laterOf } from "#server/purchases/purchases.ts";
import { cancelledEmail, resumedEmail } from "./emails.ts";
import { keepCardLater } from "./payment-methods.ts";
import { findByPurchase, listSubscriptions, type Subscription, updateSubscription } from "./queries.ts";
import { liftHold, stateOf } from "./renewal-outcomes.ts";
import { advance, amountDue, graceEnd, isEndedByGift, notRenewing, type SubscriptionStatus } from "./rules.ts";

export {
  findByPurchase,
  isRenewable,
  type Subscription,
  subscriptionFigures,
} from "./queries.ts";
export {
  isDeclined,
  isEndedByGift,
  isReopened,
  renewingStatuses,
  startOfPaid,
  statusesShownAs,
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
    later: laterOf(subscription),
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

/** Call after the gift is recorded, so that the email names it. Also ends a held subscription, and a hold for a payment. */
export async function endSubscriptionForGift(
  tx: Db,
  userId: string,
  gift: { readonly tier: Tier; readonly endsAt: Date | null },
  now: Date,
): Promise<void> {
  const ended = await findEndedByGift(tx, userId, gift);
  if (ended) await cancelSubscription(tx, { userId, subscriptionId: ended.id }, now);
}

/** The subscription that `endSubscriptionForGift` would end. */
export async function findEndedByGift(
  db: Db,
  userId: string,
  gift: { readonly tier: Tier; readonly endsAt: Date | null },
): Promise<Subscription | null> {
  const current = (await listSubscriptions(db, userId)).find(({ status }) => status !== "cancelled");
  return current && isEndedByGift(current, gift) ? current : null;
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
  await recordEvent(tx, "subscription.resumed", { id: subscription.id, userId, purchaseId }, now);
  if (card.paymentProfileId === null) await keepCardLater(tx, purchaseId, now);
  const occasion = `${purchaseId}:${now.toISOString()}`;
  const facts = { planName, amountCents, nextPaymentAt, later: laterOf(subscription) };
  await postEmail(tx, resumedEmail, { userId, occasion, facts }, now);
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
  if (status !== "cancelled") await recordEvent(tx, "subscription.cancelled", { id, userId, purchaseId }, now);
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

export async function lockSubscription(
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
  return new Refusal("not-found", "You don't have a membership that renews.");
}
