import { DAY } from "#server/base/clock.ts";
import { keepSetting, readSetting, type Store } from "../../store.ts";
import { findTransaction, listPage, type Transaction } from "../ledger.ts";
import { type Call, reply, textOf } from "../replies.ts";
import { type Batch, findBatch, listBatches } from "./settlement.ts";

const MAX_RANGE_MS = 31 * DAY;

export function transactionDetails({ store, refId, request }: Call): object {
  const found = findTransaction(store, String(request.transId));
  if (!found) return reply(refId, "E00040");
  const batch = found.batchId === null ? null : findBatch(store, found.batchId);
  const transaction = {
    transId: found.transId,
    ...defined("refTransId", found.refTransId),
    ...times("submitTime", found.at),
    transactionType: found.type,
    transactionStatus: found.status,
    responseCode: Number(found.responseCode),
    responseReasonCode: Number(found.reasonCode),
    responseReasonDescription: textOf(found.reasonCode),
    ...(found.authCode ? { authCode: found.authCode } : {}),
    AVSResponse: found.avs,
    ...(found.cvv ? { cardCodeResponse: found.cvv } : {}),
    ...(batch ? { batch: wireBatch(batch) } : {}),
    ...(found.invoiceNumber || found.description
      ? { order: { ...defined("invoiceNumber", found.invoiceNumber), ...defined("description", found.description) } }
      : {}),
    authAmount: found.amountCents / 100,
    settleAmount: found.settleCents / 100,
    taxExempt: false,
    taxExemptSpecified: true,
    payment: { creditCard: { cardNumber: `XXXX${found.last4}`, expirationDate: "XXXX", cardType: found.brand } },
    customer: { ...defined("id", found.customerId), ...defined("email", found.customerEmail) },
    billTo: { ...defined("firstName", found.firstName), ...defined("lastName", found.lastName) },
    recurringBilling: found.recurring,
    recurringBillingSpecified: true,
    product: "Card Not Present",
    marketType: "eCommerce",
    ...profileOf(found),
    ...defined("networkTransId", found.networkTransId),
  };
  return reply(refId, "I00001", { transaction, ...defined("transrefId", toldReferenceOf(store, found)) });
}

/** How reports show the reference of the request, which is an optional element, or that they are unavailable. */
export const reportModes = ["told", "absent", "other", "unavailable"] as const;
export type ReportMode = (typeof reportModes)[number];

/** `told` by default. */
export function reportMode(store: Store): ReportMode {
  const kept = readSetting(store, "told-reference");
  return reportModes.find((one) => one === kept) ?? "told";
}

export function keepReportMode(store: Store, mode: ReportMode): void {
  keepSetting(store, "told-reference", mode);
}

function toldReferenceOf(store: Store, { refId }: Transaction): string | null {
  const mode = reportMode(store);
  return mode === "absent" || refId === null ? null : mode === "told" ? refId : "somebody-else";
}

interface ListRequest {
  sorting?: { orderBy: string; orderDescending: string | boolean };
  paging?: { limit: string | number; offset: string | number };
}

export function unsettledTransactions(call: Call): object {
  return transactionList(call, null);
}

/** An unknown batch has no transactions (UNSURE). */
export function batchTransactions(call: Call): object {
  const { batchId } = call.request;
  return batchId === undefined ? reply(call.refId, "E00014") : transactionList(call, String(batchId));
}

export function settledBatches({ store, refId, request }: Call): object {
  const last = new Date(String(request.lastSettlementDate));
  const first = new Date(String(request.firstSettlementDate));
  const range = last.getTime() - first.getTime();
  // UNSURE: the limit of 31 days, and the code and text of this refusal.
  if (range < 0 || range > MAX_RANGE_MS) {
    return reply(refId, "E00013", {}, "The settlement dates must span 31 days or less, the first before the last.");
  }
  const batchList = listBatches(store, first, last).map((batch) => ({
    ...wireBatch(batch),
    paymentMethod: "creditCard",
    marketType: "eCommerce",
    product: "Card Not Present",
  }));
  if (batchList.length === 0) return reply(refId, "I00004");
  return reply(refId, "I00001", { batchList });
}

/** The paging offset is a page number (UNSURE). An empty page has no list. */
function transactionList({ store, refId, request }: Call, batchId: string | null): object {
  const { sorting, paging } = request as ListRequest;
  const limit = Number(paging?.limit ?? 1000);
  const { rows, total } = listPage(store, {
    batchId,
    // Ids and submit times have the same order, so that both sortings are one.
    descending: String(sorting?.orderDescending) === "true",
    limit,
    offset: (Number(paging?.offset ?? 1) - 1) * limit,
  });
  if (rows.length === 0) return reply(refId, "I00004", { totalNumInResultSet: 0 });
  // UNSURE whether it counts the page or all pages. Here all.
  return reply(refId, "I00001", { transactions: rows.map(listedTransaction), totalNumInResultSet: total });
}

function listedTransaction(transaction: Transaction): object {
  return {
    transId: transaction.transId,
    ...times("submitTime", transaction.at),
    transactionStatus: transaction.status,
    ...defined("invoiceNumber", transaction.invoiceNumber),
    ...defined("firstName", transaction.firstName),
    ...defined("lastName", transaction.lastName),
    accountType: transaction.brand,
    accountNumber: `XXXX${transaction.last4}`,
    // UNSURE for declined and voided transactions. Here the requested amount.
    settleAmount: (transaction.settleCents || transaction.amountCents) / 100,
    marketType: "eCommerce",
    product: "Card Not Present",
    hasReturnedItemsSpecified: false,
    ...profileOf(transaction),
  };
}

function wireBatch(batch: Batch): object {
  const { settlementTimeUTC, settlementTimeLocal } = times("settlementTime", batch.settledAt);
  return {
    batchId: batch.batchId,
    settlementTimeUTC,
    settlementTimeUTCSpecified: true,
    settlementTimeLocal,
    settlementTimeLocalSpecified: true,
    settlementState: batch.state,
  };
}

function profileOf({ customerProfileId, paymentProfileId }: Transaction): object {
  if (!customerProfileId || !paymentProfileId) return {};
  return { profile: { customerProfileId, customerPaymentProfileId: paymentProfileId } };
}

function defined(name: string, value: string | null): object {
  return value === null ? {} : { [name]: value };
}

/** The gateway shows the time twice, in whole seconds; the sandbox's merchant is in UTC. */
function times(name: string, at: string): Record<string, string> {
  const seconds = at.replace(/\.\d+Z$/, "");
  return { [`${name}UTC`]: `${seconds}Z`, [`${name}Local`]: seconds };
}
