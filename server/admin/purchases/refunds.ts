import type { RefundPreview, RefundResult } from "#contract/admin/purchases.ts";
import { centsOf, decimalAmount } from "#contract/money.ts";
import { accessOf } from "#server/access/access.ts";
import { recordAudit } from "#server/admin/audit.ts";
import type { Context } from "#server/context.ts";
import type { User } from "#server/identity/users.ts";
import { previewRefund, refundPurchase } from "#server/purchases/refunds/refunds.ts";
import { Refusal } from "#server/refusal.ts";
import { findPurchaseRow } from "./queries.ts";

/** What a refund of `amount` US dollars, or of all that is left, would do. @throws Refusal not-found, conflict. */
export async function describeRefund(ctx: Context, purchaseId: string, amount?: number): Promise<RefundPreview> {
  const preview = await previewRefund(ctx, purchaseId);
  const amountCents = cents(amount) ?? preview.refundableCents;
  const isWhole = amountCents === preview.refundableCents;
  const access = isWhole ? preview.accessAfter : await accessNow(ctx, purchaseId);
  return {
    transactionId: preview.transactionId,
    paid: decimalAmount(preview.paidCents),
    refunded: decimalAmount(preview.refundedCents),
    refundable: decimalAmount(preview.refundableCents),
    amount: decimalAmount(amountCents),
    kind: preview.kind,
    withinPolicy: preview.withinPolicy,
    policyUntil: preview.policyUntil?.toISOString() ?? null,
    endsAccess: isWhole && preview.endsAccess,
    accessAfter: { tier: access.tier, until: access.until?.toISOString() ?? null },
  };
}

/**
 * Pays a purchase back. It is written down before the gateway is called; what became of it stands in the refund.
 * @throws Refusal not-found, conflict, payment-in-progress, payment-unavailable.
 */
export async function refund(
  ctx: Context,
  actor: User,
  asked: { purchaseId: string; amount?: number | undefined; reason?: string | undefined },
): Promise<RefundResult> {
  const { purchaseId, reason } = asked;
  const amountCents = cents(asked.amount);
  const { refundId, state, ...returned } = await refundPurchase(ctx, {
    purchaseId,
    actor: actor.id,
    ...(amountCents !== undefined && { amountCents }),
    ...(reason && { reason }),
    note: (tx, { id, kind, amount }, now) => {
      const after = { refundId: id, kind, amount: decimalAmount(amount) };
      return recordAudit(tx, { actor: actor.id, action: "refund purchase", subject: purchaseId, after, reason }, now);
    },
  });
  const amount = decimalAmount(returned.amountCents);
  const message = state === "returned" ? `Refunded $${amount}` : "The refund is being confirmed with the gateway.";
  return { success: true, message, refundId, state, amount };
}

/** What the buyer may use today: a refund in part leaves it. */
async function accessNow(ctx: Context, purchaseId: string) {
  const row = await findPurchaseRow(ctx.db, purchaseId);
  if (!row) throw new Refusal("not-found", "There is no such purchase.");
  return accessOf(ctx.db, row.purchase.userId, ctx.clock.now());
}

function cents(amount: number | undefined): number | undefined {
  if (amount === undefined) return undefined;
  const whole = centsOf(amount);
  if (whole === null) throw new Refusal("invalid-input", "An amount has whole cents.");
  return whole;
}
