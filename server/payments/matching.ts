import { after, MINUTE } from "#server/base/clock.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";

/** Tolerance between the gateway's clock and ours. */
const clockSkew = 15 * MINUTE;

export interface Sent {
  readonly invoiceNumber: string;
  /** The references of all our requests with this invoice number. */
  readonly references: readonly string[];
  readonly amountCents: number;
  readonly last4: string | null;
  /** Null for a charge. */
  readonly refersTo: string | null;
  readonly sentAt: Date;
  /** The gateway reported a duplicate: a transaction of an earlier request of ours counts too. */
  readonly isDuplicate: boolean;
}

/** partial: ours, but approved for less · doubtful: a person must decide · other: not of this request. */
export type Match = "ours" | "partial" | "doubtful" | "other";

/**
 * The gateway may omit the reference: then everything else must match. A different reference makes a transaction
 * doubtful.
 */
export function matchOf(transaction: GatewayTransaction, sent: Sent): Match {
  const { reference, invoiceNumber, amountCents } = transaction;
  const isRefund = transaction.state === "refund";
  if (sent.refersTo !== null && transaction.refersTo !== null && transaction.refersTo !== sent.refersTo) return "other";
  const isNamed = reference !== null && sent.references.includes(reference);
  const isUnderInvoice = invoiceNumber === sent.invoiceNumber;
  const paysBack = sent.refersTo !== null && transaction.refersTo === sent.refersTo && invoiceNumber === null;
  if (!isNamed && !isUnderInvoice && !paysBack) return "other";
  if (sent.refersTo === null && isRefund) return "other";

  const holdsMoney = ["approved", "held", "disputed", "refund"].includes(transaction.state);
  const isForeign = reference !== null && !isNamed && !sent.isDuplicate;
  if (isForeign) return holdsMoney || amountCents === sent.amountCents ? "doubtful" : "other";
  const isOtherCard = sent.last4 !== null && transaction.card.last4 !== null && transaction.card.last4 !== sent.last4;
  const isEarlier = transaction.submittedAt < after(sent.sentAt, -clockSkew);
  const fits = isNamed || sent.isDuplicate || (!isOtherCard && !isEarlier);
  if (!fits) return holdsMoney ? "doubtful" : "other";
  if (amountCents === sent.amountCents) return "ours";
  if (!holdsMoney) return isNamed ? "ours" : "other";
  return amountCents < sent.amountCents && sent.refersTo === null && !sent.isDuplicate ? "partial" : "doubtful";
}

/** Prefers a transaction that took money, then one that may have, then others. */
export function decisive(ours: readonly GatewayTransaction[]): GatewayTransaction | null {
  const states: readonly GatewayTransaction["state"][] = ["approved", "refund", "held", "disputed"];
  const byState = states.map((state) => ours.find((one) => one.state === state));
  return byState.find((one) => one !== undefined) ?? ours[0] ?? null;
}
