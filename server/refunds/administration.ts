import type { RefundPreview, RefundResult } from "#contract/admin/purchases.ts";
import { centsOf, decimalAmount } from "#contract/money.ts";
import { accessOf } from "#server/access/access.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { invalidFields, notFound, Refusal } from "#server/base/refusal.ts";
import { listHeld } from "#server/coaching/overview.ts";
import type { Context } from "#server/context/context.ts";
import type { User } from "#server/identity/users.ts";
import { findPurchase } from "#server/purchases/purchases.ts";
import { findByPurchase } from "#server/subscriptions/subscriptions.ts";
import { recordDispute } from "./disputes.ts";
import { previewRefund } from "./preview.ts";
import { endsAccess, refundPurchase } from "./refunds.ts";

/** What a refund of `amount` US dollars, or of all that is left, would do. @throws Refusal not-found, conflict. */
export async function describeRefund(
  ctx: Context,
  purchaseId: string,
  asked: {
    amount?: number | undefined;
    chargeId?: string | undefined;
    endAccess?: boolean | undefined;
    keepAccessUntil?: string | undefined;
  },
): Promise<RefundPreview> {
  const preview = await previewRefund(ctx, purchaseId, asked.chargeId);
  const amountCents = cents(asked.amount) ?? preview.refundableCents;
  const { isInEffect, isNewest } = preview;
  const isAllThatIsLeft = amountCents === preview.refundableCents && preview.creditedCents === 0;
  const refund = { isInEffect, isNewest, isAllThatIsLeft };
  const endsAnyway = endsAccess(refund);
  const paidEnd = endsAnyway ? preview.paidEnd : null;
  const isKept = paidEnd !== null && instant(asked.keepAccessUntil)?.getTime() === paidEnd.getTime();
  const ends = !isKept && endsAccess({ ...refund, isAskedTo: asked.endAccess === true });
  const access = ends ? preview.accessAfter : await accessNow(ctx, purchaseId);
  return {
    chargeId: preview.chargeId,
    transactionId: preview.transactionId,
    charges: preview.charges.map(({ id, kind, paidAt, transactionId, paidCents, refundedCents }) => ({
      ...{ id, kind, transactionId },
      paidAt: paidAt.toISOString(),
      paid: decimalAmount(paidCents),
      refunded: decimalAmount(refundedCents),
    })),
    paid: decimalAmount(preview.paidCents),
    refunded: decimalAmount(preview.refundedCents),
    refundable: decimalAmount(preview.refundableCents),
    amount: decimalAmount(amountCents),
    kind: preview.kind,
    withinPolicy: preview.withinPolicy,
    policyUntil: preview.policyUntil?.toISOString() ?? null,
    isFromEarlierAccount: preview.isFromEarlierAccount,
    sameCard: preview.sameCard,
    endsAccess: ends,
    mayEndAccess: isInEffect && !endsAnyway,
    mayKeepAccessUntil: paidEnd?.toISOString() ?? null,
    stopsRenewal: isKept && (await findByPurchase(ctx.db, purchaseId)) !== null,
    accessAfter: { tier: access.tier, until: access.until?.toISOString() ?? null },
    goesBackToo: isNewest && isAllThatIsLeft ? together(preview.goesBackToo) : [],
    givesBack: ends ? [...preview.givesBack] : [],
    credited: decimalAmount(preview.creditedCents),
    sessionsHeld: (await listHeld(ctx.db, await buyerOf(ctx, purchaseId))).map(({ startsAt, coachName }) => ({
      startsAt: startsAt.toISOString(),
      coachName,
    })),
  };
}

/** Committed before the call. @throws Refusal not-found, conflict, payment-in-progress, payment-unavailable. */
export async function refund(
  ctx: Context,
  actor: User,
  asked: {
    purchaseId: string;
    chargeId?: string | undefined;
    amount?: number | undefined;
    endAccess?: boolean | undefined;
    keepAccessUntil?: string | undefined;
    reason?: string | undefined;
  },
): Promise<RefundResult> {
  const { purchaseId, chargeId, endAccess, reason } = asked;
  if (endAccess && asked.keepAccessUntil !== undefined) {
    throw invalidFields({ keepAccessUntil: ["Access can't be kept and ended"] });
  }
  const amountCents = cents(asked.amount);
  const { refundId, state, ...returned } = await refundPurchase(ctx, {
    ...{ purchaseId, chargeId, endAccess, keepAccessUntil: instant(asked.keepAccessUntil) },
    actor: actor.id,
    ...(amountCents !== undefined && { amountCents }),
    ...(reason && { reason }),
    note: (tx, { id, attemptId, kind, amount, endsAccess, accessKeptUntil }, now) => {
      const kept = accessKeptUntil && { accessKeptUntil: accessKeptUntil.toISOString() };
      const after = { refundId: id, chargeId: attemptId, kind, amount: decimalAmount(amount), endsAccess, ...kept };
      return recordAudit(tx, { actor: actor.id, action: "refund purchase", subject: purchaseId, after, reason }, now);
    },
  });
  const amount = decimalAmount(returned.amountCents);
  const left = returned.notReturned.map(
    ({ planName, cents }) => ` $${decimalAmount(cents)} of ${planName} did not go back: refund it by itself.`,
  );
  const done = state === "returned" ? `Refunded $${amount}` : outstandingWords[state];
  const message = left.length > 0 ? `${done}.${left.join("")}` : done;
  return { success: true, message, refundId, state, amount, isPartial: left.length > 0 };
}

const outstandingWords = {
  unknown: "The refund is being confirmed with the gateway.",
  held: "The gateway holds the refund for review: decide about it there. Until then nothing goes back.",
} as const;

/**
 * Records that a bank took a charge back, which the gateway does not always show.
 * @throws Refusal not-found, conflict when nothing of it is left.
 */
export async function bookDispute(
  ctx: Context,
  actor: User,
  asked: { purchaseId: string; chargeId?: string | undefined; reason: string },
): Promise<void> {
  const { purchaseId, reason } = asked;
  await recordDispute(ctx, { ...asked, actor: actor.id }, (tx, { attemptId, amountCents }, now) => {
    const after = { chargeId: attemptId, amount: decimalAmount(amountCents) };
    return recordAudit(tx, { actor: actor.id, action: "record dispute", subject: purchaseId, after, reason }, now);
  });
}

function together(goesBackToo: readonly { planName: string; cents: number }[]) {
  return goesBackToo.map(({ planName, cents }) => ({ planName, amount: decimalAmount(cents) }));
}

async function accessNow(ctx: Context, purchaseId: string) {
  return accessOf(ctx.db, await buyerOf(ctx, purchaseId), ctx.clock.now());
}

async function buyerOf(ctx: Context, purchaseId: string): Promise<string> {
  const purchase = await findPurchase(ctx.db, purchaseId);
  if (!purchase) throw notFound("purchase");
  return purchase.userId;
}

function instant(date: string | undefined): Date | undefined {
  return date === undefined ? undefined : new Date(date);
}

function cents(amount: number | undefined): number | undefined {
  if (amount === undefined) return undefined;
  const whole = centsOf(amount);
  if (whole === null) throw new Refusal("invalid-input", "An amount has whole cents.");
  return whole;
}
