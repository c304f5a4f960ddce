import { decimalAmount } from "#contract/money.ts";
import { tierLabels } from "#contract/tiers.ts";
import { after, HOUR } from "#server/base/clock.ts";
import { stopRenewal } from "./renewing.ts";
import type { PastAttempt, PastDiscrepancy, PastPurchase, PastRefund } from "./rows.ts";
import type { Student } from "./student.ts";

const settlesAtHour = 22;

/** Refunds the newest charge of a purchase, which ends its access unless `amountCents` is a part. */
export function refundCharge(
  student: Student,
  purchase: PastPurchase,
  actor: string,
  reason: string,
  now: Date,
  amountCents?: number,
): void {
  const charge = student.lastCharge(purchase);
  const isWhole = amountCents === undefined;
  const amount = amountCents ?? charge.amount;
  const isSettled = now >= nextSettlement(charge.sentAt);
  const reference = student.newId();
  const resolvedAt = after(now, student.random.whole(500, 1900));
  const refund: PastRefund = {
    id: student.newId(),
    purchaseId: purchase.id,
    attemptId: charge.id,
    userId: student.user.id,
    kind: isSettled ? "refund" : "void",
    amount,
    endsAccess: isWhole,
    accessKeptUntil: null,
    reference,
    invoiceNumber: student.newId(),
    replaces: null,
    state: "returned",
    cause: null,
    actor,
    reason,
    note: null,
    sentAt: now,
    resolvedAt,
    checkedAt: null,
    madeBy: isSettled ? reference : charge.reference,
  };
  student.refunds.push(refund);
  student.giveBackAtGateway(refund, charge.reference);
  if (isWhole) endPurchase(student, purchase, "refunded", resolvedAt);
  tellOfRefund(student, refund, purchase, charge, resolvedAt);
  const { id: refundId, attemptId: chargeId, kind, endsAccess } = refund;
  const change = { after: { refundId, chargeId, kind, amount: decimalAmount(amount), endsAccess } };
  student.note(actor, "refund purchase", purchase.id, change, reason, now);
}

function tellOfRefund(
  student: Student,
  refund: PastRefund,
  purchase: PastPurchase,
  charge: PastAttempt,
  at: Date,
): void {
  const { tier, until } = student.accessAt(at);
  student.write("refunded", refund.id, at, {
    planName: tierLabels[purchase.tier],
    amountCents: refund.amount,
    paidCents: charge.amount,
    refundedAt: at,
    card: { brand: charge.brand, last4: charge.last4 },
    transactionId: null,
    kind: refund.kind,
    endsAccess: refund.endsAccess,
    accessAfter: { tier, until },
  });
}

/** A chargeback of the newest charge, which reconciliation finds and an administrator books by ending the access. */
export function disputeCharge(student: Student, purchase: PastPurchase, actor: string, foundAt: Date, now: Date): void {
  const charge = student.lastCharge(purchase);
  student.changeEntry(charge.reference, { result: "chargeback" });
  const reason = "the payment was charged back";
  const refund: PastRefund = {
    id: student.newId(),
    purchaseId: purchase.id,
    attemptId: charge.id,
    userId: student.user.id,
    kind: "refund",
    amount: charge.amount,
    endsAccess: true,
    accessKeptUntil: null,
    reference: student.newId(),
    invoiceNumber: null,
    replaces: null,
    state: "returned",
    cause: null,
    actor,
    reason,
    note: null,
    sentAt: now,
    resolvedAt: now,
    checkedAt: null,
    madeBy: charge.reference,
  };
  student.refunds.push(refund);
  endPurchase(student, purchase, reason, now);
  const found: PastDiscrepancy = {
    id: student.newId(),
    kind: "disputed",
    attemptId: charge.id,
    purchaseId: purchase.id,
    userId: student.user.id,
    subjectId: null,
    detail: null,
    expected: charge.amount,
    found: charge.amount,
    foundAt,
    claimedAt: null,
    resolvedAt: now,
    resolution: "Recorded as refunded, access ended",
    resolvedBy: actor,
    chargedBy: charge.reference,
  };
  student.discrepancies.push(found);
  const { tier, until } = student.accessAt(now);
  const facts = { planName: tierLabels[purchase.tier], amountCents: charge.amount, accessAfter: { tier, until } };
  student.write("payment-lost", refund.id, now, { ...facts, cause: "charged-back" });
  const before = { ...found, claimedAt: now, resolvedAt: null, resolution: null, resolvedBy: null };
  student.note(actor, "repair disputed", found.id, { before, after: { action: "end-access" } }, null, now);
}

function endPurchase(student: Student, purchase: PastPurchase, reason: string, now: Date): void {
  if (purchase.isRecurring) {
    stopRenewal(student, purchase, reason, now);
    student.forgetCard(purchase);
  }
  const isKept = student.keptOf(purchase) > 0;
  Object.assign(purchase, isKept ? { givesAccess: false } : { status: "refunded" });
  student.endGrants(purchase, null, reason, now);
  student.giveBackReplaced(purchase, now);
}

function nextSettlement(sentAt: Date): Date {
  const today = new Date(sentAt);
  today.setUTCHours(settlesAtHour, 0, 0, 0);
  return today > sentAt ? today : after(today, 24 * HOUR);
}
