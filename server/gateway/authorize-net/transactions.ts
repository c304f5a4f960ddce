import {
  type GatewayTransaction,
  GatewayUnavailable,
  type ListedTransaction,
  type TransactionState,
  UnreadableTransaction,
} from "../gateway.ts";
import { last4Of } from "./codes.ts";
import { listOf, numberOf, objectOf, textOf } from "./conversation/replies.ts";

interface Standing {
  readonly state: TransactionState;
  readonly settled: boolean;
}

const before = (state: TransactionState): Standing => ({ state, settled: false });
const after = (state: TransactionState): Standing => ({ state, settled: true });

const standings: Readonly<Record<string, Standing>> = {
  capturedPendingSettlement: before("approved"),
  approvedReview: before("approved"),
  settledSuccessfully: after("approved"),
  chargebackReversal: after("approved"),
  // An attempt to undo it failed, so the money stays taken.
  couldNotVoid: after("approved"),
  // Authorised and not captured: nothing is paid until somebody at the gateway releases it.
  authorizedPendingCapture: before("held"),
  authorizedPendingRelease: before("held"),
  FDSPendingReview: before("held"),
  FDSAuthorizedPendingReview: before("held"),
  underReview: before("held"),
  declined: before("declined"),
  voided: before("voided"),
  refundPendingSettlement: before("refund"),
  refundSettledSuccessfully: after("refund"),
  communicationError: before("failed"),
  generalError: before("failed"),
  failedReview: before("failed"),
  expired: before("failed"),
  settlementError: after("failed"),
  returnedItem: after("failed"),
  chargeback: after("disputed"),
};

/** @throws UnreadableTransaction for a status that we do not know: guessing could give or take money. */
export function transactionOf(transaction: Record<string, unknown>, reference: string | null): GatewayTransaction {
  const transactionId = textOf(transaction.transId);
  const standing = standingOf(transaction);
  const cents = amountOf(transaction, standing);
  const submittedAt = dateOf(transaction.submitTimeUTC);
  if (transactionId === null || standing === null || cents === null || submittedAt === null) {
    throw new UnreadableTransaction("The gateway described a transaction in a way that cannot be read.");
  }
  const creditCard = objectOf(objectOf(transaction.payment).creditCard);
  const profile = objectOf(transaction.profile);
  const customerProfileId = textOf(profile.customerProfileId);
  const paymentProfileId = textOf(profile.customerPaymentProfileId);
  return {
    transactionId,
    reference,
    invoiceNumber: textOf(objectOf(transaction.order).invoiceNumber),
    amountCents: cents,
    ...standing,
    isDisputeWon: isDisputeWon(transaction),
    refersTo: textOf(transaction.refTransId),
    card: { brand: textOf(creditCard.cardType), last4: last4Of(creditCard.cardNumber) },
    networkTransactionId: textOf(transaction.networkTransId),
    paymentProfile: customerProfileId && paymentProfileId ? { customerProfileId, paymentProfileId } : null,
    codes: {
      response: textOf(transaction.responseCode),
      reason: textOf(transaction.responseReasonCode),
      avs: textOf(transaction.AVSResponse),
      cvv: textOf(transaction.cardCodeResponse),
    },
    submittedAt,
  };
}

/** @throws GatewayUnavailable when a row has no number, amount or time. */
export function listedTransactionsOf(transactions: unknown): ListedTransaction[] {
  return rowsOf(transactions, "transaction").map((row) => {
    const transactionId = textOf(row.transId);
    const cents = centsOf(row.settleAmount);
    const submittedAt = dateOf(row.submitTimeUTC);
    if (transactionId === null || cents === null || submittedAt === null) {
      throw new GatewayUnavailable("The gateway listed a transaction that cannot be read.");
    }
    // One row that nobody understands must not hide all the others; nothing is decided about what is held.
    const state = standingOf(row)?.state ?? "held";
    const invoiceNumber = textOf(row.invoiceNumber);
    return { transactionId, invoiceNumber, amountCents: cents, state, isDisputeWon: isDisputeWon(row), submittedAt };
  });
}

export function batchIdsOf(batchList: unknown): string[] {
  return rowsOf(batchList, "batch").map((row) => {
    const batchId = textOf(row.batchId);
    if (batchId === null) throw new GatewayUnavailable("The gateway listed a batch that cannot be read.");
    return batchId;
  });
}

/** It comes absent, flat, as one object, or under its element's name, as XML would have it. */
function rowsOf(list: unknown, elementName: string): Record<string, unknown>[] {
  return listOf(objectOf(list)[elementName] ?? list).map(objectOf);
}

function standingOf(transaction: Record<string, unknown>): Standing | null {
  const status = textOf(transaction.transactionStatus) ?? "";
  return Object.hasOwn(standings, status) ? (standings[status] ?? null) : null;
}

function isDisputeWon(transaction: Record<string, unknown>): boolean {
  return textOf(transaction.transactionStatus) === "chargebackReversal";
}

/** Less may be paid of an approved charge than was authorised. */
function amountOf(transaction: Record<string, unknown>, standing: Standing | null): number | null {
  const authorised = centsOf(transaction.authAmount);
  const settled = centsOf(transaction.settleAmount);
  return (standing?.state === "approved" ? settled || authorised : authorised) ?? settled;
}

function centsOf(amount: unknown): number | null {
  const number = numberOf(amount);
  return number === null ? null : Math.round(number * 100);
}

/** The gateway may leave the zone away; by its name the time is in UTC. */
function dateOf(value: unknown): Date | null {
  const text = textOf(value);
  if (text === null) return null;
  const date = new Date(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}
