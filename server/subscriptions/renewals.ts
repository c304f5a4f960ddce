import { z } from "zod";
import { after, DAY, MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { recordDiscrepancy, repairedAt, whatStops } from "#server/discrepancies/discrepancies.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { defineJob, scheduleJob, scheduleJobs } from "#server/jobs/jobs.ts";
import { type AttemptRow, hasOpenAttempt, recordSent } from "#server/payments/attempts.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { invoiceOf } from "#server/payments/invoices.ts";
import { chargeUnlessPaid } from "#server/payments/lookups.ts";
import { recordOutcome } from "#server/payments/outcomes.ts";
import { keepMissingCard } from "./payment-methods.ts";
import {
  countAttempts,
  countInvoiced,
  countNotFound,
  countTries,
  findByPurchase,
  listDueRenewals,
  listWaiting,
  listWithoutGrace,
  lockByPurchase,
  markGrace,
  type Subscription,
} from "./queries.ts";
import { giveUp, keepOpen, recordRefusal } from "./renewal-outcomes.ts";
import {
  type CredentialsStop,
  endCredentialsStop,
  findRenewalStops,
  markExtended,
  mayRenew,
  probeCredentials,
} from "./renewal-stops.ts";
import { graceAhead, graceTime, isDue, maxTries, maxUnknown, spread } from "./rules.ts";
import { notifyUnpaid } from "./unpaid.ts";

const sweepSize = 10_000;
const maxLeading = 5;
/** On each day of a dispute, or on which the gateway refuses our credentials, waiting students get access for this long. */
const waitingTime = 2 * DAY;

export const sweepRenewalsJob = defineJob("sweep-renewals", z.object({}), { lane: "gateway" });
export const renewJob = defineJob("renew", z.object({ purchaseId: z.string() }), { lane: "gateway" });
/** Handled by reconciliation, which this domain must not import. */
export const reconcileNowJob = defineJob("reconcile-now", z.object({}), { lane: "gateway" });

/** Reads due renewals from the database, so that no outage or lost job skips one. Tries one before all others. */
export async function sweepRenewals(ctx: PaymentContext): Promise<void> {
  const now = ctx.clock.now();
  const { credentials, restoredAt } = await findRenewalStops(ctx.db);
  await keepDueOpen(ctx, credentials, now);
  if (credentials) await probeCredentials(ctx, credentials);
  if (restoredAt) await askForComparison(ctx.db, now);
  const due = await listDueRenewals(ctx.db, now, sweepSize);
  const tried = await renewFirst(ctx, due);
  if (tried < due.length && (await mayRenew(ctx.db, { isTrial: false }))) {
    await scheduleJobs(
      ctx.db,
      renewJob,
      due.slice(tried).map((purchaseId, position) => {
        const runAt = after(now, spread(position));
        return { data: { purchaseId }, key: purchaseId, runAt, now };
      }),
    );
  }
  await notifyUnpaid(ctx);
  await scheduleRenewals(ctx.db, now);
}

async function askForComparison(db: Db, now: Date): Promise<void> {
  const quarter = Math.floor(now.getTime() / (15 * MINUTE));
  await scheduleJob(db, reconcileNowJob, { data: {}, key: `restored:${quarter}`, runAt: now, now });
}

async function keepDueOpen(ctx: Context, credentials: CredentialsStop | null, now: Date): Promise<void> {
  for (const subscription of await listWithoutGrace(ctx.db, after(now, graceAhead), sweepSize)) {
    await ctx.db.transaction(async (tx) => {
      await lockUser(tx, subscription.userId);
      if (!(await markGrace(tx, subscription))) return;
      const { currentPeriodEnd } = subscription;
      const occasion = currentPeriodEnd.toISOString();
      await keepOpen(tx, subscription, { until: after(currentPeriodEnd, graceTime), occasion }, now);
    });
  }
  const day = now.toISOString().slice(0, 10);
  await keepWaitingOpen(ctx, { areDisputed: true, occasion: `disputed:${day}` }, now);
  if (!credentials || credentials.extendedOn === day) return;
  await keepWaitingOpen(ctx, { areDisputed: false, occasion: `stopped:${day}` }, now);
  await markExtended(ctx.db, day, now);
}

async function keepWaitingOpen(
  ctx: Context,
  { areDisputed, occasion }: { readonly areDisputed: boolean; readonly occasion: string },
  now: Date,
): Promise<void> {
  for (const subscription of await listWaiting(ctx.db, now, { areDisputed, limit: sweepSize })) {
    await ctx.db.transaction(async (tx) => {
      await lockUser(tx, subscription.userId);
      const current = await lockByPurchase(tx, subscription.purchaseId);
      if (!current.isPaid || !isDue(current, now)) return;
      await keepOpen(tx, subscription, { until: after(now, waitingTime), occasion }, now);
    });
  }
}

async function renewFirst(ctx: PaymentContext, due: readonly string[]): Promise<number> {
  for (const [tried, purchaseId] of due.entries()) {
    if (!(await mayRenew(ctx.db, { isTrial: true }))) return tried;
    // Without a stop, gives up after a few. A stop ends only by a trial, so goes on however many cannot be tried.
    if (tried >= maxLeading && (await mayRenew(ctx.db, { isTrial: false }))) return tried;
    const attempt = await chargeNext(ctx, purchaseId, { isTrial: true }).catch((error) => {
      ctx.log.warn({ err: error, purchaseId }, "a renewal failed before others");
      return null;
    });
    if (attempt === null) continue;
    if (attempt.cause !== "credentials") await endCredentialsStop(ctx);
    return tried + 1;
  }
  return due.length;
}

/** At most the size of a sweep. */
export async function countLateRenewals(db: Db, before: Date): Promise<number> {
  return (await listDueRenewals(db, before, sweepSize)).length;
}

export async function scheduleRenewals(db: Db, now: Date): Promise<void> {
  const runAt = new Date(Math.ceil((now.getTime() + 1) / MINUTE) * MINUTE);
  await scheduleJob(db, sweepRenewalsJob, { data: {}, key: runAt.toISOString(), runAt, now });
}

/** Charges once for the period, or records why not. Safe on several nodes at once. */
export async function renew(ctx: PaymentContext, { purchaseId }: { purchaseId: string }): Promise<void> {
  if (await mayRenew(ctx.db, { isTrial: false })) await chargeNext(ctx, purchaseId, { isTrial: false });
}

async function chargeNext(
  ctx: PaymentContext,
  purchaseId: string,
  { isTrial }: { isTrial: boolean },
): Promise<AttemptRow | null> {
  try {
    await keepMissingCard(ctx, purchaseId);
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ purchaseId, reason: error.message }, "a renewal waits until the gateway has kept its card");
    return null;
  }
  const claimed = await claimRenewal(ctx, purchaseId, { isTrial });
  if (!claimed) return null;
  const { attempt, subscription, student } = claimed;
  const { customerProfileId, paymentProfileId, networkTransactionId, chargedAmount } = subscription.card;
  const outcome = await chargeUnlessPaid(ctx, attempt, () =>
    ctx.gateway.chargeStored({
      ...chargeOf(attempt, student, subscription.planName),
      paymentProfile: { customerProfileId: customerProfileId ?? "", paymentProfileId: paymentProfileId ?? "" },
      first: { networkTransactionId, amountCents: chargedAmount ?? subscription.price },
    }),
  );
  return recordOutcome(ctx, attempt.id, outcome, { isFirst: true });
}

