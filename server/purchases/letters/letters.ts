import { writeLetter } from "#server/mail/letter.ts";
import type { Message } from "#server/mail/mail.ts";
import { accountDeletedLetter, paymentLostLetter, refundedLetter, suspendedLetter } from "./account-letters.ts";
import { backAgainLetter, declinedLetter, heldLetter, onHoldLetter, unpaidLetter } from "./declined-letters.ts";
import { cancelledLetter, endsSoonLetter, expiredLetter, resumedLetter } from "./membership-letters.ts";
import { purchasedLetter, renewedLetter } from "./purchase-letters.ts";
import type { Reader } from "./wording.ts";

/** Every letter that a student is sent, by its kind; nothing else is mailed about purchases. */
export const letterKinds = {
  purchased: purchasedLetter,
  renewed: renewedLetter,
  "ends-soon": endsSoonLetter,
  declined: declinedLetter,
  unpaid: unpaidLetter,
  "on-hold": onHoldLetter,
  held: heldLetter,
  "back-again": backAgainLetter,
  cancelled: cancelledLetter,
  resumed: resumedLetter,
  refunded: refundedLetter,
  "payment-lost": paymentLostLetter,
  expired: expiredLetter,
  suspended: suspendedLetter,
  "account-deleted": accountDeletedLetter,
} as const;

export type LetterKind = keyof typeof letterKinds;

/** What one kind of letter says. Its moments may be ISO texts, so that the data of a job can be these facts. */
export type LetterFacts<Kind extends LetterKind> = Parameters<(typeof letterKinds)[Kind]>[1];

/** A kind with its facts. */
export type LetterToWrite = { [Kind in LetterKind]: { kind: Kind; facts: LetterFacts<Kind> } }[LetterKind];

/** The letter as a mail: subject, text and HTML. Pure; the same facts make the same mail. */
export function composeLetter(reader: Reader, { kind, facts }: LetterToWrite): Omit<Message, "to"> {
  // The pair is of one kind by its type, which the compiler does not follow through the record.
  const write = letterKinds[kind] as (
    reader: Reader,
    facts: LetterToWrite["facts"],
  ) => ReturnType<typeof renewedLetter>;
  const { subject, letter } = write(reader, facts);
  return { subject, ...writeLetter(letter) };
}
