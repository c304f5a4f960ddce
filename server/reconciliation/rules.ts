import type { DiscrepancyKind } from "#contract/admin/reconciliation.ts";
import { after, DAY, HOUR } from "#server/clock.ts";
import type { ListedTransaction } from "#server/gateway/gateway.ts";
import type { AttemptState, Booking } from "#server/purchases/books.ts";

/** A transaction of the gateway; `refersTo` is the one that a refund pays back. */
export interface GatewayRow
  extends Pick<ListedTransaction, "transactionId" | "invoiceNumber" | "amountCents" | "state"> {
  readonly refersTo: string | null;
}

export interface Finding {
  readonly kind: DiscrepancyKind | "still-open" | "refund-open";
  readonly transactionId: string | null;
  readonly attempt: Booking | null;
  readonly foundCents: number | null;
}

/**
 * Holds one transaction of the gateway against the attempts that it may belong to: the one that carries its number, or
 * those under its invoice. Null when the books agree. `still-open` and `refund-open` are no discrepancies: the resolvers take it
 * from there.
 */
export function holdAgainst(row: GatewayRow, attempts: readonly Booking[]): Finding | null {
  const about = row.state === "refund" ? row.refersTo : row.transactionId;
  const own = attempts.find((attempt) => attempt.transactionId !== null && attempt.transactionId === about) ?? null;
  const finding = (kind: Finding["kind"], attempt: Booking | null): Finding => ({
    kind,
    transactionId: row.transactionId,
    attempt,
    foundCents: row.amountCents,
  });
  switch (row.state) {
    case "approved": {
      if (own?.state === "approved") return own.amountCents === row.amountCents ? null : finding("amount-differs", own);
      const underInvoice = attempts.filter((attempt) => attempt.invoiceNumber === row.invoiceNumber);
      const open = own ?? underInvoice.find((attempt) => isOpen(attempt.state));
      if (open && isOpen(open.state)) return finding("still-open", open);
      const closed = own ?? underInvoice.find((attempt) => attempt.state !== "approved");
      // An invoice that is paid already, or that is not ours: nobody here expects this money.
      return closed ? finding("not-recorded", closed) : finding("unknown-here", null);
    }
    case "held":
    case "declined":
      return own && isOpen(own.state) && row.state === "declined" ? finding("still-open", own) : null;
    case "voided":
    case "refund":
      if (own?.purchaseStatus !== "completed" || own.refunded.includes(row.transactionId)) return null;
      return finding(own.openRefundId === null ? "returned-elsewhere" : "refund-open", own);
    case "failed":
      return own?.purchaseStatus === "completed" ? finding("not-settled", own) : null;
    case "disputed":
      return own?.purchaseStatus === "completed" ? finding("disputed", own) : null;
  }
}

function isOpen(state: AttemptState): boolean {
  return state === "sent" || state === "unknown" || state === "held";
}

/** How far back a run looks: past the last good one with room to spare, three days at least, a month at most. */
export function windowOf(lastGoodRun: Date | null, now: Date): { from: Date; to: Date } {
  const earliest = after(now, -30 * DAY);
  const usual = after(now, -3 * DAY);
  const wanted = lastGoodRun ? after(lastGoodRun, -2 * DAY) : earliest;
  const from = wanted > usual ? usual : wanted < earliest ? earliest : wanted;
  return { from, to: now };
}

/** Three in the morning, UTC, after the gateway has settled the day before. */
export function nextNight(now: Date): Date {
  const night = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()) + 3 * HOUR);
  return night > now ? night : after(night, DAY);
}
