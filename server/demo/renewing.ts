import { builtInPlanNames } from "#content/plans.ts";
import { after, DAY, MINUTE } from "#server/base/clock.ts";
import { idFor } from "#server/db/id.ts";
import { agreedRenewal } from "#server/purchases/rules.ts";
import { graceAhead, graceEnd, graceTime, startOfPaid } from "#server/subscriptions/rules.ts";
import type { PastAttempt, PastSubscription } from "./rows.ts";
import type { Student } from "./student.ts";

const declinedReason = "Your last payment was declined. Please update your payment method.";
/** Administrators are told of a renewal that is unpaid for this long. */
const unpaidTime = 7 * DAY;

/** Keeps the course open shortly before a paid period ends, as the renewal sweep does. */
export function keepOpenForRenewal(student: Student, subscription: PastSubscription): void {
  const { currentPeriodEnd } = subscription;
  Object.assign(subscription, { graceFrom: currentPeriodEnd });
  const now = nextSweep(after(currentPeriodEnd, -graceAhead));
  keepOpen(student, subscription, after(currentPeriodEnd, graceTime), currentPeriodEnd.toISOString(), now);
}

/** Charges the stored card for the next period. Returns whether it was paid. */
export function renewSubscription(
  student: Student,
  subscription: PastSubscription,
  now: Date,
  { isDeclined = false } = {},
): boolean {
  const { purchase } = subscription;
  const attempt = student.charge(purchase, subscription, !isDeclined, now);
  subscription.lastAttemptAt = now;
  if (isDeclined) {
    recordDecline(student, subscription, attempt);
    return false;
  }
  const at = attempt.resolvedAt ?? now;
  const charges = student.attempts.filter((one) => one.purchaseId === purchase.id && one.state === "approved");
  const startsAt = startOfPaid(attempt, charges);
  student.change(subscription, { cause: "paid", startsAt }, at);
  endGrace(student, subscription, "renewed", at);
  student.grant("renewal", attempt.id, purchase, { startsAt, endsAt: subscription.currentPeriodEnd }, at);
  student.write("renewed", attempt.id, at, duesOf(subscription));
  return true;
}

function recordDecline(
  student: Student,
  subscription: PastSubscription,
  { id, sentAt, resolvedAt }: PastAttempt,
): void {
  const at = resolvedAt ?? sentAt;
  const isFirst = subscription.dunningSince === null;
  student.change(subscription, { cause: "refused", refused: "declined", at: sentAt }, at);
  noteUnpaid(subscription, at);
  if (subscription.status === "on_hold") {
    student.setStatus("on_hold", declinedReason, at);
    endGrace(student, subscription, "on hold", at);
    student.write("on-hold", id, at, duesOf(subscription));
    return;
  }
  if (isFirst) {
    endGrace(student, subscription, "refused", at);
    keepOpen(student, subscription, graceEnd(subscription, sentAt, false), `declined:${id}`, at);
  }
  student.write("declined", id, at, duesOf(subscription));
}

export function noteUnpaid(subscription: PastSubscription, now: Date): void {
  const { dunningSince, currentPeriodEnd } = subscription;
  if (dunningSince && after(currentPeriodEnd, unpaidTime) < now) subscription.unpaidToldFor = currentPeriodEnd;
}

export function cancelSubscription(student: Student, subscription: PastSubscription, now: Date): void {
  stopRenewal(student, subscription, "cancelled", now);
  if (subscription.currentPeriodEnd <= now) student.forgetCard(subscription);
  const { id } = subscription.purchase;
  student.write("cancelled", `${id}:${now.toISOString()}`, now, duesOf(subscription));
  student.lastSeenAt = now;
}

export function stopRenewal(student: Student, subscription: PastSubscription, reason: string, now: Date): void {
  const wasHeld = subscription.status === "on_hold";
  student.change(subscription, { cause: "cancelled" }, now);
  endGrace(student, subscription, reason, now);
  if (wasHeld) student.setStatus("active", null, now);
}

/** What happens when the paid time of a cancelled subscription ends. */
export function expireAccess(student: Student, subscription: PastSubscription): void {
  const { purchase, currentPeriodEnd: now } = subscription;
  const last = student.grants.findLast(({ purchaseId }) => purchaseId === purchase.id);
  student.forgetCard(subscription);
  student.touch(now);
  if (last) student.write("expired", last.id, now, duesOf(subscription));
}

function keepOpen(student: Student, subscription: PastSubscription, until: Date, occasion: string, now: Date): void {
  const { purchase, currentPeriodEnd } = subscription;
  const startsAt = currentPeriodEnd > now ? currentPeriodEnd : now;
  student.grant("grace", idFor(purchase.id, occasion), purchase, { startsAt, endsAt: until }, now);
}

function endGrace(student: Student, { purchase }: PastSubscription, reason: string, now: Date): void {
  student.endGrants(({ source, purchaseId }) => source === "grace" && purchaseId === purchase.id, { reason }, now);
}

function duesOf({ purchase }: PastSubscription) {
  return { planName: builtInPlanNames[purchase.tier], amountCents: agreedRenewal(purchase) };
}

export function nextSweep(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / MINUTE) * MINUTE);
}
