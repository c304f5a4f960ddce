import { z } from "zod";
import { after, DAY, MINUTE } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { recordDiscrepancy, repairedAt } from "#server/discrepancies/discrepancies.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { defineJob, scheduleJob, scheduleJobs } from "#server/jobs/jobs.ts";
import { type AttemptRow, hasOpenAttempt, recordSent } from "#server/payments/attempts.ts";
import { invoiceOf } from "#server/payments/invoices.ts";
import { chargeUnlessPaid } from "#server/payments/lookups.ts";
import { recordOutcome } from "#server/payments/outcomes.ts";
import { findPurchase, lockPurchase, type PurchaseRow } from "#server/purchases/purchases.ts";
import {
  countAttempts,
  countInvoiced,
  countNotFound,
  countTries,
  listDueRenewals,
  listGraceless,
  listWaiting,
  markGrace,
} from "./queries.ts";
import { holdForPayment, keepOpen, recordRefusal } from "./renewal-outcomes.ts";
import { graceAhead, graceTime, isDue, mostTries, mostUnknown, spread } from "./rules.ts";
import { endCredentialsStop, findStops, markExtended, mayRenew, probeCredentials } from "./stops.ts";
import { keepMissingCard } from "./stored-cards.ts";
import { tellOfUnpaid } from "./unpaid.ts";

/** More than these wait for the sweep after. */
const sweepSize = 10_000;
/** Of those that turn out not to be charged at all. */
const mostLeading = 5;
/** Each day on which the gateway refuses our credentials keeps the course open this long to those who wait. */
const waitingTime = 2 * DAY;

export const sweepRenewalsJob = defineJob("sweep-renewals", z.object({}), { lane: "gateway" });
export const renewJob = defineJob("renew", z.object({ purchaseId: z.string() }), { lane: "gateway" });
/** A comparison of the books with the gateway's; reconciliation, which comes after this domain, does it. */
export const reconcileNowJob = defineJob("reconcile-now", z.object({}), { lane: "gateway" });

/**
 * The sweep of every minute: what ends soon is kept open while it renews, and what is due is scheduled, one job for each
 * subscription, spread when many are due at once. It only reads what is written in the purchases, so that no outage and no
 * lost job leaves one behind. One subscription is tried before all others: when the gateway refuses our credentials, no
 * other one is.
 */
export async function sweepRenewals(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await keepDueOpen(ctx, now);
  const { credentials, restoredAt } = await findStops(ctx.db);
  if (credentials) await probeCredentials(ctx, credentials);
  if (restoredAt) await askForComparison(ctx.db, now);
  const due = await listDueRenewals(ctx.db, now, sweepSize);
  const tried = await renewFirst(ctx, due);
  if (await mayRenew(ctx.db, { leads: false })) {
    await scheduleJobs(
      ctx.db,
      renewJob,
      due.slice(tried).map((purchaseId, position) => {
        const runAt = after(now, spread(position));
        return { data: { purchaseId }, key: purchaseId, runAt, now };
      }),
    );
  }
  await tellOfUnpaid(ctx);
  await scheduleRenewals(ctx.db, now);
}

/** Has the books compared after a restore, and again every quarter of an hour until the gateway has answered. */
async function askForComparison(db: Db, now: Date): Promise<void> {
  const quarter = Math.floor(now.getTime() / (15 * MINUTE));
  await scheduleJob(db, reconcileNowJob, { data: {}, key: `restored:${quarter}`, runAt: now, now });
}

/** Keeps open what ends soon and renews; and, while the gateway refuses our credentials, for days what waits for us. */
async function keepDueOpen(ctx: Context, now: Date): Promise<void> {
  for (const purchase of await listGraceless(ctx.db, after(now, graceAhead), sweepSize)) {
    await ctx.db.transaction(async (tx) => {
      await lockUser(tx, purchase.userId);
      const { paidUntil } = purchase;
      if (paidUntil === null || !(await markGrace(tx, purchase.id, paidUntil))) return;
      const occasion = paidUntil.toISOString();
      await keepOpen(tx, purchase, { until: after(paidUntil, graceTime), occasion }, now);
    });
  }
  const { credentials } = await findStops(ctx.db);
  const day = now.toISOString().slice(0, 10);
  if (!credentials || credentials.extendedOn === day) return;
  for (const purchase of await listWaiting(ctx.db, now, sweepSize)) {
    await ctx.db.transaction(async (tx) => {
      await lockUser(tx, purchase.userId);
      if (!isDue(await lockPurchase(tx, purchase.id), now)) return;
      await keepOpen(tx, purchase, { until: after(now, waitingTime), occasion: `stopped:${day}` }, now);
    });
  }
  await markExtended(ctx.db, day, now);
}

/** Tries subscriptions one by one until one shows whether the gateway takes our credentials; how many were tried. */
async function renewFirst(ctx: Context, due: readonly string[]): Promise<number> {
  const first = due.slice(0, mostLeading);
  for (const [tried, purchaseId] of first.entries()) {
    if (!(await mayRenew(ctx.db, { leads: true }))) return tried;
    const attempt = await chargeNext(ctx, purchaseId, { leads: true }).catch((error) => {
      ctx.log.warn({ err: error, purchaseId }, "a renewal failed before others");
      return null;
    });
    if (attempt === null) continue;
    if (attempt.cause !== "credentials") await endCredentialsStop(ctx);
    return tried + 1;
  }
  return first.length;
}

/** How many subscriptions were due before an instant and have not been tried, as far as one sweep sees. */
export async function countLateRenewals(db: Db, before: Date): Promise<number> {
  return (await listDueRenewals(db, before, sweepSize)).length;
}

