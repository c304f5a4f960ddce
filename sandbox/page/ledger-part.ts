import { formatMoney } from "#contract/money.ts";
import { escapeHtml } from "#server/http/html.ts";
import { listTransactions, type Transaction } from "../gateway/ledger.ts";
import { settleDue } from "../gateway/transactions/settlement.ts";
import type { Store } from "../store.ts";
import { counted, shortTime, tracked } from "./markup.ts";

/** The number of transactions shown. The API lists older ones. */
const newest = 200;

/** The gateway's newest transactions, newest first, below their totals. */
export function ledgerPart(store: Store, now: Date): string {
  settleDue(store, now);
  const transactions = listTransactions(store).reverse();
  if (transactions.length === 0) {
    return `<p class="empty">No transactions yet. Each charge appears here, the newest on top, and stays.</p>`;
  }
  // Transactions that wait for a decision are always shown.
  const shown = transactions.filter(({ status }, index) => index < newest || status === "FDSPendingReview");
  const older = transactions.length - shown.length;
  const heads = ["Transaction", "Status", "Card", "Invoice, reference, batch", "Time (UTC)"];
  const head = heads.map((name) => `<th role="columnheader" scope="col">${name}</th>`).join("");
  // Sets the roles explicitly, because narrow windows show rows as blocks, which removes them.
  return `<p class="sums">${sums(transactions)}</p>
<table role="table" aria-labelledby="ledger-title"><thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${shown.map(ledgerRow).join("")}</tbody></table>
${older > 0 ? `<p class="hint">${counted(older, "older transaction")}: <a href="/sandbox/api/gateway/transactions">the whole ledger as JSON</a></p>` : ""}`;
}

const taken = ["capturedPendingSettlement", "settledSuccessfully"];
const returned = ["refundPendingSettlement", "refundSettledSuccessfully"];

function sums(transactions: readonly Transaction[]): string {
  const sum = (statuses: readonly string[]) =>
    transactions
      .filter(({ status }) => statuses.includes(status))
      .reduce((cents, { amountCents }) => cents + amountCents, 0);
  const declined = transactions.filter(({ responseCode }) => responseCode === "2").length;
  return [
    counted(transactions.length, "transaction"),
    `${formatMoney(sum(taken))} taken`,
    `${formatMoney(sum(returned))} given back`,
    `${declined} declined`,
  ].join(" · ");
}

const moods: Readonly<Record<string, string>> = {
  capturedPendingSettlement: "good",
  settledSuccessfully: "good",
  FDSPendingReview: "waiting",
  refundPendingSettlement: "waiting",
  refundSettledSuccessfully: "waiting",
};

function ledgerRow(transaction: Transaction): string {
  const cell = (html: string) => `<td role="cell">${html}</td>`;
  const { transId, status, refTransId, invoiceNumber, refId, batchId, recurring } = transaction;
  const { attributes, mark } = tracked(`transaction ${transId}`, status);
  const amount = `<strong>${transaction.type === "refundTransaction" ? "−" : ""}${formatMoney(transaction.amountCents)}</strong>`;
  const kind = refTransId ? `refund of ${escapeHtml(refTransId)}` : recurring ? "recurring" : "";
  const badge = `<span class="badge ${moods[status] ?? "bad"}">${escapeHtml(status)}</span>`;
  const numbers = [invoiceNumber, refId, batchId].filter((number) => number !== null).map(escapeHtml);
  return `<tr role="row" ${attributes}>${[
    cell(
      `<div class="stack"><span>${amount} ${mark}</span><code>${transId}</code>${kind && `<span class="hint">${kind}</span>`}</div>`,
    ),
    cell(status === "FDSPendingReview" ? `<div class="stack">${badge}${decisionForm(transId)}</div>` : badge),
    cell(`${escapeHtml(transaction.brand)} ···· ${escapeHtml(transaction.last4)}`),
    cell(numbers.map((number) => `<code>${number}</code>`).join("<br>") || "–"),
    cell(`<time datetime="${transaction.at}">${shortTime(transaction.at)}</time>`),
  ].join("")}</tr>`;
}

/** Approves or declines a held transaction, like the merchant. */
function decisionForm(transId: string): string {
  return `<form data-form="held" class="row" aria-label="Decide about ${transId}">
<input type="hidden" name="transId" value="${transId}">
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="decline" class="quiet">Decline</button></form>`;
}
