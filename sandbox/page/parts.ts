import { DAY } from "#server/base/clock.ts";
import { formatWeekday } from "#server/base/dates.ts";
import { escapeHtml, Html, htmlDocument } from "#server/http/html.ts";
import { listAllOutcomes, NUMBERED_OUTCOMES, OUTCOME_NAMES } from "../gateway/outcomes.ts";
import { type ReportMode, reportMode } from "../gateway/transactions/reports.ts";
import type { Mail } from "../mailbox.ts";
import type { Store } from "../store.ts";
import { ledgerPart } from "./ledger-part.ts";
import { mailsPart, readerPart } from "./mailbox-part.ts";

export interface View {
  readonly store: Store;
  readonly now: Date;
  readonly openMail: Mail | null;
}

/** The changing parts of the page as HTML. The page's script replaces them repeatedly. */
export function parts(view: View): Record<"clock" | "queue" | "ledger" | "mails" | "reader", string> {
  return {
    clock: clockPart(view.now),
    queue: queuePart(view.store),
    ledger: ledgerPart(view.store, view.now),
    mails: mailsPart(view.store, view.openMail),
    reader: readerPart(view.store, view.openMail),
  };
}

/** The whole page. Without scripts only its forms do not work. `academyUrl` is null when the academy is unknown. */
export function page(view: View, academyUrl: string | null) {
  const { clock, queue, ledger, mails, reader } = parts(view);
  const body = `<a class="skip" href="#ledger">Skip to the ledger</a>
<header class="top">
  <p class="tag">Sandbox</p>
  <h1>The outside world, on this machine</h1>
  <p class="lead">Clock, card gateway and mailbox, so that day 31 can be rehearsed before it comes. No card is charged and no email leaves.</p>
  <details><summary>A rehearsal in six steps</summary>${rehearsal(academyUrl)}</details>
</header>
<main class="bench">
  <p class="status" role="status" data-status></p>
  <div class="controls">
${clockCard(clock)}${queueCard(queue, reportMode(view.store))}  </div>
  <section class="card" id="ledger" tabindex="-1" aria-labelledby="ledger-title">
    <h2 id="ledger-title">Gateway ledger</h2>
    <div data-part="ledger">${ledger}</div>
  </section>
  <section class="card" id="mailbox" aria-labelledby="mailbox-title">
    <div class="heading"><h2 id="mailbox-title">Mailbox</h2>
      <form data-form="empty-mailbox"><button type="submit" class="quiet">Empty the mailbox</button></form></div>
    <div data-part="mails">${mails}</div>
    <div data-part="reader" class="reader">${reader}</div>
  </section>
</main>`;
  return htmlDocument({
    title: "Sandbox",
    academyName: null,
    icon: "/sandbox/icon.svg",
    stylesheets: ["/sandbox/style.css"],
    script: "/sandbox/page.js",
    bodyClass: "sandbox",
    body: new Html(body),
  });
}

function clockCard(clock: string): string {
  return `  <section class="card" aria-labelledby="clock-title">
    <h2 id="clock-title">Clock</h2>
    <div data-part="clock">${clock}</div>
    <form data-form="clock" class="presses">
      <button type="submit" name="advance" value="1h" class="quiet">+1 hour</button>
      <button type="submit" name="advance" value="1d" class="quiet">+1 day</button>
      <button type="submit" name="advance" value="30d">+30 days</button>
    </form>
    <form data-form="clock" class="row">
      <label for="advance">Move ahead by</label>
      <input id="advance" name="advance" required pattern="(\\d+(ms|s|m|h|d))+" placeholder="1d12h" autocomplete="off" spellcheck="false" aria-describedby="advance-hint">
      <button type="submit" class="quiet">Move</button>
      <p id="advance-hint" class="hint">Days, hours, minutes, seconds: 1d12h, 45m. Time never goes back.</p>
    </form>
  </section>
`;
}

