import { beyondMailServer } from "#contract/email-address.ts";
import { invalidFields } from "#server/base/refusal.ts";
import type { Mail } from "./mail.ts";

/**
 * Refuses an address to which the mail server cannot write.
 * @param field of the body that has the address
 * @throws Refusal invalid-input
 */
export async function requireWritable(mail: Mail, field: string, address: string): Promise<void> {
  if (!(await mail.canWriteTo(address))) throw invalidFields({ [field]: [beyondMailServer] });
}
