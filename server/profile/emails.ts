import type { Timestamp } from "#server/base/dates.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { atTime, type Reader, type WrittenEmail } from "#server/mail/wording.ts";

export interface AccountDeletedFacts {
  readonly deletedAt: Timestamp;
}

export const accountDeletedEmail: StudentEmail<AccountDeletedFacts> = {
  kind: "account-deleted",
  write: writeAccountDeleted,
};

function writeAccountDeleted({ deletedAt }: AccountDeletedFacts, reader: Reader): WrittenEmail {
  return {
    subject: "Your account was deleted",
    paragraphs: [
      `We deleted your account on ${atTime(deletedAt, reader)}, including your profile, your progress, and your sign-in. Nothing will renew, and no card is kept.`,
      "The law requires us to keep records of your payments, but without your name and email address. This is the last email you'll get from us.",
    ],
    closing: `If you didn't do this, write to ${reader.academy.supportEmail} today.`,
  };
}