/** Schedules the next sweep; each schedules the one after it. */
export async function scheduleRenewals(db: Db, now: Date): Promise<void> {
  const runAt = new Date(Math.ceil((now.getTime() + 1) / MINUTE) * MINUTE);
  await scheduleJob(db, sweepRenewalsJob, { data: {}, key: runAt.toISOString(), runAt, now });
}

/**
 * Charges one subscription for its next 30 days, if that is due: afterwards it was charged once for the period, or it is
 * written down why not. On any number of nodes at once. Nothing is charged while renewals are stopped.
 */
export async function renew(ctx: Context, { purchaseId }: { purchaseId: string }): Promise<void> {
  if (await mayRenew(ctx.db, { leads: false })) await chargeNext(ctx, purchaseId, { leads: false });
}

/** The attempt as it stands afterwards, or null when nothing was charged. */
async function chargeNext(ctx: Context, purchaseId: string, { leads }: { leads: boolean }): Promise<AttemptRow | null> {
  await keepMissingCard(ctx, purchaseId);
  const claimed = await claimRenewal(ctx, purchaseId, { leads });
  if (!claimed) return null;
  const { attempt, purchase, student } = claimed;
  const outcome = await chargeUnlessPaid(ctx, attempt, () =>
    ctx.gateway.chargeStored({
      ...chargeOf(attempt, student, purchase.planName),
      storedCard: {
        customerProfileId: purchase.customerProfileId ?? "",
        paymentProfileId: purchase.paymentProfileId ?? "",
      },
      first: { networkTransactionId: purchase.networkTransactionId, amountCents: purchase.amount },
    }),
  );
  return recordOutcome(ctx, attempt.id, outcome, { isFirst: true });
}

/** What every charge of a subscription says, whichever card it goes to. */
export function chargeOf(attempt: AttemptRow, student: User, planName: string) {
  return {
    reference: attempt.reference,
    invoiceNumber: attempt.invoiceNumber,
    amountCents: attempt.amount,
    description: `Academy: ${planName}, 30 days`,
    customer: {
      id: student.id,
      email: student.email,
      firstName: student.firstName ?? "",
      lastName: student.lastName ?? "",
    },
  };
}

/** Writes the attempt as sent, before any call to the gateway; null when nothing is to be charged (any more). */
async function claimRenewal(ctx: Context, purchaseId: string, { leads }: { leads: boolean }) {
  return ctx.db.transaction(async (tx) => {
    const found = await findPurchase(tx, purchaseId);
    if (!found) return null;
    const student = await lockUser(tx, found.userId);
    if (!(await mayRenew(tx, { leads }))) return null;
    const now = ctx.clock.now();
    const purchase = { ...(await lockPurchase(tx, purchaseId)), planName: found.planName };
    if (!isDue(purchase, now) || student.accountStatus !== "active" || purchase.paidUntil === null) return null;
    if ((await hasOpenAttempt(tx, student.id)) || (await ctx.paymentHandlers.hasOpenRefund(tx, purchase.id)))
      return null;
    const occasion = `${purchase.paidUntil.toISOString()}:${now.toISOString()}`;
    const tries = await countTries(tx, purchase.id, after(now, -mostTries.within));
    if (purchase.declinedForGood || tries >= mostTries.count) {
      await holdForPayment(tx, purchase, occasion, now);
      return null;
    }
    if (purchase.paymentProfileId === null || purchase.customerProfileId === null) {
      await recordRefusal(tx, purchase, { refused: "for-good", occasion, at: now }, now);
      return null;
    }
    if (await waitsForPerson(tx, purchase, now)) return null;
    return { attempt: await openRenewal(tx, purchase, { now }), purchase, student };
  });
}

/**
 * Writes an attempt to charge what is due. Its invoice is that of every other try of the period since the last decline:
 * were it ever sent twice, the gateway would know it.
 * @param card that of a student who gives a new one: the hash of its token, and of the address it came from.
 */
export async function openRenewal(
  tx: Db,
  purchase: PurchaseRow,
  { now, card }: { readonly now: Date; readonly card?: { readonly tokenHash: string; readonly clientHash: string } },
): Promise<AttemptRow> {
  const period = purchase.paidUntil?.toISOString() ?? "";
  const tries = await countAttempts(tx, purchase.id, purchase.paidUntil);
  const declines = await countInvoiced(tx, purchase.id, purchase.paidUntil);
  return recordSent(tx, {
    purchaseId: purchase.id,
    userId: purchase.userId,
    kind: "renewal",
    renewsFrom: purchase.paidUntil,
    idempotencyKey: card?.tokenHash ?? `renewal:${purchase.id}:${period}:${tries}`,
    reference: newId(),
    invoiceNumber: invoiceOf(purchase.id, purchase.paidUntil, declines),
    amount: purchase.amount,
    clientHash: card?.clientHash ?? null,
    last4: card ? null : purchase.cardLast4,
    sentAt: now,
  });
}

/**
 * Whether a period waits for a person: so many of its charges had no known outcome that the next may be one too many.
 * It is listed as a discrepancy; when that is repaired, the count begins anew.
 */
export async function waitsForPerson(
  tx: Db,
  purchase: { readonly id: string; readonly userId: string; readonly paidUntil: Date | null },
  now: Date,
): Promise<boolean> {
  const { id: purchaseId, userId, paidUntil } = purchase;
  if (paidUntil === null) return false;
  const about = { kind: "outcomes-unknown" as const, subject: `${purchaseId}:${paidUntil.toISOString()}` };
  const since = await repairedAt(tx, about);
  const unknown = await countNotFound(tx, purchaseId, paidUntil, since ?? null);
  if (unknown < mostUnknown) return false;
  await recordDiscrepancy(tx, { ...about, purchaseId, userId, detail: `${unknown} tries`, reopens: true }, now);
  return true;
}
