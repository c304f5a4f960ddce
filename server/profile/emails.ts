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
    subject: "Your account is deleted",
    paragraphs: [
      `Your account was deleted on ${atTime(deletedAt, reader)}, with your profile, your progress and your sign-in. Nothing renews any more, and no card is kept.`,
      "Records of payments stay, as the law asks, without your name and address. This is the last mail we send you.",
    ],
    closing: `If it was not you, write to ${reader.academy.supportEmail} today.`,
  };
}
