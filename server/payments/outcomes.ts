import { eq, inArray } from "drizzle-orm";
import { nextStart, recordGrant } from "#server/access/access.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { ChargeOutcome } from "#server/gateway/gateway.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { lockUser } from "#server/identity/users.ts";
import { enqueueJob } from "#server/jobs/jobs.ts";
import { postLetter } from "#server/purchases/letters/post.ts";
import {
  type AttemptRow,
  findAttempt,
  findPlanName,
  lockAttempt,
  lockPurchase,
  openStates,
} from "#server/purchases/queries.ts";
import { isCertainlyNotCharged, nextLook, periodEnd } from "#server/purchases/rules.ts";
import { type AttemptState, paymentAttempts, purchases } from "#server/purchases/tables.ts";
import { planReminders } from "#server/subscriptions/expiry.ts";
import { completeRenewal, recordRenewalFailure } from "#server/subscriptions/renewal-outcomes.ts";
import { stopForCredentials } from "#server/subscriptions/stops.ts";
import { keepCardLater } from "#server/subscriptions/stored-cards.ts";
import { endOtherMemberships } from "#server/subscriptions/subscriptions.ts";
import { lookUp } from "./lookups.ts";

export { listOpenAttempts } from "#server/purchases/queries.ts";

/**
 * Records what became of an attempt, with everything that follows from it, in one transaction. Safe to repeat and in
 * any order: an attempt that is resolved stays as it is. Returns the attempt as it stands afterwards.
 * @param isFirst by the one who sent it: the looks of the resolver begin, if it is not known yet. They go on by themselves.
 */
export async function recordOutcome(
  ctx: Context,
  attemptId: string,
  outcome: ChargeOutcome,
  { isFirst = false } = {},
): Promise<AttemptRow> {
  const now = ctx.clock.now();
  const recorded = await ctx.db.transaction(async (tx) => {
    const found = await findAttempt(tx, { id: attemptId });
    if (!found) throw new Error(`there is no payment attempt ${attemptId}`);
    // The student first, then the attempt: the same order as in the checkout, so that they never wait for each other.
    await lockUser(tx, found.userId);
    const attempt = await lockAttempt(tx, attemptId);
    if (!isOpen(attempt)) return { attempt, changed: false };
    const isNews = outcome.kind !== attempt.state && (outcome.kind !== "unknown" || attempt.state === "sent");
    if (!isNews) return { attempt, changed: false };
    const updated = await writeAttempt(tx, attempt, outcome, now);
    if (isFirst && isOpen(updated)) {
      // What is known to be there already needs no time to get into the lists.
      await planLook(tx, attempt.id, 0, updated.cause === "duplicate" ? now : nextLook(0, now), now);
    }
    if (outcome.kind === "approved") await recordApproval(tx, updated, outcome, now);
    if (outcome.kind === "declined" || outcome.kind === "not-processed") await recordFailure(tx, attempt, outcome, now);
    return { attempt: updated, changed: true };
  });
  if (recorded.changed) {
    const { id, purchaseId, state, responseCode, reasonCode, note } = recorded.attempt;
    ctx.log.info({ attemptId: id, purchaseId, state, responseCode, reasonCode, note }, "payment outcome recorded");
  }
  return recorded.attempt;
}

/**
 * The job that finds out what became of an attempt whose answer was lost: it asks the gateway for what stands under the
 * attempt's invoice, and asks again later until it knows. It never charges. `look` counts its looks; 0
 * is for an attempt whose process may have died, and leaves every other one to the looks of its own.
 */
export async function resolvePayment(ctx: Context, data: { attemptId: string; look: number }): Promise<void> {
  const attempt = await findAttempt(ctx.db, { id: data.attemptId });
  if (!attempt || !isOpen(attempt) || (data.look === 0 && attempt.state !== "sent")) return;
  const now = ctx.clock.now();
  const look = Math.max(data.look, 1);
  let cleanLooks = look;
  try {
    const finding = await lookUp(ctx, attempt);
    if (finding.kind === "found") await recordOutcome(ctx, attempt.id, finding.outcome);
    else if (finding.kind === "doubtful") cleanLooks = look - 1;
    else if (isCertainlyNotCharged(attempt.sentAt, look, now)) await recordOutcome(ctx, attempt.id, neverMade);
  } catch (error) {
    // Not a look: what the gateway could not answer says nothing about the charge.
    if (!(error instanceof GatewayUnavailable)) throw error;
    ctx.log.warn({ attemptId: attempt.id, reason: error.message }, "the gateway could not be asked about a payment");
    cleanLooks = look - 1;
  }
  const after = await findAttempt(ctx.db, { id: attempt.id });
  if (after && isOpen(after)) await planLook(ctx.db, attempt.id, cleanLooks, nextLook(look, now), now);
}

/** Takes on the look that follows `done` looks. */
async function planLook(db: Db, attemptId: string, done: number, runAt: Date, now: Date): Promise<void> {
  await enqueueJob(db, {
    name: "resolve-payment",
    data: { attemptId, look: done + 1 },
    key: `${attemptId}:${runAt.getTime()}`,
    runAt,
    now,
  });
}

