import { DAY } from "#server/base/clock.ts";
import { inTransaction, type Store } from "../../store.ts";
import {
  appendToLedger,
  changeStatus,
  findDuplicate,
  findTransaction,
  listRefunds,
  type Transaction,
} from "../ledger.ts";
import { declineReasonOf, type Outcome, refusalOf as stagedRefusalOf } from "../outcomes.ts";
import { duplicateCheckOf } from "./charges.ts";
import { SETTLED } from "./settlement.ts";
import { centsOf, refusedReply, type TransactionRequest, transactionReply } from "./transaction-response.ts";

const REFUNDABLE_FOR_DAYS = 120;

/**
 * The reason code for refunding an unsettled charge. UNSURE: the code table also has 50 ("awaiting settlement");
 * callers must treat both alike.
 */
const NOT_SETTLED = "54";

/** Voids an unsettled transaction, whose status changes. */
export function voidTransaction(
  store: Store,
  refId: string | null,
  request: TransactionRequest,
  outcome: Outcome | null,
): object {
  return inTransaction(store, () => {
    const original = originalOf(store, request);
    if (!original) return refusedReply(refId, request, "16");
    if (original.status === "voided") return transactionReply(refId, itself(original), { code: "310" });
    // The gateway does not find settled and declined transactions among those that can be voided.
    if (!VOIDABLE.includes(original.status)) return refusedReply(refId, request, "16", original);
    const refusal = stagedRefusalOf(outcome);
    if (refusal) return refusedReply(refId, request, refusal.reasonCode, original, refusal.responseCode);
    if (declineReasonOf(outcome) !== null) return refusedReply(refId, request, "327", original);
    const voided = changeStatus(store, original, { status: "voided", settleCents: 0 });
    return transactionReply(refId, itself(voided), { code: "1" });
  });
}

const VOIDABLE: readonly string[] = ["capturedPendingSettlement", "refundPendingSettlement", "FDSPendingReview"];

/** Refunds a settled charge, or a part of it, by another transaction. */
export function refund(
  store: Store,
  now: Date,
  refId: string | null,
  request: TransactionRequest,
  outcome: Outcome | null,
): object {
  return inTransaction(store, () => {
    // Unlinked credits are refused, because merchants must apply for them (UNSURE: the code).
    if (request.refTransId === undefined) return refusedReply(refId, request, "54");
    const original = originalOf(store, request);
    if (!original) return refusedReply(refId, request, "16");
    const amountCents = centsOf(request.amount);
    if (amountCents === null) return refusedReply(refId, request, "5", original);
    const { key: duplicateKey, since } = duplicateCheckOf(request, original, amountCents, now);
    if (findDuplicate(store, duplicateKey, since)) return refusedReply(refId, request, "11", original);
    const reason = refusalOf(store, now, request, original, amountCents);
    if (reason) return refusedReply(refId, request, reason, original);
    const refusal = stagedRefusalOf(outcome);
    if (refusal) return refusedReply(refId, request, refusal.reasonCode, original, refusal.responseCode);
    const transaction = appendToLedger(store, {
      ...refundOf(original, amountCents, now),
      ...verdictOf(outcome),
      refId,
      invoiceNumber: request.order?.invoiceNumber === undefined ? null : String(request.order.invoiceNumber),
      description: request.order?.description ?? null,
      duplicateKey,
    });
    return transactionReply(refId, transaction);
  });
}

/** How the gateway decides about a refund with a staged outcome. Empty when it refunds at once. */
function verdictOf(outcome: Outcome | null) {
  if (outcome === "hold") return { responseCode: "4", reasonCode: "252", status: "FDSPendingReview" };
  const reasonCode = declineReasonOf(outcome);
  return reasonCode === null ? {} : { responseCode: "2", reasonCode, status: "declined" };
}

/** A full refund made by hand at the gateway. Returns why it is not possible, or null. */
export function refundElsewhere(store: Store, now: Date, original: Transaction): string | null {
  const amountCents = original.settleCents - refundedCents(store, original);
  if (!SETTLED.includes(original.status)) return "Only a settled charge is refunded; it settles at 22:00 UTC.";
  if (amountCents <= 0) return "Nothing of it is left to refund.";
  inTransaction(store, () => {
    const made = { refId: null, invoiceNumber: original.invoiceNumber, description: null, duplicateKey: "" };
    appendToLedger(store, { ...refundOf(original, amountCents, now), ...made });
  });
  return null;
}

/** An unlinked credit of the same amount to a charge's card. Returns why it is not possible, or null. */
export function creditElsewhere(store: Store, now: Date, original: Transaction): string | null {
  if (original.status !== "settledSuccessfully") return "Only to the card of a settled charge.";
  const made = { refId: null, refTransId: null, invoiceNumber: null, description: null, duplicateKey: "" };
  appendToLedger(store, { ...refundOf(original, original.amountCents, now), ...made });
  return null;
}

function refusalOf(
  store: Store,
  now: Date,
  request: TransactionRequest,
  original: Transaction,
  amountCents: number,
): string | null {
  if (original.status === "capturedPendingSettlement") return NOT_SETTLED;
  if (!SETTLED.includes(original.status) || original.type === "refundTransaction") return "54";
  if (now.getTime() - Date.parse(original.since) > REFUNDABLE_FOR_DAYS * DAY) return "54";
  if (String(request.payment?.creditCard?.cardNumber).slice(-4) !== original.last4) return "54";
  return amountCents > original.settleCents - refundedCents(store, original) ? "55" : null;
}

function refundedCents(store: Store, original: Transaction): number {
  return listRefunds(store, original.transId).reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** The ledger's fields of a refund, without those of its request. */
export function refundOf(original: Transaction, amountCents: number, now: Date) {
  const { transId, settleCents: _settled, since: _since, batchId: _batch, ...kept } = original;
  return {
    ...kept,
    type: "refundTransaction",
    status: "refundPendingSettlement",
    responseCode: "1",
    reasonCode: "1",
    amountCents,
    refTransId: transId,
    avs: "P",
    cvv: "",
    authCode: "",
    networkTransId: null,
    recurring: false,
    at: now.toISOString(),
  };
}

function originalOf(store: Store, request: TransactionRequest): Transaction | null {
  return findTransaction(store, String(request.refTransId ?? ""));
}

/** Replies to voids have the transaction's id in both fields. */
function itself(transaction: Transaction): Transaction {
  return { ...transaction, avs: "P", cvv: "", networkTransId: null, refTransId: transaction.transId };
}
