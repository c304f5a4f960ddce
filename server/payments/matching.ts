import { after, MINUTE } from "#server/base/clock.ts";
import type { GatewayTransaction } from "#server/gateway/gateway.ts";

/** How far the gateway's clock and ours may be apart. */
const clockSkew = 15 * MINUTE;

export interface Sent {
  readonly invoiceNumber: string;
  /** Of all our requests under this invoice. */
  readonly references: readonly string[];
  readonly amountCents: number;
  readonly last4: string | null;
  /** Null for a charge. */
  readonly refersTo: string | null;
  readonly sentAt: Date;
  /** The gateway said that it has this charge already: the one who asked first is believed. */
  readonly isDuplicate: boolean;
}

/** partial: ours, for less than was asked · doubtful: a person decides · other: not of this request. */
export type Match = "ours" | "partial" | "doubtful" | "other";

/** The gateway may leave a reference out: then all else must fit. Another reference is neither ours nor nobody's. */
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

/** One that took money, else one that may, else one that took none. */
export function decisive(ours: readonly GatewayTransaction[]): GatewayTransaction | null {
  const states: readonly GatewayTransaction["state"][] = ["approved", "refund", "held", "disputed"];
  const byState = states.map((state) => ours.find((one) => one.state === state));
  return byState.find((one) => one !== undefined) ?? ours[0] ?? null;
}
