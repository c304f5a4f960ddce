import { z } from "zod";
import { paletteOf } from "#contract/branding.ts";
import type { Db } from "#server/db/db.ts";
import { type Html, html } from "#server/http/html.ts";
import type { PageBranding } from "#server/http/standalone-page.ts";
import type { Message } from "#server/mail/mail.ts";

const secondFactorKinds = ["second-factor-on", "second-factor-off", "recovery-code-used"] as const;
export type SecondFactorNews = (typeof secondFactorKinds)[number];

/**
 * An email to send, kept until it is sent. It holds no link: the token is made when the email is sent, so that the database
 * never holds a working one.
 */
export const MailOrder = z.object({
  kind: z.enum([
    "confirm-address",
    "reset-password",
    "password-changed",
    "change-address",
    "address-changed",
    ...secondFactorKinds,
  ]),
  /** An address that somebody typed. Whether an account has it is asked when the mail is sent. */
  to: z.string(),
  /** Whose account it is about, when the address is not the account's own. */
  subject: z.string().optional(),
});
export type MailOrder = z.infer<typeof MailOrder>;

/** Enqueues a mail, which is written after the transaction has committed. */
export type EnqueueMail = (tx: Db, order: MailOrder) => Promise<void>;

/** A mail with one link, styled like the pages. Mail programs support no custom properties, so colours are literal. */
function withLink(
  { email: to, firstName, branding, issuerUrl }: Recipient,
  { subject, sentence, link, small }: Words,
): Message {
  const { name, logo, colors } = branding;
  const { ground, ink } = paletteOf(colors).light.tag;
  const paragraphs = [`Hello ${firstName ?? "there"},`, sentence];
  const text = [...paragraphs, ...(link ? [link.url] : []), small].join("\n\n");
  const paragraph = (content: string | Html) =>
    html`<p style="margin:0 0 16px;font-size:16px;line-height:1.5">${content}</p>`;
  const body = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px 12px;background:#f6f4ee;color:#17150f;font-family:Archivo,'Segoe UI',Arial,sans-serif">
<table role="presentation" width="100%" style="max-width:520px;margin:0 auto;border-collapse:collapse;background:#fffefb;border:2px solid #17150f">
<tr><td style="padding:20px 28px;background:${ground};color:${ink};border-bottom:2px dashed ${ink}">
${logo && mailLogo(logo, issuerUrl)}<p style="margin:0;font-size:12px;letter-spacing:2px;font-weight:700">${name}</p>
<h1 style="margin:6px 0 0;font-size:26px;line-height:1.1;font-family:'Arial Narrow',Arial,sans-serif">${subject}</h1>
</td></tr>
<tr><td style="padding:24px 28px">
${paragraphs.map(paragraph)}
${
  link &&
  html`<p style="margin:24px 0"><a href="${link.url}" style="display:inline-block;padding:14px 22px;background:#17150f;color:#fffefb;font-weight:700;text-decoration:none">${link.text}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:1.5;color:#575246;word-break:break-all">Or open this address: ${link.url}</p>`
}
<p style="margin:0;padding-top:16px;border-top:1px solid #d9d3c3;font-size:13px;line-height:1.5;color:#575246">${small}</p>
</td></tr></table>
</body>
</html>`;
  return { to, subject, text, html: body.text };
}

interface Words {
  readonly subject: string;
  readonly sentence: string;
  readonly link?: { readonly url: string; readonly text: string };
  readonly small: string;
}

interface Recipient {
  readonly email: string;
  /** Null while nobody confirmed the address: a stranger may have typed both. */
  readonly firstName: string | null;
  /** Whose mail it is. */
  readonly branding: PageBranding;
  /** Of any page of the academy, as mails need the host of what they show. */
  readonly issuerUrl: string;
}

/**
 * On a white background, because mail programs show it on any colour. Where images are blocked, the name below tells
 * whose mail it is.
 */
function mailLogo({ src, width, height, alt }: NonNullable<PageBranding["logo"]>, issuerUrl: string): Html {
  const shown = Math.min(1, 40 / height, 220 / width);
  return html`<img src="${new URL(src, issuerUrl).href}" width="${Math.round(width * shown)}" height="${Math.round(height * shown)}" alt="${alt}" style="display:block;margin:0 0 12px;padding:6px;background:#fffefb">`;
}

export function confirmationMail(account: Recipient, url: string): Message {
  return withLink(account, {
    subject: "Confirm your address",
    sentence: "please confirm that this is your address, so that receipts and your account's mail reach you.",
    link: { url, text: "Confirm my address" },
    small: "The link works once, within 24 hours. If you did not create an account, ignore this mail.",
  });
}

/** Goes to the new address. */
export function changeAddressMail(account: Recipient, url: string): Message {
  return withLink(account, {
    subject: "Confirm your new address",
    sentence: "please confirm that this is your new address. Until then your account keeps the old one.",
    link: { url, text: "Confirm my new address" },
    small: "The link works once, within a day. If you did not ask for it, ignore this mail.",
  });
}

/** Goes to the previous address. */
export function addressChangedMail(before: Recipient, contactUrl: string): Message {
  return withLink(before, {
    subject: "Your address was changed",
    sentence: "your account now has another email address. You sign in with that one, and mail goes there.",
    small: `If it was not you, write to us at once: ${contactUrl}`,
  });
}

export function resetMail(account: Recipient, url: string): Message {
  return withLink(account, {
    subject: "Choose a new password",
    sentence: "somebody, we hope you, asked for a new password for your account.",
    link: { url, text: "Choose a new password" },
    small: "The link works once, within an hour. If it was not you, ignore this mail: your password stays as it is.",
  });
}

export function passwordChangedMail(account: Recipient, resetUrl: string): Message {
  return withLink(account, {
    subject: "Your password was changed",
    sentence: "the password of your account has just been changed, and every sign-in with the old one has ended.",
    small: `If it was not you, take your account back at once: ${resetUrl}`,
  });
}

const secondFactorNews: Readonly<Record<SecondFactorNews, { subject: string; sentence: string }>> = {
  "second-factor-on": {
    subject: "Your second factor is on",
    sentence:
      "signing in to your account takes a code from your app from now on, beside your password. Every sign-in without one has ended.",
  },
  "second-factor-off": {
    subject: "Your second factor is off",
    sentence: "the second factor of your account has just been turned off. Your password alone signs in now.",
  },
  "recovery-code-used": {
    subject: "A recovery code was used",
    sentence: "somebody has just signed in to your account with one of your recovery codes. It works no more.",
  },
};

export function secondFactorMail(account: Recipient, news: SecondFactorNews, resetUrl: string): Message {
  const { subject, sentence } = secondFactorNews[news];
  return withLink(account, {
    subject,
    sentence,
    small: `If it was not you, choose a new password at once, and look at how you sign in: ${resetUrl}`,
  });
}
