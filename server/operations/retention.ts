import { recipientRetention } from "#server/announcements/choices.ts";
import { selectionRetention } from "#server/announcements/selections.ts";
import { draftedPictureRetention } from "#server/catalogue/drafting.ts";
import { contactRetention } from "#server/contact/forget.ts";
import type { Db } from "#server/db/db.ts";
import { limitRetention } from "#server/db/rate-limits.ts";
import { applyRetention, listDue, type RetentionRule } from "#server/db/retention.ts";
import { deliveryRetention } from "#server/deliveries/events.ts";
import { sessionRetention, signInEndRetention } from "#server/identity/sessions/session-ends.ts";
import { tokenRetention } from "#server/identity/tokens/tokens.ts";
import { importMailRetention, importRowRetention, unusedImportRetention } from "#server/imports/imports.ts";
import { jobRetention } from "#server/jobs/jobs.ts";
import { emailRetention } from "#server/mail/student-emails.ts";
import { bulkPersonRetention } from "#server/people/bulk-actions.ts";
import { invitationRetention } from "#server/people/invitations.ts";
import { personMailRetention } from "#server/people/people.ts";
import { quoteRetention } from "#server/purchases/quotes/quotes.ts";
import { runRetention } from "#server/reconciliation/reconciliation.ts";
import { webhookRetention } from "#server/reconciliation/webhooks.ts";
import { sequenceRetention } from "#server/sequences/sending.ts";
import { cardLinkRetention } from "#server/subscriptions/card-links.ts";

/** The issuer has its own (issuer/provider/payload-store.ts). @internal */
export const retentionRules: readonly RetentionRule[] = [
  sessionRetention,
  signInEndRetention,
  limitRetention,
  jobRetention,
  webhookRetention,
  runRetention,
  quoteRetention,
  cardLinkRetention,
  contactRetention,
  emailRetention,
  draftedPictureRetention,
  recipientRetention,
  selectionRetention,
  bulkPersonRetention,
  personMailRetention,
  invitationRetention,
  deliveryRetention,
  unusedImportRetention,
  importRowRetention,
  importMailRetention,
  tokenRetention,
  sequenceRetention,
];

/** Applies every rule, also when one fails. @throws Error of the first failure, at the end. */
export async function applyAllRetention(db: Db, now: Date): Promise<void> {
  const failures: unknown[] = [];
  // A rule that fails must not keep the others from being applied.
  const due = await listDue(db, retentionRules, now).catch(() => retentionRules);
  for (const rule of due) await applyRetention(db, rule, now).catch((error) => failures.push(error));
  if (failures.length > 0) throw new Error("old rows could not be deleted", { cause: failures[0] });
}
