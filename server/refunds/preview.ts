import type { RefundPreview } from "#contract/admin/purchases.ts";
import { centsOf, decimalAmount } from "#contract/money.ts";
import { accessOf, findPaidEnd } from "#server/access/access.ts";
import { accessWith } from "#server/access/replaced-days.ts";
import { DAY } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { listHeld } from "#server/coaching/overview.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { cardWords } from "#server/mail/wording.ts";
import { type AttemptRow, countOthersWithCard, listCharges } from "#server/payments/attempts.ts";
import { findPurchase, isInEffect, wasPaid } from "#server/purchases/purchases.ts";
import { findByPurchase } from "#server/subscriptions/subscriptions.ts";
import { listRefundedTogether, policyOf } from "./policy.ts";
import { refundedOf } from "./queries.ts";
import { leftOf, listDaysToGiveBack } from "./replaced.ts";
import { endsAccess } from "./rules.ts";

/** What a refund of `amount` US dollars, or of all that is left, would do. @throws Refusal not-found, conflict. */
export async function previewRefund(
  ctx: Context,
  purchaseId: string,
  asked: {
    readonly amount?: number | undefined;
    readonly chargeId?: string | undefined;
    readonly endAccess?: boolean | undefined;
    readonly keepAccessUntil?: string | undefined;
  },
): Promise<RefundPreview> {
  const now = ctx.clock.now();
  const { purchase, charge, charges } = await chargeOf(ctx.db, purchaseId, asked.chargeId);
  const refundedCents = await refundedOf(ctx.db, charge.id);
  const { leftCents, creditedCents } = await leftOf(ctx.db, charge, purchase);
  const { policyUntil, ...policy } = await policyOf(ctx, ctx.db, purchase, now);
  const isNewest = charge.id === charges[0]?.id;
  const together = isNewest ? await listRefundedTogether(ctx, ctx.db, purchase, now) : [];
  const givenBack = (await listDaysToGiveBack(ctx.db, purchase)).filter(
    ({ purchaseId }) => !together.some((one) => one.purchase.id === purchaseId),
  );
  const transaction = await ctx.gateway.findTransaction(charge.transactionId).catch((error: unknown) => {
    if (error instanceof GatewayUnavailable) return null;
    throw error;
  });
  const amountCents = wholeCentsOf(asked.amount) ?? leftCents;
  const isAllThatIsLeft = amountCents === leftCents && creditedCents === 0;
  const refund = { isInEffect: isInEffect(purchase), isNewest, isAllThatIsLeft };
  const endsAnyway = endsAccess(refund);
  const paidEnd = endsAnyway ? await findPaidEnd(ctx.db, purchase, now) : null;
  const isKept = paidEnd !== null && instantOf(asked.keepAccessUntil)?.getTime() === paidEnd.getTime();
  const ends = !isKept && endsAccess({ ...refund, isAskedTo: asked.endAccess === true });
  const access = ends
    ? await accessWith(ctx.db, purchase.userId, { withoutPurchaseId: purchase.id, givenBack }, now)
    : await accessOf(ctx.db, purchase.userId, now);
  return {
    chargeId: charge.id,
    transactionId: charge.transactionId,
    charges: await presentCharges(ctx.db, charges),
    paid: decimalAmount(charge.amount),
    refunded: decimalAmount(refundedCents),
    refundable: decimalAmount(leftCents),
    amount: decimalAmount(amountCents),
    kind: transaction && (transaction.settled ? "refund" : "void"),
    ...policy,
    policyUntil: policyUntil?.toISOString() ?? null,
    sameCard: await findSameCard(ctx.db, charge),
    endsAccess: ends,
    mayEndAccess: refund.isInEffect && !endsAnyway,
    mayKeepAccessUntil: paidEnd?.toISOString() ?? null,
    stopsRenewal: isKept && (await findByPurchase(ctx.db, purchaseId)) !== null,
    accessAfter: { tier: access.tier, until: access.until?.toISOString() ?? null },
    goesBackToo: (isAllThatIsLeft ? together : []).map(({ purchase: { planName }, leftCents: cents }) => ({
      planName,
      amount: decimalAmount(cents),
    })),
    givesBack: (ends ? givenBack : []).map(({ planName, remaining }) => ({
      planName,
      days: Math.round(remaining / DAY),
    })),
    credited: decimalAmount(creditedCents),
    sessionsHeld: (await listHeld(ctx.db, purchase.userId)).map(({ startsAt, coachName }) => ({
      startsAt: startsAt.toISOString(),
      coachName,
    })),
  };
}

async function findSameCard(db: Db, { userId, brand, last4 }: AttemptRow): Promise<RefundPreview["sameCard"]> {
  if (brand === null || last4 === null) return null;
  const accounts = await countOthersWithCard(db, { brand, last4 }, userId);
  return accounts === 0 ? null : { card: cardWords({ brand, last4 }), accounts };
}

export async function chargeOf(db: Db, purchaseId: string, chargeId: string | undefined) {
  const purchase = await findPurchase(db, purchaseId);
  if (!purchase) throw notFound("purchase");
  const charges = await listCharges(db, purchaseId);
  const charge = chargeId === undefined ? charges[0] : charges.find(({ id }) => id === chargeId);
  if (chargeId !== undefined && !charge) throw notFound("payment");
  if (!charge?.transactionId) throw new Refusal("conflict", "Nothing was paid for this purchase.");
  if (!wasPaid(purchase)) throw new Refusal("conflict", "This purchase never completed.");
  return { purchase, charges, charge: { ...charge, transactionId: charge.transactionId } };
}

async function presentCharges(db: Db, charges: readonly AttemptRow[]): Promise<RefundPreview["charges"]> {
  return Promise.all(
    charges.map(async ({ id, kind, sentAt, resolvedAt, transactionId, amount }) => ({
      ...{ id, kind, transactionId },
      paidAt: (resolvedAt ?? sentAt).toISOString(),
      paid: decimalAmount(amount),
      refunded: decimalAmount(await refundedOf(db, id)),
    })),
  );
}

export function instantOf(date: string | undefined): Date | undefined {
  return date === undefined ? undefined : new Date(date);
}

/** @throws Refusal invalid-input. */
export function wholeCentsOf(amount: number | undefined): number | undefined {
  if (amount === undefined) return undefined;
  const cents = centsOf(amount);
  if (cents === null) throw new Refusal("invalid-input", "Enter an amount such as 49 or 49.50.");
  return cents;
}
