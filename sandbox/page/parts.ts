import { formatMoney } from "#contract/money.ts";
import { listOutcomes, OUTCOME_NAMES } from "../gateway/outcomes.ts";
import { listTransactions, type Transaction } from "../gateway/transactions/ledger.ts";
import { settleDue } from "../gateway/transactions/settlement.ts";
import { listMails, type Mail } from "../mailbox.ts";
import type { Store } from "../store.ts";

export interface View {
  readonly store: Store;
  readonly now: Date;
  readonly openMail: Mail | null;
}

/** The pieces of the page that change by themselves, as HTML; the page's script puts them in place again and again. */
export function parts(view: View): Record<"clock" | "queue" | "ledger" | "mails" | "reader", string> {
  return {
    clock: clockPart(view.now),
    queue: queuePart(view.store),
    ledger: ledgerPart(view),
    mails: mailsPart(view.store, view.openMail),
    reader: readerPart(view.store, view.openMail),
  };
}

/** The whole page, complete without its script but for the forms. */
export function page(view: View, stylesheet: string | null): string {
  const { clock, queue, ledger, mails, reader } = parts(view);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox · Academy</title>
<link rel="icon" href="/sandbox/icon.svg">
${stylesheet ? `<link rel="stylesheet" href="${escaped(stylesheet)}">` : ""}
<link rel="stylesheet" href="/sandbox/style.css">
<script type="module" src="/sandbox/page.js"></script>
</head>
<body class="sandbox">
<a class="skip" href="#ledger">Skip to the ledger</a>
<header class="top">
  <p class="tag">Sandbox</p>
  <h1>The outside world, on this machine</h1>
  <p class="lead">Card gateway, mailbox and clock, so that day 31 can be rehearsed before it comes. No card is charged and no mail leaves.</p>
</header>
<main class="bench">
  <section class="card" aria-labelledby="clock-title">
    <h2 id="clock-title">Clock</h2>
    <div data-part="clock">${clock}</div>
    <form data-form="clock" class="row">
      <button type="submit" name="advance" value="1d">+1 day</button>
      <button type="submit" name="advance" value="30d">+30 days</button>
    </form>
    <form data-form="clock" class="row">
      <label for="advance">Move ahead by</label>
      <input id="advance" name="advance" required pattern="(\\d+(ms|s|m|h|d))+" placeholder="1d12h" autocomplete="off" spellcheck="false" aria-describedby="advance-hint">
      <button type="submit">Move</button>
      <p id="advance-hint" class="hint">Days, hours, minutes, seconds: 1d12h, 45m. Time never goes back.</p>
    </form>
  </section>
  <section class="card" aria-labelledby="queue-title">
    <h2 id="queue-title">Next charges</h2>
    <div data-part="queue">${queue}</div>
    <form data-form="outcome" class="row">
      <label for="outcome">Add an outcome</label>
      <select id="outcome" name="outcome">${[...OUTCOME_NAMES, "slow:5000", "slow:25000"]
        .map((name) => `<option value="${name}">${name}</option>`)
        .join("")}</select>
      <button type="submit">Add</button>
    </form>
    <form data-form="clear-outcomes" class="row"><button type="submit" class="quiet">Clear the queue</button></form>
    <details><summary>Test cards and triggers</summary>${triggers}</details>
  </section>
  <p class="status" role="status" data-status></p>
  <section class="card wide" id="ledger" tabindex="-1" aria-labelledby="ledger-title">
    <h2 id="ledger-title">Gateway ledger</h2>
    <div data-part="ledger">${ledger}</div>
  </section>
  <section class="card wide" id="mailbox" aria-labelledby="mailbox-title">
    <div class="heading"><h2 id="mailbox-title">Mailbox</h2>
      <form data-form="empty-mailbox"><button type="submit" class="quiet">Empty the mailbox</button></form></div>
    <div class="mailbox"><div data-part="mails">${mails}</div><div data-part="reader" class="reader">${reader}</div></div>
  </section>
</main>
</body>
</html>`;
}

const triggers = `<dl>
<dt>4111 1111 1111 1111</dt><dd>Visa, approved</dd>
<dt>5424 0000 0000 0015</dt><dd>Mastercard, approved</dd>
<dt>3700 000000 00002</dt><dd>American Express, approved</dd>
<dt>ZIP 46282</dt><dd>declined</dd>
<dt>ZIP 46205</dt><dd>address does not match (N), approved</dd>
<dt>CVV 901</dt><dd>code does not match (N), approved</dd>
</dl>`;

function clockPart(now: Date): string {
  const iso = now.toISOString();
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" }).format(now);
  return `<p class="now"><time datetime="${iso}"><span>${iso.slice(11, 19)}</span> UTC<br>${day}</time></p>`;
}

function queuePart(store: Store): string {
  const outcomes = listOutcomes(store);
  if (outcomes.length === 0) {
    return `<p class="empty">Nothing is staged. Each charge goes by its card and its ZIP.</p>`;
  }
  const items = outcomes.map((outcome) => `<li><code>${escaped(outcome)}</code></li>`).join("");
  return `<ol class="queue" aria-label="Staged outcomes, the next one first">${items}</ol>`;
}

function ledgerPart({ store, now }: View): string {
  settleDue(store, now);
  const transactions = listTransactions(store).reverse();
  if (transactions.length === 0) {
    return `<p class="empty">No transactions yet. Each charge appears here, the newest on top, and stays.</p>`;
  }
  const heads = ["Transaction", "Status", "Batch", "Amount", "Card", "Invoice", "Reference", "Time (UTC)"];
  const head = heads.map((name) => `<th role="columnheader" scope="col">${name}</th>`).join("");
  // The roles are spelled out because narrow screens show the rows as blocks, which takes them away.
  return `<table role="table" aria-labelledby="ledger-title"><thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${transactions.map(ledgerRow).join("")}</tbody></table>`;
}

const moods: Readonly<Record<string, string>> = {
  capturedPendingSettlement: "good",
  settledSuccessfully: "good",
  FDSPendingReview: "waiting",
  authorizedPendingCapture: "waiting",
  refundPendingSettlement: "waiting",
  refundSettledSuccessfully: "waiting",
};

function ledgerRow(transaction: Transaction): string {
  const cell = (label: string, html: string) => `<td role="cell" data-label="${label}">${html}</td>`;
  const { transId, status, refTransId } = transaction;
  const number = `<code>${transId}</code>`;
  const refund = `<div class="stack">${number}<span class="hint">refund of ${escaped(refTransId ?? "")}</span></div>`;
  const badge = `<span class="badge ${moods[status] ?? "bad"}">${escaped(status)}</span>`;
  return `<tr role="row">${[
    cell("Transaction", refTransId ? refund : number),
    cell("Status", status === "FDSPendingReview" ? `<div class="stack">${badge}${decisionForm(transId)}</div>` : badge),
    cell("Batch", `<code>${transaction.batchId ?? "–"}</code>`),
    cell("Amount", `<strong>${refTransId ? "−" : ""}${formatMoney(transaction.amountCents)}</strong>`),
    cell("Card", `${escaped(transaction.brand)} ···· ${escaped(transaction.last4)}`),
    cell("Invoice", `<code>${escaped(transaction.invoiceNumber ?? "–")}</code>`),
    cell("Reference", `<code>${escaped(transaction.refId ?? "–")}</code>`),
    cell("Time (UTC)", `<time datetime="${transaction.at}">${shortTime(transaction.at)}</time>`),
  ].join("")}</tr>`;
}

/** What a person at the merchant's does with a transaction that is held for review. */
function decisionForm(transId: string): string {
  return `<form data-form="held" class="row" aria-label="Decide about ${transId}">
<input type="hidden" name="transId" value="${transId}">
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="decline" class="quiet">Decline</button></form>`;
}

function mailsPart(store: Store, openMail: Mail | null): string {
  const mails = listMails(store);
  if (mails.length === 0) return `<p class="empty">No mail yet. Whatever the academy sends arrives here.</p>`;
  const items = mails.map((mail) => {
    const current = mail.id === openMail?.id ? ' aria-current="true"' : "";
    return `<li><a href="/sandbox?mail=${mail.id}#mailbox"${current}><strong>${escaped(mail.subject || "(no subject)")}</strong>
<span>${escaped(mail.to)}</span> <time datetime="${mail.at}">${shortTime(mail.at)}</time></a></li>`;
  });
  return `<ul class="mails" aria-label="Mails, newest first">${items.join("")}</ul>`;
}

function readerPart(store: Store, mail: Mail | null): string {
  if (!mail) return listMails(store).length === 0 ? "" : `<p class="empty">Choose a mail to read it.</p>`;
  const text = `<pre>${linked(mail.text)}</pre>`;
  const body = mail.html
    ? `<iframe title="The mail as its reader sees it" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/sandbox/mails/${mail.id}/html"></iframe>
<details><summary>Plain text</summary>${text}</details>`
    : text;
  return `<article aria-label="Open mail"><h3>${escaped(mail.subject || "(no subject)")}</h3>
<p class="hint">From ${escaped(mail.from)} to ${escaped(mail.to)}, ${shortTime(mail.at)}</p>${body}</article>`;
}

function shortTime(at: string): string {
  return at.slice(0, 19).replace("T", " ");
}

function linked(text: string): string {
  // Every second piece is an address; the full stop after it belongs to the sentence.
  const pieces = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/g);
  return pieces
    .map((piece, index) => {
      const shown = escaped(piece);
      return index % 2 === 1 ? `<a href="${shown}" target="_blank" rel="noreferrer">${shown}</a>` : shown;
    })
    .join("");
}

function escaped(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
