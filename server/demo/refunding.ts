import { builtInPlanNames } from "#content/plans.ts";
import { decimalAmount } from "#contract/money.ts";
import { after, HOUR } from "#server/base/clock.ts";
import { stopRenewal } from "./renewing.ts";
import type { PastPurchase, PastRefund } from "./rows.ts";
import type { Student } from "./student.ts";

const settlesAtHour = 22;

/** Refunds the only charge of a purchase, which ends its access. */
export function refundPurchase(
  student: Student,
  purchase: PastPurchase,
  { actor, reason }: { readonly actor: string; readonly reason: string },
  now: Date,
): void {
  const charge = student.attempts.findLast((one) => one.purchaseId === purchase.id);
  if (!charge) throw new Error("the purchase has no charge");
  const { id: attemptId, amount } = charge;
  const resolvedAt = after(now, student.random.whole(500, 1900));
  const refund: PastRefund = {
    id: student.newId(),
    purchaseId: purchase.id,
    attemptId,
    userId: student.user.id,
    kind: now >= nextSettlement(charge.sentAt) ? "refund" : "void",
    amount,
    endsAccess: true,
    isDispute: false,
    accessKeptUntil: null,
    reference: student.newId(),
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
  };
  student.refunds.push(refund);
  const { id, kind, reference: refId, invoiceNumber } = refund;
  if (kind === "void") student.changeEntry(charge.reference, { result: "voided" });
  else {
    student.ledger.push({
      ...{ refId, at: now.toISOString(), amountCents: amount, invoiceNumber: invoiceNumber ?? "" },
      ...{ result: "approved", refundOf: charge.reference },
    });
  }
  purchase.status = "refunded";
  for (const subscription of student.subscriptions.filter((one) => one.purchase === purchase)) {
    stopRenewal(student, subscription, "refunded", resolvedAt);
    student.forgetCard(subscription);
  }
  student.endGrants(({ purchaseId }) => purchaseId === purchase.id, { reason: "refunded" }, resolvedAt);
  student.write("refunded", id, resolvedAt, { planName: builtInPlanNames[purchase.tier], amountCents: amount });
  student.audit.push({
    ...{ id: student.newId(), actor, action: "refund purchase", subject: purchase.id, reason, createdAt: now },
    ...{
      token: null,
      before: null,
      after: { refundId: id, chargeId: attemptId, kind, amount: decimalAmount(amount), endsAccess: true },
    },
  });
}

function nextSettlement(sentAt: Date): Date {
  const today = new Date(sentAt);
  today.setUTCHours(settlesAtHour, 0, 0, 0);
  return today > sentAt ? today : after(today, 24 * HOUR);
}
