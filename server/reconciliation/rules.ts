import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import type { ListedTransaction } from "#server/gateway/gateway.ts";
import { isOpen } from "#server/payments/states.ts";
import { hasGoneBack } from "#server/refunds/refunds.ts";
import type { RecordedCharge, RecordedReturn } from "./recorded-charges.ts";

/** `refersTo`: the transaction that a refund returns. */
export interface GatewayRow
  extends Pick<ListedTransaction, "transactionId" | "invoiceNumber" | "amountCents" | "state" | "isDisputeWon"> {
  readonly refersTo: string | null;
}

export interface Finding {
  readonly kind: DiscrepancyKind | "still-open" | "refund-open";
  readonly transactionId: string | null;
  readonly attempt: RecordedCharge | null;
  readonly refund: RecordedReturn | null;
  readonly foundCents: number | null;
}

/** Null when the ledgers agree. `still-open` and `refund-open` are for the resolvers. */
export function compare(row: GatewayRow, attempts: readonly RecordedCharge[]): Finding | null {
  const finding = (
    kind: Finding["kind"],
    attempt: RecordedCharge | null = null,
    refund: RecordedReturn | null = null,
  ): Finding => ({ kind, transactionId: row.transactionId, attempt, refund, foundCents: row.amountCents });
  const recorded = recordedRefund(row, attempts);
  if (recorded) {
    const { attempt, refund } = recorded;
    if (!hasGoneBack(refund)) return finding("refund-open", attempt, refund);
    return row.state === "refund" || row.state === "held" ? null : finding("refund-failed", attempt, refund);
  }
  const about = row.state === "refund" ? row.refersTo : row.transactionId;
  const own = attempts.find((attempt) => attempt.transactionId !== null && attempt.transactionId === about) ?? null;
  const paid = own?.state === "approved" ? own : null;
  switch (row.state) {
    case "approved":
      return paid ? compareApproved(row, paid, finding) : compareUnrecorded(row, own, attempts, finding);
    case "held":
    case "declined":
      return own && isOpen(own) && row.state === "declined" ? finding("still-open", own) : null;
    case "voided":
    case "refund": {
      if (row.state === "refund" && row.refersTo === null) {
        const underInvoice = attempts.find(({ invoiceNumber }) => invoiceNumber === row.invoiceNumber);
        return finding("credit-unlinked", underInvoice);
      }
      if (!paid) return null;
      const open = paid.returns.find((refund) => !hasGoneBack(refund));
      if (open) return finding("refund-open", paid, open);
      return leftOf(paid) > 0 ? finding("returned-elsewhere", paid) : null;
    }
    case "failed":
      return paid && leftOf(paid) > 0 ? finding("not-settled", paid) : null;
    case "disputed":
      return paid && !disputeOf(paid) ? finding("disputed", paid) : null;
  }
}

type Find = (kind: Finding["kind"], attempt?: RecordedCharge | null, refund?: RecordedReturn | null) => Finding;

function compareApproved(row: GatewayRow, paid: RecordedCharge, finding: Find): Finding | null {
  const voided = paid.returns.find((refund) => refund.kind === "void" && hasGoneBack(refund));
  if (voided) return finding("void-settled", paid, voided);
  const dispute = disputeOf(paid);
  if (dispute && row.isDisputeWon) return finding("dispute-won", paid, dispute);
  return paid.amountCents === row.amountCents ? null : finding("amount-differs", paid);
}

function compareUnrecorded(
  row: GatewayRow,
  own: RecordedCharge | null,
  attempts: readonly RecordedCharge[],
  finding: Find,
): Finding {
  const underInvoice = attempts.filter((attempt) => attempt.invoiceNumber === row.invoiceNumber);
  const open = own ?? underInvoice.find((attempt) => isOpen(attempt));
  if (open && isOpen(open)) return finding("still-open", open);
  const closed = own ?? underInvoice.find((attempt) => attempt.state !== "approved");
  // Unexpected: the invoice number is paid already, or not ours.
  return closed ? finding("not-recorded", closed) : finding("unknown-here");
}

/** By transaction id or invoice number. */
function recordedRefund(row: GatewayRow, attempts: readonly RecordedCharge[]) {
  for (const attempt of attempts) {
    if (row.transactionId === attempt.transactionId) continue;
    const refund = attempt.returns.find(
      ({ kind, transactionId, invoiceNumber }) =>
        kind === "refund" && (transactionId === row.transactionId || invoiceNumber === row.invoiceNumber),
    );
    if (refund) return { attempt, refund };
  }
  return null;
}

/** A dispute is recorded with the charge's own transaction id. */
export function disputeOf({ returns, transactionId }: RecordedCharge): RecordedReturn | null {
  return (
    returns.find(
      (refund) => refund.kind === "refund" && hasGoneBack(refund) && refund.transactionId === transactionId,
    ) ?? null
  );
}

export function leftOf({ amountCents, returns }: RecordedCharge): number {
  return returns.reduce((left, refund) => left - (hasGoneBack(refund) ? refund.amountCents : 0), amountCents);
}

/** From two days before the last successful run; at least 3 days and at most 120. */
export function windowOf(lastGoodRun: Date | null, now: Date): { from: Date; to: Date } {
  const earliest = after(now, -120 * DAY);
  const usual = after(now, -3 * DAY);
  const wanted = lastGoodRun ? after(lastGoodRun, -2 * DAY) : earliest;
  const from = wanted > usual ? usual : wanted < earliest ? earliest : wanted;
  return { from, to: now };
}

/** 03:00 UTC, when the gateway has settled the previous day. */
export function nextNight(now: Date): Date {
  const night = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) + 3 * HOUR);
  return night > now ? night : after(night, DAY);
}
