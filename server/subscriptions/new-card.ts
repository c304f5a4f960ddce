import { decimalAmount, formatCents } from "#contract/money.ts";
import { paymentBeingConfirmed } from "#contract/purchases/sentences.ts";
import type { CardChange } from "#contract/purchases/subscriptions.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { type CardOutcome, type ChargeOutcome, GatewayUnavailable } from "#server/gateway/gateway.ts";
import type { Client } from "#server/http/client.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { type AttemptRow, notePaymentProfile } from "#server/payments/attempts.ts";
import { recordValidation, recordValidationSent, type ValidationRow } from "#server/payments/card-validations.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { chargeUnlessPaid } from "#server/payments/lookups.ts";
import { recordFirstOutcome } from "#server/payments/outcomes.ts";
import { addPaymentMethod, forgetCardLater, marksOf, recordMarks } from "#server/payments/payment-methods.ts";
import { outcomeOfFirst, refuseUnpaid, splitName } from "#server/payments/submissions.ts";
import { requireFewCards, requireNoneOpen, submitCard } from "#server/purchases/card-submission.ts";
import { type Asking, describeAcademy } from "#server/settings/settings.ts";
import { keepMissingCard } from "./payment-methods.ts";
import { findByPurchase, lockByPurchase, type Subscription, updateSubscription } from "./queries.ts";
import { chargeOf, needsManualReview, openRenewal } from "./renewals.ts";
import { amountDue } from "./rules.ts";
import { findSubscription, nothingRenews } from "./subscriptions.ts";

export interface NewCard {
  readonly opaqueDataDescriptor: string;
  readonly opaqueDataValue: string;
  readonly customerName: string;
  readonly zip?: string | undefined;
}

/**
 * Pending when the gateway's reply is lost.
 * @throws Refusal not-found, account-blocked, payment-declined, as `submitCard`.
 */
export async function changeCard(
  ctx: PaymentContext,
  student: User,
  card: NewCard,
  client: Client,
): Promise<CardChange> {
  const subscription = await findSubscription(ctx.db, student.id, ctx.clock.now());
  if (!subscription || subscription.status === "cancelled") throw nothingRenews();
  if (await needsManualReview(ctx.db, subscription, ctx.clock.now()))
    throw new Refusal("payment-in-progress", paymentBeingConfirmed);
  const opened = await openAttempt(ctx, student, subscription, card, client);
  if (opened.attempt === null) return keepForLater(ctx, student, subscription, { card, validation: opened.validation });
  const { attempt, isNew } = opened;
  if (!isNew) return present(await outcomeOfFirst(ctx, student, attempt), null);

  const outcome = await chargeUnlessPaid(ctx, attempt, () => chargeCard(ctx, student, subscription, attempt, card));
  return present(await recordFirstOutcome(ctx, attempt, outcome), outcome);
}

/** @throws Refusal account-blocked, because no card ends an administrator's suspension or hold. */
export async function requireCardAllowed(ctx: Asking, student: User, { status }: Subscription): Promise<void> {
  const isSuspended = student.accountStatus === "suspended";
  if (!isSuspended && status !== "held") return;
  const what = isSuspended ? "suspended" : "on hold";
  const { supportEmail } = await describeAcademy(ctx);
  const why = student.suspensionReason ? ` Reason: ${student.suspensionReason}` : "";
  throw new Refusal(
    "account-blocked",
    `Your account is ${what}, and we won't charge you in the meantime. A new card won't change that. Write to ${supportEmail} to clear this up.${why}`,
  );
}

/** Commits before the gateway is called. */
function openAttempt(ctx: PaymentContext, student: User, { purchaseId }: Subscription, card: NewCard, client: Client) {
  return submitCard(ctx, { student, token: card.opaqueDataValue, client }, async (tx, submission) => {
    const { user, tokenHash, clientHash, now } = submission;
    const subscription = await lockByPurchase(tx, purchaseId);
    await requireCardAllowed({ db: tx, site: ctx.site }, user, subscription);
    await requireNoneOpen(tx, submission);
    if (await ctx.paymentHandlers.hasOpenRefund(tx, purchaseId)) {
      throw new Refusal(
        "payment-in-progress",
        "We're still processing a refund for this membership. Please try again later.",
      );
    }
    await requireFewCards(tx, submission);
    if (amountDue(subscription, now) === 0) {
      const sent = { purchaseId, userId: user.id, tokenHash, clientHash, sentAt: now };
      return { attempt: null, isNew: true, validation: await recordValidationSent(tx, sent) } as const;
    }
    const attempt = await openRenewal(tx, subscription, { now, card: { tokenHash, clientHash } });
    return { attempt, isNew: true } as const;
  });
}

