import type { Clock } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import type { Mail } from "#server/mail/mail.ts";
import { findAccount, findAccountByEmail } from "./accounts.ts";
import { createLink } from "./links.ts";
import {
  addressChangedMail,
  changeAddressMail,
  confirmationMail,
  type MailOrder,
  passwordChangedMail,
  resetMail,
  secondFactorMail,
} from "./mails.ts";
import type { Site } from "./pages/frame.ts";
import type { Account } from "./tables.ts";

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly site: Pick<Site, "branding" | "url" | "contactUrl">;
  readonly mail: Mail;
}

/**
 * Writes and sends an enqueued mail; nothing when nobody has the address, or it is no longer needed. Safe to repeat:
 * mail systems recognize a duplicate by `id`.
 * @throws Error when the mail server did not accept it.
 */
export async function sendOrderedMail(parts: Parts, order: MailOrder, id: string): Promise<void> {
  const { db } = parts;
  const account = order.subject ? await findAccount(db, order.subject) : await findAccountByEmail(db, order.to);
  const message = account && (await writeMail(parts, order, account));
  if (message) await parts.mail.send(message, id);
}

async function writeMail({ db, clock, site }: Parts, { kind, to }: MailOrder, found: Account) {
  const firstName = found.emailVerifiedAt && found.firstName;
  const account = { ...found, firstName, branding: site.branding, issuerUrl: site.url };
  // The account may have confirmed another address, but not this one.
  const elsewhere = { ...account, email: to, firstName: null };
  switch (kind) {
    case "confirm-address": {
      if (account.emailVerifiedAt) return null;
      const token = await createLink(db, clock, kind, account.subject);
      return confirmationMail(account, `${site.url}/confirm-address?token=${token}`);
    }
    case "reset-password": {
      const token = await createLink(db, clock, kind, account.subject);
      return resetMail(account, `${site.url}/reset-password?token=${token}`);
    }
    case "change-address": {
      const token = await createLink(db, clock, kind, account.subject, to);
      return changeAddressMail(elsewhere, `${site.url}/change-address?token=${token}`);
    }
    case "address-changed":
      return addressChangedMail(elsewhere, site.contactUrl);
    case "second-factor-on":
    case "second-factor-off":
    case "recovery-code-used":
      return secondFactorMail(account, kind, `${site.url}/reset-password/ask`);
    case "password-changed":
      return passwordChangedMail(account, `${site.url}/reset-password/ask`);
  }
}