export function chargeOf(attempt: AttemptRow, student: User, planName: string) {
  return {
    reference: attempt.reference,
    invoiceNumber: attempt.invoiceNumber,
    amountCents: attempt.amount,
    description: `${planName}, 30 days`,
    customer: {
      id: student.id,
      email: student.email,
      firstName: student.firstName ?? "",
      lastName: student.lastName ?? "",
    },
  };
}

/** Commits before the gateway is called. */
async function claimRenewal(ctx: PaymentContext, purchaseId: string, { isTrial }: { isTrial: boolean }) {
  return ctx.db.transaction(async (tx) => {
    const found = await findByPurchase(tx, purchaseId);
    if (!found) return null;
    const student = await lockUser(tx, found.userId);
    if (!(await mayRenew(tx, { isTrial }))) return null;
    const now = ctx.clock.now();
    const subscription = await lockByPurchase(tx, purchaseId);
    if (!subscription.isPaid || !isDue(subscription, now) || student.accountStatus !== "active") return null;
    if (await hasOpenAttempt(tx, student.id)) return null;
    if ((await whatStops(tx, "charges", student.id)).length > 0) return null;
    if (await ctx.paymentHandlers.hasOpenRefund(tx, purchaseId)) return null;
    const occasion = `${subscription.currentPeriodEnd.toISOString()}:${now.toISOString()}`;
    const tries = await countTries(tx, purchaseId, after(now, -maxTries.within));
    if (subscription.declinedForGood || tries >= maxTries.count) {
      await giveUp(tx, subscription, occasion, now);
      return null;
    }
    const { customerProfileId, paymentProfileId } = subscription.card;
    if (paymentProfileId === null || customerProfileId === null) {
      await recordRefusal(tx, subscription, { refused: "for-good", occasion, at: now }, now);
      return null;
    }
    if (await needsManualReview(tx, subscription, now)) return null;
    return { attempt: await openRenewal(tx, subscription, { now }), subscription, student };
  });
}

/**
 * All tries since the last decline share an invoice number, so that the gateway detects duplicates.
 * @param card a card that the student has just submitted
 */
export async function openRenewal(
  tx: Db,
  { purchaseId, userId, currentPeriodEnd: renewsFrom, price: amount, card: onFile }: Subscription,
  { now, card }: { readonly now: Date; readonly card?: { readonly tokenHash: string; readonly clientHash: string } },
): Promise<AttemptRow> {
  const tries = await countAttempts(tx, purchaseId, renewsFrom);
  const declines = await countInvoiced(tx, purchaseId, renewsFrom);
  return recordSent(tx, {
    purchaseId,
    userId,
    kind: "renewal",
    initiatedBy: card ? "student" : "renewal",
    renewsFrom,
    idempotencyKey: card?.tokenHash ?? `renewal:${purchaseId}:${renewsFrom.toISOString()}:${tries}`,
    reference: newId(),
    invoiceNumber: invoiceOf(purchaseId, renewsFrom, declines),
    amount,
    clientHash: card?.clientHash ?? null,
    last4: card ? null : onFile.last4,
    sentAt: now,
  });
}

/** True when too many of its charges were not found. The administrator's repair of the discrepancy resets the count. */
export async function needsManualReview(
  tx: Db,
  { purchaseId, userId, currentPeriodEnd: paidUntil }: Subscription,
  now: Date,
): Promise<boolean> {
  const about = { kind: "outcomes-unknown" as const, subject: `${purchaseId}:${paidUntil.toISOString()}` };
  const since = await repairedAt(tx, about);
  const unknown = await countNotFound(tx, purchaseId, paidUntil, since ?? null);
  if (unknown < maxUnknown) return false;
  await recordDiscrepancy(tx, { ...about, purchaseId, userId, detail: `${unknown} attempts`, reopens: true }, now);
  return true;
}