async function chargeCard(
  ctx: Context,
  student: User,
  subscription: Subscription,
  attempt: AttemptRow,
  card: NewCard,
): Promise<ChargeOutcome> {
  const { customerProfileId } = subscription.card;
  const charge = chargeOf(attempt, student, subscription.planName);
  const kept = customerProfileId && (await addCard(ctx, customerProfileId, card));
  if (!kept || (kept.kind === "failed" && kept.why === "no-such-customer")) {
    const { opaqueDataDescriptor: descriptor, opaqueDataValue: value } = card;
    const customer = { ...charge.customer, ...splitName(card.customerName) };
    return ctx.gateway.charge({ ...charge, customer, card: { descriptor, value }, storeCard: true });
  }
  if (kept.kind === "declined") return { ...kept, transactionId: null };
  if (kept.kind === "failed") {
    const { reason, codes } = kept;
    return { kind: "not-processed", cause: "unreachable", message: notKept, reason, codes };
  }
  // Stored with the attempt, so that the resolver knows the card too.
  const { paymentProfileId } = kept.paymentProfile;
  await notePaymentProfile(ctx.db, attempt.id, paymentProfileId);
  // The network transaction id belongs to the first charge of the previous card.
  const isSame = paymentProfileId === subscription.card.paymentProfileId;
  const networkTransactionId = isSame ? subscription.card.networkTransactionId : null;
  const first = { networkTransactionId, amountCents: subscription.card.chargedAmount ?? subscription.price };
  return ctx.gateway.chargeStored({ ...charge, paymentProfile: kept.paymentProfile, first });
}

const notKept = "We couldn't save your card. You haven't been charged. Please try again.";

async function keepForLater(
  ctx: Context,
  student: User,
  subscription: Subscription,
  { card, validation }: { readonly card: NewCard; readonly validation: ValidationRow },
): Promise<CardChange> {
  const kept = await addCard(ctx, await customerOf(ctx, subscription), card);
  await recordValidation(ctx.db, validation.id, kept, ctx.clock.now());
  if (kept.kind === "declined") throw new Refusal("payment-declined", kept.message);
  if (kept.kind === "failed") throw new Refusal("payment-unavailable", notKept);
  const { paymentProfile } = kept;
  const marks = await marksOf(ctx, paymentProfile);
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, student.id);
    const now = ctx.clock.now();
    const { id, userId, card: before } = await lockByPurchase(tx, subscription.purchaseId);
    if (before.paymentProfileId === paymentProfile.paymentProfileId) return recordMarks(tx, before.id, marks);
    const { id: paymentMethodId } = await addPaymentMethod(tx, { ...paymentProfile, ...marks, userId }, now);
    await updateSubscription(tx, id, { paymentMethodId });
    await forgetCardLater(tx, before, now);
  });
  return {
    success: true,
    status: "changed",
    charged: null,
    message: "Your card is updated. You haven't been charged. We'll use the new card for your next renewal.",
  };
}

/** Asks the gateway when it did not return the customer with the charge. */
async function customerOf(ctx: Context, { purchaseId, card }: Subscription): Promise<string> {
  if (card.customerProfileId !== null) return card.customerProfileId;
  await keepMissingCard(ctx, purchaseId).catch((error) => {
    if (!(error instanceof GatewayUnavailable)) throw error;
  });
  const found = (await findByPurchase(ctx.db, purchaseId))?.card.customerProfileId;
  if (found) return found;
  throw new Refusal("payment-unavailable", "We can't update your card yet. Please try again in a few minutes.");
}

function addCard(ctx: Context, customerProfileId: string, card: NewCard): Promise<CardOutcome> {
  return ctx.gateway.addCard({
    customerProfileId,
    card: { descriptor: card.opaqueDataDescriptor, value: card.opaqueDataValue },
    ...splitName(card.customerName),
    zip: card.zip ?? null,
  });
}

function present(attempt: AttemptRow, outcome: ChargeOutcome | null): CardChange {
  refuseUnpaid(attempt, outcome && "message" in outcome ? outcome.message : null);
  const paid = attempt.state === "approved";
  return {
    success: paid,
    status: paid ? "changed" : "pending",
    charged: paid ? decimalAmount(attempt.amount) : null,
    message: paid
      ? `We charged ${formatCents(attempt.amount)}. Your next 30 days have started.`
      : paymentBeingConfirmed,
  };
}
