import { decimalAmount } from "#contract/money.ts";
import type { Membership, MembershipOverview, MembershipState } from "#contract/purchases/memberships.ts";
import { accessOf, endGrantsOf } from "#server/access/access.ts";
import { after } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { lockUser, setAccountStatus, type User } from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { hasOpenAttempt } from "#server/payments/attempts.ts";
import type { PurchaseRow, PurchaseWithPlan } from "#server/purchases/purchases.ts";
import { Refusal } from "#server/refusal.ts";
import { backAgainEmail, cancelledEmail, heldEmail, resumedEmail, suspendedEmail } from "./emails.ts";
import { listSubscriptions, updateSubscription } from "./queries.ts";
import { cleared, keepOpen, liftHold } from "./renewal-outcomes.ts";
import {
  amountDue,
  graceEnd,
  isHeldByAdministrator,
  isHeldForPayment,
  reactivationTime,
  requireRenewing,
} from "./rules.ts";
import { forgetCardLater, keepCardLater } from "./stored-cards.ts";

export { renewalStart } from "./rules.ts";

type SubscriptionRow = PurchaseWithPlan;

/** What a student may use, until when and why, and the subscription behind it, with what may be done about it. */
export async function describeSubscription(ctx: Context, student: User): Promise<MembershipOverview> {
  const now = ctx.clock.now();
  const { tier, source, since, until } = await accessOf(ctx.db, student.id, now);
  const subscription = await findSubscription(ctx.db, student.id, now);
  return {
    access: { tier, source, since: since?.toISOString() ?? null, until: until?.toISOString() ?? null },
    accountStatus: student.accountStatus,
    suspensionReason: student.suspensionReason,
    membership:
      subscription && presentSubscription(subscription, student, await hasOpenAttempt(ctx.db, student.id), now),
  };
}

/**
 * The subscription that a student has now: one that renews, is declined or held, or one that is cancelled and still runs.
 * One that gave way to a higher plan is none any more.
 */
export async function findSubscription(db: Db, userId: string, now: Date): Promise<SubscriptionRow | null> {
  const subscriptions = await listSubscriptions(db, userId);
  const current = subscriptions.find(({ subscriptionStatus }) => subscriptionStatus !== "cancelled");
  if (current) return current;
  const { tier } = await accessOf(db, userId, now);
  return subscriptions.find((one) => one.paidUntil !== null && one.paidUntil > now && one.tier === tier) ?? null;
}

/** As its owner sees it. */
export function presentSubscription(
  purchase: SubscriptionRow,
  student: User,
  isConfirming: boolean,
  now: Date,
): Membership {
  const { paidUntil, nextBillingDate, cardBrand, cardLast4 } = purchase;
  const state = stateOf(purchase);
  const mayAct = student.accountStatus !== "suspended";
  const isHeld = isHeldByAdministrator(purchase);
  return {
    purchaseId: purchase.id,
    subscriptionId: purchase.subscriptionId ?? "",
    planName: purchase.planName,
    tier: purchase.tier,
    state,
    price: decimalAmount(purchase.amount),
    paidUntil: (paidUntil ?? purchase.createdAt).toISOString(),
    nextPaymentAt: purchase.declinedForGood ? null : (nextBillingDate?.toISOString() ?? null),
    accessUntil: accessUntil(purchase, now)?.toISOString() ?? null,
    amountDue: decimalAmount(amountDue(purchase, now)),
    isConfirming,
    isHeldByAdministrator: isHeld,
    card: cardLast4 === null ? null : { brand: cardBrand, last4: cardLast4 },
    mayCancel: state !== "cancelled",
    mayResume: state === "cancelled" && mayAct,
    mayChangeCard: state !== "cancelled" && mayAct && !isHeld,
  };
}

function stateOf(purchase: PurchaseRow): MembershipState {
  if (purchase.subscriptionStatus === "on_hold") return "on-hold";
  if (purchase.subscriptionStatus === "cancelled") return "cancelled";
  return purchase.paymentDeclined ? "declined" : "renewing";
}

