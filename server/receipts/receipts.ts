import { paletteOf } from "#contract/branding.ts";
import { promiseWords } from "#contract/coaching/promise.ts";
import { decimalAmount } from "#contract/money.ts";
import type { Payment, Receipt } from "#contract/purchases/receipts.ts";
import { renews } from "#contract/tiers.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { deleted } from "#server/identity/users.ts";
import { listCharges as listChargesOfPurchase } from "#server/payments/attempts.ts";
import { receiptNumberOf } from "#server/payments/receipt-numbers.ts";
import { linesOfPurchase, linesOfRenewal } from "#server/purchases/quotes/rules.ts";
import type { RefundRow } from "#server/refunds/refunds.ts";
import { hasGoneBack, isOpenRefund } from "#server/refunds/refunds.ts";
import { findPicture } from "#server/settings/pictures.ts";
import { describeAcademy, describeSellerAt } from "#server/settings/settings.ts";
import { startOfPaid } from "#server/subscriptions/subscriptions.ts";
import { type ChargeRow, findCharge, listCharges, listRefundsOf } from "./queries.ts";

/** One for each approved charge, newest first. */
export async function listPaymentsOf(ctx: Context, userId: string): Promise<Payment[]> {
  const charges = await listCharges(ctx.db, userId);
  const refunds = await listRefundsOf(
    ctx.db,
    charges.map(({ attempt }) => attempt.id),
  );
  return charges.map((charge) => presentPayment(charge, refunds));
}

/** By the charge's id, or its purchase's; without `owner`, anybody's. @throws Refusal not-found. */
export async function receiptOf(ctx: Context, id: string, owner?: { readonly id: string }): Promise<Receipt> {
  const charge = await findCharge(ctx.db, id, owner?.id);
  if (!charge) throw notFound("receipt");
  const { attempt, purchase, buyer } = charge;
  const refunds = await listRefundsOf(ctx.db, [attempt.id]);
  const { name: academyName, seller, supportEmail, taxLine, timeZone } = await describeSellerAt(ctx, paidAtOf(attempt));
  const name = [buyer.firstName, buyer.lastName].filter(Boolean).join(" ");
  return {
    ...presentPayment(charge, refunds),
    number: receiptNumberOf(attempt),
    academyName,
    seller: { name: seller.name, email: supportEmail, address: [...seller.address] },
    contactEmail: (await describeAcademy(ctx)).supportEmail,
    taxLine,
    timeZone,
    buyer: buyer.accountStatus === deleted ? null : { name: name || null, email: buyer.email },
    card: attempt.last4 ? { brand: attempt.brand ?? "Card", last4: attempt.last4 } : null,
    transactionId: attempt.transactionId ?? "",
    renewsEvery30Days: renews(purchase.tier),
    coaching: purchase.coaching && promiseWords(purchase.coaching),
    coversFrom:
      attempt.renewsFrom && startOfPaid(attempt, await listChargesOfPurchase(ctx.db, purchase.id)).toISOString(),
    refunds: returned(refunds).map(({ amount, resolvedAt, sentAt, transactionId }) => ({
      amount: decimalAmount(amount),
      at: (resolvedAt ?? sentAt).toISOString(),
      transactionId,
    })),
    refundUnderWay: refunds.some(isOpenRefund),
    lines:
      attempt.kind === "initial"
        ? linesOfPurchase(purchase, charge.planName)
        : linesOfRenewal(purchase, attempt.amount, charge.planName),
  };
}

export async function receiptAsPdf(ctx: Context, receipt: Receipt): Promise<Buffer> {
  const { colors, logo, isPlain } = await describeAcademy(ctx);
  // Loaded with the first receipt: it takes half a second and thirty megabytes.
  const { writeReceiptPdf } = await import("./receipt-pdf.ts");
  return writeReceiptPdf(receipt, {
    tag: paletteOf(colors).light.tag,
    logo: logo && (await findPicture(ctx.db, logo.id)),
    isPlain,
  });
}

function presentPayment({ attempt, purchase, planName }: ChargeRow, refunds: readonly RefundRow[]): Payment {
  const back = returned(refunds).filter(({ attemptId }) => attemptId === attempt.id);
  return {
    receiptId: attempt.id,
    purchaseId: purchase.id,
    kind: attempt.kind,
    planName,
    tier: purchase.tier,
    amount: decimalAmount(attempt.amount),
    paidAt: paidAtOf(attempt).toISOString(),
    refunded: back.length > 0 ? decimalAmount(back.reduce((sum, { amount }) => sum + amount, 0)) : null,
  };
}

function paidAtOf({ resolvedAt, sentAt }: ChargeRow["attempt"]): Date {
  return resolvedAt ?? sentAt;
}

function returned(refunds: readonly RefundRow[]): RefundRow[] {
  return refunds.filter(hasGoneBack);
}
