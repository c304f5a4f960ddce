import type { AcceptPayment, PaymentResult } from "#contract/purchases/purchases.ts";
import { paymentBeingConfirmed } from "#contract/purchases/sentences.ts";
import type { Tier } from "#contract/tiers.ts";
import { type PlanRow, planOnSale, welcomeTo } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { Client } from "#server/http/client.ts";
import { confirmedHashOf, type User } from "#server/identity/users.ts";
import { type AttemptRow, isOpen, recordSent } from "#server/payments/attempts.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { recordFirstOutcome } from "#server/payments/outcomes.ts";
import { outcomeOfFirst, refuseUnpaid, splitName } from "#server/payments/submissions.ts";
import { type CardSubmission, requireFewCards, requireNoneOpen, submitCard } from "./card-submission.ts";
import { findPurchase } from "./queries.ts";
import { agreedTerms, requireMayBuy, reserveCoupon, type Terms } from "./quotes/quotes.ts";
import { requirePlan } from "./rules.ts";
import { purchases } from "./tables.ts";

/**
 * Buys a plan. Afterwards the card was charged once and access is granted, or it was certainly not charged, or the
 * payment is pending and the resolver finds out. Idempotent by card token.
 * @throws Refusal amount-mismatch, quote-changed, quote-expired, plan-mismatch, already-owned, payment-in-progress,
 * payment-declined, payment-unavailable, card-token-used, account-blocked, too-many-requests.
 */
export async function acceptPayment(
  ctx: PaymentContext,
  student: User,
  body: AcceptPayment,
  client: Client,
): Promise<PaymentResult> {
  const plan = await planOnSale(ctx, body.tier);
  if (body.priceId !== undefined) requirePlan(plan, body.priceId);
  const { attempt, isNew } = await openAttempt(ctx, student, plan, body, client);
  if (!isNew) return present(ctx, await outcomeOfFirst(ctx, student, attempt), plan.tier);

  const outcome = await ctx.gateway.charge({
    reference: attempt.reference,
    invoiceNumber: attempt.invoiceNumber,
    amountCents: attempt.amount,
    description: plan.name,
    card: { descriptor: body.opaqueDataDescriptor, value: body.opaqueDataValue },
    customer: { id: student.id, email: body.customerEmail, ...splitName(body.customerName) },
    storeCard: plan.billing === "monthly",
  });
  return present(ctx, await recordFirstOutcome(ctx, attempt, outcome), plan.tier);
}

async function openAttempt(
  ctx: PaymentContext,
  student: User,
  plan: PlanRow,
  body: AcceptPayment,
  client: Client,
): Promise<{ attempt: AttemptRow; isNew: boolean }> {
  return submitCard(ctx, { student, token: body.opaqueDataValue, client }, async (tx, submission) => {
    const terms = await agree(ctx, tx, plan, body, submission);
    const { totalCents, creditCents, credits, quoteId, refundDays, coaching } = terms;
    const { user, tokenHash: idempotencyKey, clientHash, now } = submission;
    const purchaseId = newId();
    await reserveCoupon(ctx, tx, { plan, user, now }, terms);
    await tx.insert(purchases).values({
      id: purchaseId,
      userId: user.id,
      addressHash: confirmedHashOf(ctx, user),
      planId: plan.id,
      tier: plan.tier,
      amount: totalCents,
      credit: creditCents,
      creditFrom: credits,
      discount: terms.discountCents,
      couponCode: terms.couponCode,
      renewalAmount: terms.renewalCents,
      discountedRenewals: terms.discountedRenewals,
      laterAmount: terms.laterCents,
      quoteId,
      refundDays,
      coaching,
      lastPaymentAttempt: now,
      consent: body.renewalConsent
        ? { version: body.renewalConsent, at: now.toISOString(), address: client.address }
        : null,
      createdAt: now,
    });
    const attempt = await recordSent(tx, {
      purchaseId,
      userId: user.id,
      kind: "initial",
      initiatedBy: "student",
      idempotencyKey,
      reference: newId(),
      invoiceNumber: purchaseId,
      amount: totalCents,
      clientHash,
      sentAt: now,
    });
    return { attempt, isNew: true };
  });
}

async function agree(
  ctx: PaymentContext,
  tx: Db,
  plan: PlanRow,
  body: AcceptPayment,
  submission: CardSubmission,
): Promise<Terms> {
  const { user, now } = submission;
  await requireNoneOpen(tx, submission);
  if (body.quoteId === undefined) await requireMayBuy(tx, plan, user, now);
  const terms = await agreedTerms(ctx, tx, { plan, user, now }, body);
  // Checked after the quote: an account that was held since is reported as a changed quote.
  if (body.quoteId !== undefined) await requireMayBuy(tx, plan, user, now);
  await requireFewCards(tx, submission);
  return terms;
}

const pending = { success: false, status: "pending", transactionId: null, message: paymentBeingConfirmed } as const;

async function present(ctx: Context, attempt: AttemptRow, tier: Tier): Promise<PaymentResult> {
  // Runs no query: the outcome may be unknown because the database is unavailable.
  if (isOpen(attempt)) return { ...pending, purchaseId: attempt.purchaseId, tier };
  const purchase = await findPurchase(ctx.db, attempt.purchaseId);
  if (!purchase) throw new Error(`there is no purchase ${attempt.purchaseId}`);
  refuseUnpaid(attempt, purchase.statusMessage);
  return {
    success: true,
    status: "completed",
    purchaseId: purchase.id,
    transactionId: purchase.transactionId,
    tier: purchase.tier,
    message: await welcomeTo(ctx.db, purchase.tier),
  };
}
