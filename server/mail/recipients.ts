import { beyondMailServer } from "#contract/email-address.ts";
import { HOUR } from "#server/base/clock.ts";
import { invalidFields } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { countUse } from "#server/db/rate-limits.ts";
import type { Mail } from "./mail.ts";

/**
 * Refuses an address to which the mail server cannot write.
 * @param field of the body that has the address
 * @throws Refusal invalid-input
 */
export async function requireWritable(mail: Mail, field: string, address: string): Promise<void> {
  if (!(await mail.canWriteTo(address))) throw invalidFields({ [field]: [beyondMailServer] });
}

const mailsPerHour = { max: 60, window: HOUR, message: "You've sent too many emails. Please try again in an hour." };

/**
 * Call before each mail. More than one author writes, and a limit for a stolen session.
 * @throws Refusal too-many-requests.
 */
export async function countMail(tx: Db, authorId: string, now: Date): Promise<void> {
  await countUse(tx, `person-mails ${authorId}`, mailsPerHour, now);
}
