import { escapeHtml } from "#server/http/html.ts";
import { listMails, type Mail } from "../mailbox.ts";
import type { Store } from "../store.ts";
import { counted, linked, shortTime, tracked } from "./markup.ts";

/** All mails, newest first. */
export function mailsPart(store: Store, openMail: Mail | null): string {
  const mails = listMails(store);
  if (mails.length === 0) return `<p class="empty">No emails yet. Whatever the academy sends arrives here.</p>`;
  const items = mails.map((mail) => {
    const { attributes, mark } = tracked(`mail ${mail.id}`, "");
    const current = mail.id === openMail?.id ? ' aria-current="true"' : "";
    return `<li ${attributes}><a href="/sandbox?mail=${mail.id}#mailbox" data-mail${current}><strong>${escapeHtml(mail.subject || "(no subject)")} ${mark}</strong>
<span>${escapeHtml(mail.to)}</span> <time datetime="${mail.at}">${shortTime(mail.at)}</time></a></li>`;
  });
  return `<p class="sums">${counted(mails.length, "mail")}</p>
<ul class="mails" aria-label="Emails, newest first">${items.join("")}</ul>`;
}

/** The open mail, rendered and as plain text. */
export function readerPart(store: Store, mail: Mail | null): string {
  if (!mail) return listMails(store).length === 0 ? "" : `<p class="empty">Choose an email to read it.</p>`;
  const text = `<pre>${linked(mail.text)}</pre>`;
  const body = mail.html
    ? `<iframe title="The email as its reader sees it" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/sandbox/mails/${mail.id}/html"></iframe>
<details><summary>Plain text</summary>${text}</details>`
    : text;
  const calendar = mail.calendar
    ? `<details><summary>Calendar entry</summary><pre>${escapeHtml(mail.calendar)}</pre></details>`
    : "";
  return `<article aria-label="Open email"><h3>${escapeHtml(mail.subject || "(no subject)")}</h3>
<p class="hint">From ${escapeHtml(mail.from)} to ${escapeHtml(mail.to)}, ${shortTime(mail.at)}</p>${body}${calendar}</article>`;
}
