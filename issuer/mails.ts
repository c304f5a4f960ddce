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
    subject: "Confirm your email address",
    paragraphs: ["Confirm that this email address is yours, so that your receipts and other emails reach you."],
    link: ["Confirm my email address", link],
    closing: "The link works once, within 24 hours. If you didn't create an account, you can ignore this email.",
  }),
  "reset-password": ({ link }: Urls): WrittenEmail => ({
    subject: "Choose a new password",
    paragraphs: ["Someone asked to reset the password of your account."],
    link: ["Choose a new password", link],
    closing:
      "The link works once, within an hour. If it wasn't you, you can ignore this email, and your password won't change.",
  }),
  "password-changed": ({ reset }: Urls): WrittenEmail => ({
    subject: "Your password was changed",
    paragraphs: ["You have a new password. We signed you out on all other devices."],
    closing: `If it wasn't you, choose a new password right away: ${reset}`,
  }),
  /** Goes to the new address. */
  "change-address": ({ link }: Urls): WrittenEmail => ({
    subject: "Confirm your new email address",
    paragraphs: ["Confirm that this email address is yours. Until then, your account keeps the old one."],
    link: ["Confirm my new email address", link],
    closing: "The link works once, within 24 hours. If you didn't ask for this, you can ignore this email.",
  }),
  /** Goes to the previous address. */
  "address-changed": ({ contact }: Urls): WrittenEmail => ({
    subject: "Your email address was changed",
    paragraphs: [
      "Your account has a new email address. Use it to sign in from now on. We'll send your emails there, too.",
    ],
    closing: `If it wasn't you, write to us right away: ${contact}`,
  }),
  "second-factor-on": (urls: Urls): WrittenEmail => ({
    subject: "Your second factor is on",
    paragraphs: [
      "From now on, you need your password and a code from your app to sign in. We signed you out on all devices where you had used only your password.",
    ],
    closing: ifNotYou(urls),
  }),
  "second-factor-off": (urls: Urls): WrittenEmail => ({
    subject: "Your second factor is off",
    paragraphs: ["Your second factor was turned off. You now need only your password to sign in."],
    closing: ifNotYou(urls),
  }),
  "recovery-code-used": (urls: Urls): WrittenEmail => ({
    subject: "A recovery code was used",
    paragraphs: ["Someone signed in to your account with one of your recovery codes. That code no longer works."],
    closing: ifNotYou(urls),
  }),
} as const;

function ifNotYou({ reset }: Urls): string {
  return `If it wasn't you, choose a new password right away and check your sign-in settings: ${reset}`;
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
