import type { Tier } from "#contract/tiers.ts";
import { findPaidEnd } from "#server/access/access.ts";
import { accessWith } from "#server/access/replaced-days.ts";
import { DAY } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { cardWords } from "#server/mail/wording.ts";
import { type AttemptKind, type AttemptRow, countOthersWithCard, listCharges } from "#server/payments/attempts.ts";
import { findPurchase, isInEffect, wasPaid } from "#server/purchases/purchases.ts";
import { listRefundedTogether, policyOf } from "./policy.ts";
import { refundedOf } from "./queries.ts";
import { leftOf, listDaysToGiveBack } from "./replaced.ts";

export interface RefundableCharge {
  readonly id: string;
  readonly kind: AttemptKind;
  readonly paidAt: Date;
  readonly transactionId: string | null;
  readonly paidCents: number;
  readonly refundedCents: number;
}

export interface RefundPreview {
  readonly chargeId: string;
  readonly transactionId: string;
  /** The newest first, which is the default. */
  readonly charges: readonly RefundableCharge[];
  readonly isNewest: boolean;
  readonly paidCents: number;
  readonly refundedCents: number;
  readonly refundableCents: number;
  /** Null while the gateway is unavailable. */
  readonly kind: "void" | "refund" | null;
  readonly withinPolicy: boolean;
  readonly policyUntil: Date | null;
  /** The student's first purchase was made with another account. */
  readonly isFromEarlierAccount: boolean;
  /** Others with a card of the same brand and last four digits, which may be another card. */
  readonly sameCard: { readonly card: string; readonly accounts: number } | null;
  readonly isInEffect: boolean;
  /** The end of what the purchase has paid for. Null: none, or it has passed. */
  readonly paidEnd: Date | null;
  readonly accessAfter: { readonly tier: Tier | null; readonly until: Date | null };
  /** For an upgrade within the policy: the payments that are refunded together with it. */
  readonly goesBackToo: readonly { readonly planName: string; readonly cents: number }[];
  readonly givesBack: readonly { readonly planName: string; readonly days: number }[];
  /** Not refundable, because an upgrade was credited with them. */
  readonly creditedCents: number;
}

/** Uses the newest charge by default. @throws Refusal not-found, conflict. */
export async function previewRefund(ctx: Context, purchaseId: string, chargeId?: string): Promise<RefundPreview> {
  const now = ctx.clock.now();
  const { purchase, charge, charges } = await chargeOf(ctx.db, purchaseId, chargeId);
  const refundedCents = await refundedOf(ctx.db, charge.id);
  const { leftCents, creditedCents } = await leftOf(ctx.db, charge, purchase);
  const policy = await policyOf(ctx, ctx.db, purchase, now);
  const isNewest = charge.id === charges[0]?.id;
  const together = isNewest ? await listRefundedTogether(ctx, ctx.db, purchase, now) : [];
  const givenBack = (await listDaysToGiveBack(ctx.db, purchase)).filter(
    ({ purchaseId }) => !together.some((one) => one.purchase.id === purchaseId),
  );
  const transaction = await ctx.gateway.findTransaction(charge.transactionId).catch((error: unknown) => {
    if (error instanceof GatewayUnavailable) return null;
    throw error;
  });
  return {
    chargeId: charge.id,
    transactionId: charge.transactionId,
    charges: await withRefunded(ctx.db, charges),
    isNewest,
    paidCents: charge.amount,
    refundedCents,
    refundableCents: leftCents,
    kind: transaction && (transaction.settled ? "refund" : "void"),
    ...policy,
    sameCard: await findSameCard(ctx.db, charge),
    isInEffect: isInEffect(purchase),
    paidEnd: await findPaidEnd(ctx.db, purchase, now),
    accessAfter: await accessWith(ctx.db, purchase.userId, { withoutPurchaseId: purchase.id, givenBack }, now),
    goesBackToo: together.map(({ purchase: { planName }, leftCents: cents }) => ({ planName, cents })),
    givesBack: givenBack.map(({ planName, remaining }) => ({ planName, days: Math.round(remaining / DAY) })),
    creditedCents,
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
  if (chargeId !== undefined && !charge) throw new Refusal("not-found", "This purchase has no such paid charge.");
  if (!charge?.transactionId) throw new Refusal("conflict", "Nothing was paid for this purchase.");
  if (!wasPaid(purchase)) throw new Refusal("conflict", "This purchase never completed.");
  return { purchase, charges, charge: { ...charge, transactionId: charge.transactionId } };
}

async function withRefunded(db: Db, charges: readonly AttemptRow[]): Promise<RefundableCharge[]> {
  return Promise.all(
    charges.map(async ({ id, kind, sentAt, resolvedAt, transactionId, amount: paidCents }) => ({
      ...{ id, kind, paidAt: resolvedAt ?? sentAt, transactionId, paidCents },
      refundedCents: await refundedOf(db, id),
    })),
  );
}
