import type { Clock } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { renderEmail } from "#server/mail/layout.ts";
import type { Mail } from "#server/mail/mail.ts";
import { findAccount, findAccountByEmail } from "./accounts.ts";
import { createLink, isPurpose } from "./links.ts";
import { issuerEmails, type MailOrder } from "./mails.ts";
import type { Site } from "./pages/frame.ts";

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly site: Pick<Site, "academy" | "url" | "contactUrl">;
  readonly mail: Mail;
}

/**
 * Writes and sends an enqueued mail; nothing when nobody has the address, or it is no longer needed. Safe to repeat:
 * mail systems recognize a duplicate by `id`.
 * @throws Error when the mail server did not accept it.
 */
export async function sendOrderedMail(
  { db, clock, site, mail }: Parts,
  { kind, to, subject }: MailOrder,
  id: string,
): Promise<void> {
  const account = subject ? await findAccount(db, subject) : await findAccountByEmail(db, to);
  if (!account || (kind === "confirm-address" && account.emailVerifiedAt)) return;
  const newEmail = kind === "change-address" ? to : null;
  const token = isPurpose(kind) ? await createLink(db, clock, kind, account.subject, newEmail) : "";
  const link = `${site.url}/${kind}?token=${token}`;
  const email = issuerEmails[kind]({ link, reset: `${site.url}/reset-password/ask`, contact: site.contactUrl });
  // Nobody confirmed the address: a stranger may have typed it and the name.
  const isUnproved = subject !== undefined || !account.emailVerifiedAt;
  const reader = { firstName: isUnproved ? null : account.firstName, academy: site.academy };
  await mail.send({ to: subject ? to : account.email, ...renderEmail(email, reader) }, id);
}