function queueCard(queue: string, mode: ReportMode): string {
  return `  <section class="card" aria-labelledby="queue-title">
    <div class="heading"><h2 id="queue-title">Next charges</h2>
      <form data-form="clear-outcomes"><button type="submit" class="quiet">Clear the queue</button></form></div>
    <div data-part="queue">${queue}</div>
    <form data-form="outcome" class="presses outcomes" aria-label="One more charge">${common
      .map(
        ([outcome, words]) => `<button type="submit" name="outcome" value="${outcome}" class="quiet">${words}</button>`,
      )
      .join("\n")}</form>
    <form data-form="outcome" class="row">
      <label for="outcome">Add an outcome</label>
      <select id="outcome" name="outcome">${[...OUTCOME_NAMES, ...NUMBERED_OUTCOMES, "slow:5000", "slow:25000"]
        .map((name) => `<option value="${name}">${name}</option>`)
        .join("")}</select>
      <button type="submit" class="quiet">Add</button>
    </form>
    <form data-form="reports" class="row">
      <label for="reference">Reports tell the request's reference</label>
      <select id="reference" name="reference">${reportWords
        .map(([name, words]) => `<option value="${name}"${name === mode ? " selected" : ""}>${words}</option>`)
        .join("")}</select>
      <button type="submit" class="quiet">Set</button>
    </form>
    <details><summary>Test cards and triggers</summary>${triggers}</details>
  </section>
`;
}

const reportWords: readonly (readonly [ReportMode, string])[] = [
  ["told", "as it was sent"],
  ["absent", "never"],
  ["other", "wrongly"],
  ["unavailable", "not at all: no report answers"],
];

/** The outcomes that a rehearsal needs, one button each. */
const common = [
  ["approve", "Approve"],
  ["decline", "Decline"],
  ["decline-hard", "Decline for good"],
  ["hold", "Hold for review"],
  ["timeout-after", "Charge, then no answer"],
  ["timeout-before", "No answer, no charge"],
] as const;

function rehearsal(academyUrl: string | null): string {
  const shop = academyUrl
    ? `<a href="${escapeHtml(academyUrl)}/#pricing" target="_blank">the academy</a>`
    : "the academy";
  return `<ol>
<li>Buy the monthly plan in ${shop} with the card 4111 1111 1111 1111. The charge and the mail appear below.</li>
<li>Press <strong>+30 days</strong>: the renewal is charged, and its receipt arrives.</li>
<li>Press <strong>Decline</strong>, then <strong>+30 days</strong>: the renewal is declined, an email says so, the dashboard shows a banner.</li>
<li>Open that mail, follow its link and pay with a card: the banner is gone, without any sign-in.</li>
<li>Let it come to the hold: <strong>Decline</strong>, <strong>+30 days</strong>, <strong>Decline</strong>, and move ahead by <code>14d</code>. A new card opens the course again.</li>
<li>Refund the purchase as <code>admin@academy.test</code>: the money goes back here, and the access ends.</li>
</ol>`;
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
  return `<p class="now"><time datetime="${iso}"><span>${iso.slice(11, 19)}</span> UTC<br>${formatWeekday(now, "UTC")}</time>${aheadWords(now)}</p>`;
}

/** How many whole days the sandbox is ahead of the machine. */
function aheadWords(now: Date): string {
  const days = Math.round((now.getTime() - Date.now()) / DAY);
  return days > 0 ? `<br>${days === 1 ? "1 day" : `${days} days`} ahead of this machine` : "";
}

function queuePart(store: Store): string {
  const outcomes = listAllOutcomes(store);
  if (outcomes.length === 0) {
    return `<p class="empty">Nothing is staged. Each charge goes by its card and its ZIP.</p>`;
  }
  const items = outcomes
    .map(({ outcome, customerEmail }) => {
      const whose = customerEmail === null ? "" : ` for ${escapeHtml(customerEmail)}`;
      return `<li><code>${escapeHtml(outcome)}</code>${whose}</li>`;
    })
    .join("");
  return `<ol class="queue" aria-label="Staged outcomes, the next one first">${items}</ol>`;
}