function accessUntil(purchase: PurchaseRow, now: Date): Date | null {
  const { declinedSince, paidUntil } = purchase;
  if (purchase.subscriptionStatus === "on_hold") return null;
  if (declinedSince === null) return paidUntil !== null && paidUntil > now ? paidUntil : null;
  const openUntil = graceEnd(purchase, declinedSince, purchase.declinedForGood);
  return openUntil > now ? openUntil : null;
}

/**
 * Stops a renewal: nothing more is charged, the course stays open to the end of what is paid. What was kept open past it
 * ends now, and so does a hold that waited for a payment.
 * @param where the student's own subscription, or the one of this number.
 * @returns the purchase as it was.
 * @throws Refusal not-found, conflict when it was stopped before.
 */
export async function cancelSubscription(
  tx: Db,
  where: { readonly userId: string; readonly subscriptionId?: string },
  now: Date,
): Promise<SubscriptionRow> {
  const { subscription } = await lockSubscription(tx, where);
  if (subscription.subscriptionStatus === "cancelled") {
    throw new Refusal("conflict", "This membership does not renew any more.");
  }
  await stopRenewal(tx, subscription, "cancelled", now);
  const stillOpen = subscription.paidUntil !== null && subscription.paidUntil > now;
  if (!stillOpen) await forgetCardLater(tx, subscription, now);
  const occasion = `${subscription.id}:${now.toISOString()}`;
  const facts = { planName: subscription.planName, accessUntil: stillOpen ? subscription.paidUntil : null };
  await postEmail(tx, cancelledEmail, { userId: where.userId, occasion, facts }, now);
  return subscription;
}

/**
 * Takes a cancellation back before the paid period ends. @throws Refusal not-found, conflict when there is none, when it
 * is too late, or when a higher plan took its place.
 */
export async function resumeSubscription(tx: Db, userId: string, now: Date): Promise<void> {
  const student = await lockUser(tx, userId);
  const subscription = await findSubscription(tx, userId, now);
  if (!subscription) throw new Refusal("not-found", "You have no membership that renews.");
  if (subscription.subscriptionStatus !== "cancelled" || subscription.paidUntil === null) {
    throw new Refusal("conflict", "This membership was not cancelled.");
  }
  if (student.accountStatus !== "active") {
    throw new Refusal("account-blocked", student.suspensionReason ?? "Your account is blocked.");
  }
  await updateSubscription(tx, subscription.id, {
    subscriptionStatus: "active",
    nextBillingDate: subscription.paidUntil,
  });
  if (subscription.paymentProfileId === null) await keepCardLater(tx, subscription.id, now);
  const { planName, amount: amountCents, paidUntil: nextPaymentAt } = subscription;
  const occasion = `${subscription.id}:${now.toISOString()}`;
  await postEmail(tx, resumedEmail, { userId, occasion, facts: { planName, amountCents, nextPaymentAt } }, now);
}

/**
 * Places an account on hold: the course is closed and nothing is charged until it is reactivated or a new card comes.
 * Only for a subscription that renews, runs and is not declined.
 * @throws Refusal not-found, conflict.
 */
export async function holdAccount(
  tx: Db,
  where: { readonly userId: string; readonly subscriptionId: string },
  reason: string | null,
  now: Date,
): Promise<SubscriptionRow> {
  const { subscription, student } = await lockSubscription(tx, where);
  requireRenewing(subscription);
  if (subscription.paymentDeclined) throw new Refusal("conflict", "A declined membership goes on hold by itself.");
  if (student.accountStatus !== "active") throw new Refusal("conflict", "This account is blocked already.");
  await updateSubscription(tx, subscription.id, { subscriptionStatus: "on_hold", nextBillingDate: null });
  await setAccountStatus(tx, where.userId, "on_hold", reason, now);
  const occasion = `${subscription.id}:${now.toISOString()}`;
  const facts = { planName: subscription.planName, reason };
  await postEmail(tx, heldEmail, { userId: where.userId, occasion, facts }, now);
  return subscription;
}

