import { type Tier, tierLabels, tierRank } from "#contract/tiers.ts";
import { endOf, type Grant } from "#server/access/rules.ts";
import { differences } from "#server/audit/audited-action.ts";
import { after } from "#server/base/clock.ts";
import { deleted, type User } from "#server/identity/users.ts";
import { agreedRenewal } from "#server/purchases/rules.ts";
import { graceAhead, reactivationTime } from "#server/subscriptions/rules.ts";
import { keepOpen, stopRenewal, withoutDunning } from "./renewing.ts";
import type { PastPurchase } from "./rows.ts";
import type { Student } from "./student.ts";

/** Ends access that has run out. */
export function expireAccess(student: Student, now: Date): void {
  const last = student.ledgerOfAccess().toSorted((one, other) => endTime(other) - endTime(one))[0];
  for (const purchase of student.purchases) student.forgetCard(purchase);
  student.touch(now);
  if (!last?.endsAt || last.endedAt !== null) return;
  student.write("expired", last.id, now, { planName: tierLabels[last.tier], endedAt: last.endsAt });
}

export function holdAccount(student: Student, purchase: PastPurchase, actor: string, reason: string, now: Date): void {
  student.audited(actor, "hold account", reason, now, () => {
    Object.assign(purchase, { subscriptionStatus: "on_hold", nextBillingDate: null });
    student.setStatus("on_hold", reason, now);
    const facts = { planName: tierLabels[purchase.tier], reason };
    student.write("held", `${purchase.id}:${now.toISOString()}`, now, facts);
  });
}

export function suspendAccount(student: Student, actor: string, reason: string, now: Date): void {
  student.audited(actor, "suspend account", reason, now, () => {
    student.setStatus("suspended", reason, now);
    student.write("suspended", now.toISOString(), now, { reason });
  });
}

export function reactivateAccount(student: Student, actor: string, reason: string, now: Date): void {
  student.audited(actor, "reactivate account", reason, now, () => {
    student.setStatus("active", null, now);
    for (const purchase of student.purchases.filter((one) => student.renews(one))) {
      const { paidUntil } = purchase;
      const earliest = after(now, reactivationTime);
      const isOver = paidUntil === null || paidUntil <= now;
      const nextBillingDate = isOver ? earliest : paidUntil;
      const isUnpaid = isOver && purchase.declinedSince !== null;
      const dunning = isUnpaid ? { paymentDeclined: false, reopenedUntil: earliest } : withoutDunning;
      Object.assign(purchase, { subscriptionStatus: "active", nextBillingDate, ...dunning });
      if (!isOver) continue;
      if (isUnpaid) {
        keepOpen(student, purchase, after(earliest, graceAhead), `reopened:${paidUntil?.toISOString()}`, now);
        continue;
      }
      purchase.graceFrom = earliest;
      keepOpen(student, purchase, after(earliest, reactivationTime), `reactivated:${paidUntil?.toISOString()}`, now);
    }
    const subscription = student.purchases.find((one) => student.renews(one));
    const isReopened = subscription !== undefined && subscription.reopenedUntil !== null;
    student.write("back-again", now.toISOString(), now, {
      planName: subscription ? tierLabels[subscription.tier] : null,
      nextPaymentAt: subscription?.nextBillingDate ?? null,
      accessUntil: student.accessAt(now).until,
      payment: null,
      ...(isReopened && {
        due: { amountCents: agreedRenewal(subscription), isTriedAgain: !subscription.declinedForGood, isOpen: true },
      }),
    });
  });
}

export function giveTier(student: Student, tier: Tier, endsAt: Date, actor: string, reason: string, now: Date): void {
  student.audited(actor, "change tier", reason, now, () => {
    const higher = student.ledgerOfAccess().filter((grant) => tierRank(grant.tier) > tierRank(tier));
    student.endAll(higher, "an administrator changed the tier", now);
    const of = { id: null, tier };
    student.grant("administrator", student.newId(), of, { startsAt: now, endsAt, reason }, now);
  });
}

export function signOutEverywhere(student: Student, actor: string, reason: string, now: Date): void {
  student.user.sessionsEndedAt = now;
  const change = { before: { sessions: student.random.whole(2, 5) }, after: { sessions: 0 } };
  student.note(actor, "sign out everywhere", student.user.id, change, reason, now);
}

export function deleteAccount(student: Student, actor: string | null, now: Date): void {
  const before = student.snapshot(now);
  for (const purchase of student.purchases) {
    if (student.renews(purchase)) stopRenewal(student, purchase, "the account was deleted", now);
    if (purchase.cardKeptBy) student.changeEntry(purchase.cardKeptBy, { forgotten: "customer" });
    if (purchase.consent) purchase.consent = { ...purchase.consent, address: "" };
  }
  for (const attempt of student.attempts) attempt.clientHash = null;
  Object.assign(student.user, {
    email: `deleted-${student.user.id}@deleted.invalid`,
    emailVerified: false,
    firstName: null,
    lastName: null,
    phone: null,
    location: null,
    bio: null,
    accountStatus: deleted,
    suspensionReason: null,
    sessionsEndedAt: now,
    updatedAt: now,
  } satisfies Partial<User>);
  student.isDeleted = true;
  if (actor === null) return;
  const change = differences(before, student.snapshot(now));
  student.note(actor, "delete account", student.user.id, change, "asked for it by mail", now);
}

/** Sends the reminders that are due by `until`, as their job would. */
export function remindOfEnd(student: Student, until: Date, price: number): void {
  for (const { name, data, runAt } of student.jobs) {
    const { endsAt, days } = data as { endsAt: string; days: number };
    if (name !== "remind-of-end" || runAt > until || student.isDeleted) continue;
    if (student.accessAt(runAt).until?.toISOString() !== endsAt) continue;
    const facts = { planName: tierLabels.premium, daysLeft: days, endsAt, priceCents: price };
    student.write("ends-soon", `${endsAt}:${days}`, runAt, facts);
  }
}

function endTime(grant: Grant): number {
  return endOf(grant)?.getTime() ?? Number.MAX_SAFE_INTEGER;
}