const neverMade: ChargeOutcome = {
  kind: "not-processed",
  cause: "not-found",
  message: "The payment did not go through. Your card was not charged.",
  reason: "the gateway has no transaction with this reference",
  codes: { response: null, reason: null, avs: null, cvv: null },
};

/** Payments whose outcome is not known yet: more than a few, or old ones, want an operator's eye. */
export function countUnresolvedPayments(db: Db): Promise<number> {
  return db.$count(paymentAttempts, inArray(paymentAttempts.state, [...openStates]));
}

function isOpen(attempt: AttemptRow): boolean {
  return (openStates as readonly AttemptState[]).includes(attempt.state);
}

async function writeAttempt(tx: Db, attempt: AttemptRow, outcome: ChargeOutcome, now: Date): Promise<AttemptRow> {
  const [row] = await tx
    .update(paymentAttempts)
    .set({
      state: outcome.kind,
      cause: causeOf(outcome),
      responseCode: outcome.codes.response,
      reasonCode: outcome.codes.reason,
      avs: outcome.codes.avs,
      cvv: outcome.codes.cvv,
      ...("transactionId" in outcome && { transactionId: outcome.transactionId }),
      ...("card" in outcome && { last4: outcome.card.last4, brand: outcome.card.brand }),
      ...("reason" in outcome && { note: outcome.reason }),
      ...("chargedAt" in outcome && { sentAt: outcome.chargedAt }),
      resolvedAt: outcome.kind === "unknown" || outcome.kind === "held" ? null : now,
    })
    .where(eq(paymentAttempts.id, attempt.id))
    .returning();
  return row ?? attempt;
}

function causeOf(outcome: ChargeOutcome): AttemptRow["cause"] {
  if (outcome.kind === "unknown") return outcome.isDuplicate ? "duplicate" : null;
  return "cause" in outcome ? outcome.cause : null;
}

/** Everything that follows from an approved charge. */
export function recordApproval(
  tx: Db,
  attempt: AttemptRow,
  outcome: ChargeOutcome & { kind: "approved" },
  now: Date,
): Promise<void> {
  return attempt.kind === "renewal"
    ? completeRenewal(tx, attempt, outcome, now)
    : completePurchase(tx, attempt, outcome, now);
}

async function recordFailure(
  tx: Db,
  attempt: AttemptRow,
  outcome: ChargeOutcome & { kind: "declined" | "not-processed" },
  now: Date,
): Promise<void> {
  if (outcome.kind === "not-processed" && outcome.cause === "credentials") {
    await stopForCredentials(tx, outcome.codes.reason, now);
  }
  if (attempt.kind === "renewal") return recordRenewalFailure(tx, attempt, outcome, now);
  await tx
    .update(purchases)
    .set({ status: outcome.kind === "declined" ? "declined" : "failed", statusMessage: outcome.message })
    .where(eq(purchases.id, attempt.purchaseId));
}

/** The purchase is paid: it opens the course from now, or from the end of what the student has of the same tier. */
async function completePurchase(
  tx: Db,
  attempt: AttemptRow,
  outcome: ChargeOutcome & { kind: "approved" },
  now: Date,
): Promise<void> {
  const purchase = await lockPurchase(tx, attempt.purchaseId);
  const isRecurring = purchase.tier === "basic";
  const startsAt = await nextStart(tx, purchase.userId, purchase.tier, now);
  const endsAt = periodEnd(purchase.tier, startsAt);
  await tx
    .update(purchases)
    .set({
      status: "completed",
      statusMessage: null,
      transactionId: outcome.transactionId,
      networkTransactionId: outcome.networkTransactionId,
      customerProfileId: outcome.storedCard?.customerProfileId ?? null,
      paymentProfileId: outcome.storedCard?.paymentProfileId ?? null,
      cardBrand: outcome.card.brand,
      cardLast4: outcome.card.last4,
      isRecurring,
      paidUntil: isRecurring ? endsAt : null,
      subscriptionId: isRecurring ? newId() : null,
      nextBillingDate: isRecurring ? endsAt : null,
      completedAt: now,
    })
    .where(eq(purchases.id, purchase.id));
  const replacedPlan = await endOtherMemberships(tx, purchase.userId, purchase.id, now);
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
  if (isRecurring && !outcome.storedCard) await keepCardLater(tx, purchase, now);
  if (!isRecurring && endsAt) await planReminders(tx, purchase.userId, endsAt, now);
  await postLetter(
    tx,
    {
      kind: "purchased",
      userId: purchase.userId,
      occasion: purchase.id,
      facts: {
        planName: await findPlanName(tx, purchase.planId),
        tier: purchase.tier,
        amountCents: attempt.amount,
        paidAt: attempt.sentAt,
        card: outcome.card,
        transactionId: outcome.transactionId,
        receiptId: attempt.id,
        accessUntil: endsAt,
        nextPaymentAt: isRecurring ? endsAt : null,
        replacedPlan,
      },
    },
    now,
  );
}
