import { agingRecipients } from "#server/announcements/choices.ts";
import { agingSelections } from "#server/announcements/selections.ts";
import { agingContacts } from "#server/contact/forget.ts";
import { type AgingRows, deleteAged } from "#server/db/retention.ts";
import type { Db } from "#server/db/db.ts";
import { agingLimits } from "#server/db/limits.ts";
import { agingSessions, agingSignInEnds } from "#server/identity/sessions/sessions.ts";
import { agingJobs } from "#server/jobs/jobs.ts";
import { agingEmails } from "#server/mail/student-emails.ts";
import { agingBulkPeople } from "#server/people/bulk-actions.ts";
import { agingInvitations } from "#server/people/invitations.ts";
import { agingPersonMails } from "#server/people/people.ts";
import { agingQuotes } from "#server/purchases/quotes/quotes.ts";
import { agingRuns } from "#server/reconciliation/reconciliation.ts";
import { agingWebhooks } from "#server/reconciliation/webhooks.ts";
import { agingPictures } from "#server/settings/pictures.ts";
import { agingCardLinks } from "#server/subscriptions/card-links.ts";

/** @internal The issuer's are its own (issuer/provider/payload-store.ts). */
export const aging: readonly AgingRows[] = [
  agingSessions,
  agingSignInEnds,
  agingLimits,
  agingJobs,
  agingWebhooks,
  agingRuns,
  agingQuotes,
  agingCardLinks,
  agingContacts,
  agingEmails,
  agingPictures,
  agingRecipients,
  agingSelections,
  agingBulkPeople,
  agingPersonMails,
  agingInvitations,
];

/** One kind that cannot be deleted keeps no other from it. @throws Error of the first one, at the end. */
export async function deleteWhatAged(db: Db, now: Date): Promise<void> {
  const failures: unknown[] = [];
  for (const rows of aging) await deleteAged(db, rows, now).catch((error) => failures.push(error));
  if (failures.length > 0) throw new Error("old rows could not be deleted", { cause: failures[0] });
}
