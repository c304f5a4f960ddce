import { z } from "zod";
import type { Db } from "#server/db/db.ts";
import type { WrittenEmail } from "#server/mail/wording.ts";

interface Urls {
  /** The single-use link of the email. */
  readonly link: string;
  readonly reset: string;
  readonly contact: string;
}

export const issuerEmails = {
  "confirm-address": ({ link }: Urls): WrittenEmail => ({
    subject: "Confirm your address",
    paragraphs: ["Please confirm that this is your address, so that receipts and your account's mail reach you."],
    link: ["Confirm my address", link],
    closing: "The link works once, within 24 hours. If you did not create an account, ignore this mail.",
  }),
  "reset-password": ({ link }: Urls): WrittenEmail => ({
    subject: "Choose a new password",
    paragraphs: ["Somebody, we hope you, asked for a new password for your account."],
    link: ["Choose a new password", link],
    closing: "The link works once, within an hour. If it was not you, ignore this mail: your password stays as it is.",
  }),
  "password-changed": ({ reset }: Urls): WrittenEmail => ({
    subject: "Your password was changed",
    paragraphs: ["The password of your account has just been changed, and every sign-in with the old one has ended."],
    closing: `If it was not you, take your account back at once: ${reset}`,
  }),
  /** Goes to the new address. */
  "change-address": ({ link }: Urls): WrittenEmail => ({
    subject: "Confirm your new address",
    paragraphs: ["Please confirm that this is your new address. Until then your account keeps the old one."],
    link: ["Confirm my new address", link],
    closing: "The link works once, within a day. If you did not ask for it, ignore this mail.",
  }),
  /** Goes to the previous address. */
  "address-changed": ({ contact }: Urls): WrittenEmail => ({
    subject: "Your address was changed",
    paragraphs: ["Your account now has another email address. You sign in with that one, and mail goes there."],
    closing: `If it was not you, write to us at once: ${contact}`,
  }),
  "second-factor-on": (urls: Urls): WrittenEmail => ({
    subject: "Your second factor is on",
    paragraphs: [
      "Signing in to your account takes a code from your app from now on, beside your password. Every sign-in without one has ended.",
    ],
    closing: ifNotYou(urls),
  }),
  "second-factor-off": (urls: Urls): WrittenEmail => ({
    subject: "Your second factor is off",
    paragraphs: ["The second factor of your account has just been turned off. Your password alone signs in now."],
    closing: ifNotYou(urls),
  }),
  "recovery-code-used": (urls: Urls): WrittenEmail => ({
    subject: "A recovery code was used",
    paragraphs: ["Somebody has just signed in to your account with one of your recovery codes. It works no more."],
    closing: ifNotYou(urls),
  }),
} as const;

function ifNotYou({ reset }: Urls): string {
  return `If it was not you, choose a new password at once, and look at how you sign in: ${reset}`;
}

/**
 * An email to send, kept until it is sent. It holds no link: the token is made when the email is sent, so that the database
 * never holds a working one.
 */
export const MailOrder = z.object({
  kind: z.enum(Object.keys(issuerEmails) as (keyof typeof issuerEmails)[]),
  /** An address that somebody typed. Whether an account has it is asked when the mail is sent. */
  to: z.string(),
  /** Whose account it is about, when the address is not the account's own. */
  subject: z.string().optional(),
});
export type MailOrder = z.infer<typeof MailOrder>;

/** Enqueues a mail, which is written after the transaction has committed. */
export type EnqueueMail = (tx: Db, order: MailOrder) => Promise<void>;