/** Closes the course to an account, whatever it has paid for. Nothing is charged meanwhile. @throws Refusal conflict. */
export async function suspendAccount(tx: Db, userId: string, reason: string, now: Date): Promise<void> {
  const student = await lockUser(tx, userId);
  if (student.accountStatus === "suspended") throw new Refusal("conflict", "This account is suspended already.");
  await setAccountStatus(tx, userId, "suspended", reason, now);
  await postEmail(tx, suspendedEmail, { userId, occasion: now.toISOString(), facts: { reason } }, now);
}

/**
 * Opens a declined, held or suspended account again. It charges nothing: a subscription is charged next at the end of what
 * is paid, in a few days at the earliest, and stays open until then.
 * @throws Refusal conflict when nothing stands against the account.
 */
export async function reactivateAccount(tx: Db, userId: string, now: Date): Promise<void> {
  const student = await lockUser(tx, userId);
  const blocked = (await listSubscriptions(tx, userId)).filter(
    (one) => one.subscriptionStatus !== "cancelled" && (one.paymentDeclined || one.subscriptionStatus === "on_hold"),
  );
  if (student.accountStatus === "active" && blocked.length === 0) {
    throw new Refusal("conflict", "This account is active, and no payment is declined.");
  }
  await setAccountStatus(tx, userId, "active", null, now);
  for (const subscription of await listSubscriptions(tx, userId)) {
    if (subscription.subscriptionStatus === "cancelled") continue;
    const earliest = after(now, reactivationTime);
    const { paidUntil } = subscription;
    const nextBillingDate = paidUntil !== null && paidUntil > now ? paidUntil : earliest;
    await updateSubscription(tx, subscription.id, {
      subscriptionStatus: "active",
      nextBillingDate,
      ...cleared,
      // An administrator lets the grace count anew, from the charge on.
      ...(nextBillingDate === earliest && { graceFrom: earliest }),
    });
    if (nextBillingDate === earliest) {
      const until = after(earliest, reactivationTime);
      await keepOpen(tx, subscription, { until, occasion: `reactivated:${now.toISOString()}` }, now);
    }
  }
  const subscription = await findSubscription(tx, userId, now);
  const { until: accessUntil } = await accessOf(tx, userId, now);
  const facts = {
    planName: subscription?.planName ?? null,
    nextPaymentAt: subscription?.nextBillingDate ?? null,
    accessUntil,
    payment: null,
  };
  await postEmail(tx, backAgainEmail, { userId, occasion: now.toISOString(), facts }, now);
}

/**
 * Ends every other subscription of a student who bought another plan: one person pays for one at a time. Returns the name
 * of the plan that gave way, or null.
 */
export async function endOtherSubscriptions(
  tx: Db,
  userId: string,
  purchaseId: string,
  now: Date,
): Promise<string | null> {
  let replaced: string | null = null;
  for (const subscription of await listSubscriptions(tx, userId)) {
    if (subscription.id === purchaseId || subscription.subscriptionStatus === "cancelled") continue;
    await stopRenewal(tx, subscription, "another plan took its place", now);
    await forgetCardLater(tx, subscription, now);
    replaced = subscription.planName;
  }
  return replaced;
}

/** Nothing more is charged for a purchase, and nothing is kept open past what is paid. */
export async function stopRenewal(tx: Db, purchase: PurchaseRow, reason: string, now: Date): Promise<void> {
  await updateSubscription(tx, purchase.id, { subscriptionStatus: "cancelled", nextBillingDate: null, ...cleared });
  await endGrantsOf(tx, { userId: purchase.userId, purchaseId: purchase.id, source: "grace" }, reason, now);
  // That payment is not wanted any more. A hold that an administrator placed stays.
  if (isHeldForPayment(purchase)) await liftHold(tx, purchase.userId, now);
}

async function lockSubscription(
  tx: Db,
  where: { readonly userId: string; readonly subscriptionId?: string },
): Promise<{ subscription: SubscriptionRow; student: User }> {
  const student = await lockUser(tx, where.userId);
  const subscriptions = await listSubscriptions(tx, where.userId);
  const subscription = where.subscriptionId
    ? subscriptions.find((one) => one.subscriptionId === where.subscriptionId)
    : (subscriptions.find((one) => one.subscriptionStatus !== "cancelled") ?? subscriptions[0]);
  if (!subscription) throw new Refusal("not-found", "There is no such membership.");
  return { subscription, student };
}
