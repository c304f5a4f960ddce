import { z } from "zod";
import { forgetAnnouncements, forgetSearches } from "#server/announcements/choices.ts";
import { differences, recordAudit } from "#server/audit/audit.ts";
import { DAY } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { currentPlanNames } from "#server/catalogue/catalogue.ts";
import { forgetCertificate } from "#server/certificates/certificates.ts";
import { forgetChecks } from "#server/checks/personal-data.ts";
import { forgetCoaching } from "#server/coaching/forget.ts";
import { forgetSender } from "#server/contact/forget.ts";
import type { Context } from "#server/context/context.ts";
import { tryUse } from "#server/db/rate-limits.ts";
import { recordEvent } from "#server/deliveries/events.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { endSessionsOf } from "#server/identity/sessions/session-ends.ts";
import { requireAnotherOwner } from "#server/identity/team.ts";
import { confirmedHashOf, deleted, deleteUserRow, forgetUser, lockUser, type User } from "#server/identity/users.ts";
import { forgetImported } from "#server/imports/claims.ts";
import { defineJob, forgetInJobs, scheduleJob } from "#server/jobs/jobs.ts";
import { forgetOpeningRequests } from "#server/lessons/openings.ts";
import { composeEmail } from "#server/mail/student-emails.ts";
import { forgetNotes } from "#server/notes/notes.ts";
import { bulkBatches } from "#server/people/bulk-actions.ts";
import { forgetInvitations } from "#server/people/invitations.ts";
import { forgetPerson } from "#server/people/people.ts";
import { forgetProgress } from "#server/progress/forget.ts";
import { forgetBuyer } from "#server/purchases/forget.ts";
import { forgetQuestions } from "#server/questions/personal-data.ts";
import { forgetDownloads } from "#server/resources/downloads/download-log.ts";
import { forgetSequences } from "#server/sequences/sending.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { forgetUploader } from "#server/studio/videos.ts";
import { snapshotOf } from "#server/subscriptions/account-states.ts";
import { requireAnother, requireMayManage } from "#server/subscriptions/accounts.ts";
import { endSubscriptionsOf, requireNothingSince } from "#server/subscriptions/closing.ts";
import { deleteAtProvider, scheduleDeletionAtProvider } from "./delete-at-provider.ts";
import { accountDeletedEmail } from "./emails.ts";
import { scheduleRemoval } from "./profile-image.ts";

/**
 * @param options.by writes a line in the audit log; without it, the account's owner or the academy deletes it.
 * @param options.removesRow leaves nothing and sends no email.
 * @throws Refusal payment-in-progress, payment-unavailable, conflict, last-administrator; not-found when already deleted;
 * not-allowed for those whom the role of `by` does not reach.
 */
export async function deleteAccount(
  ctx: Context,
  user: User,
  {
    by,
    removesRow = false,
  }: {
    readonly by?: { readonly actor: User; readonly reason: string | undefined };
    readonly removesRow?: boolean;
  } = {},
): Promise<void> {
  if (by) {
    const action = { actor: by.actor, userId: user.id };
    requireAnother(action, "You cannot delete your own account here. Your profile page can.");
    await ctx.db.transaction((tx) => requireMayManage(ctx, tx, action, "close"));
  }
  const before = by && (await snapshotOf(ctx.db, user.id));
  await requireAnotherOwner(ctx, ctx.db, user);
  // Before anything is erased, because the gateway's ids that are needed to stop charging are erased too.
  const ended = await endSubscriptionsOf(ctx, user.id, "the account was deleted").catch(refuseWhileGatewayIsAway);

  const now = ctx.clock.now();
  const known = await ctx.db.transaction(async (tx) => {
    // Locks bulk actions before the team and the user, as their turns do.
    await bulkBatches.forget(tx, user.id);
    await requireAnotherOwner(ctx, tx, user);
    const locked = await lockUser(tx, user.id);
    const { email, emailVerified, firstName, profileImageUrl, accountStatus } = locked;
    if (accountStatus === deleted) throw notFound("account");
    await requireNothingSince(tx, user.id, ended);
    await forgetBuyer(tx, { userId: user.id, addressHash: confirmedHashOf(ctx, locked) }, now);
    await forgetProgress(tx, user.id);
    await forgetNotes(tx, user.id);
    await forgetChecks(tx, user.id);
    await forgetCertificate(tx, user.id, now);
    await forgetOpeningRequests(tx, user.id);
    await forgetQuestions(tx, user.id);
    await forgetDownloads(tx, user.id);
    await forgetUploader(tx, user.id);
    const cancellations = await forgetCoaching(ctx, tx, { id: user.id, email }, now);
    await forgetAnnouncements(tx, user.id);
    await forgetSequences(tx, user.id);
    await forgetPerson(tx, user.id);
    await forgetImported(tx, user.id, emailVerified ? email : null);
    // Records with an unconfirmed address may belong to another person.
    if (emailVerified) {
      await forgetInvitations(tx, email);
      await forgetSender(tx, email);
      await forgetSearches(tx, email);
      await forgetInJobs(tx, email);
    }
    await endSessionsOf(tx, user.id, now);
    await scheduleRemoval(tx, profileImageUrl, now);
    const identities = await forgetUser(tx, user.id, now);
    for (const identity of identities) await scheduleDeletionAtProvider(tx, identity, now, now);
    if (!removesRow && (emailVerified || (await tryUse(tx, `farewell ${ctx.hashAddress(email)}`, farewells, now)))) {
      // From here on only this job holds the address, until the email is sent.
      await scheduleJob(tx, mailAccountDeletedJob, {
        // An unconfirmed address may be anybody's, so nothing that the user typed goes there.
        data: { to: email, firstName: emailVerified ? firstName : null, cancellations },
        key: user.id,
        runAt: now,
        now,
      });
    }
    if (removesRow) await deleteUserRow(tx, user.id);
    await recordEvent(tx, "user.deleted", { id: user.id, userId: user.id }, now);
    if (by && before) {
      const change = differences(before, await snapshotOf(tx, user.id));
      const line = { actor: by.actor.id, action: "delete account", subject: user.id, ...change, reason: by.reason };
      await recordAudit(tx, line, now);
    }
    return identities;
  });
  ctx.log.info({ userId: user.id }, "account deleted");
  // Does not wait for the jobs: until then the provider would sign the person in as a new user.
  for (const identity of known) await deleteAtProvider(ctx, identity);
}

/** Mails to an unconfirmed address, which accounts created and deleted in a loop would flood otherwise. */
const farewells = { max: 2, window: DAY };

function refuseWhileGatewayIsAway(error: unknown): never {
  if (!(error instanceof GatewayUnavailable)) throw error;
  throw new Refusal(
    "payment-unavailable",
    "We can't reach our payment service, so we can't delete your card there. Please try again in a few minutes.",
  );
}

export const mailAccountDeletedJob = defineJob(
  "mail-account-deleted",
  z.object({
    to: z.string(),
    firstName: z.string().nullable(),
    /** Each removes a coaching session from the person's calendar. */
    cancellations: z.array(z.object({ method: z.enum(["REQUEST", "CANCEL"]), content: z.string() })),
  }),
  { lane: "mail" },
);

/** The last email to this address. */
export async function mailAccountDeleted(
  ctx: Context,
  { to, firstName, cancellations }: z.infer<typeof mailAccountDeletedJob.schema>,
  jobId: string,
): Promise<void> {
  const reader = { firstName, academy: await describeAcademy(ctx), planNames: await currentPlanNames(ctx.db) };
  const message = composeEmail(accountDeletedEmail, { deletedAt: ctx.clock.now() } as never, reader);
  // Calendars read one entry per email, so the others are sent in further emails.
  const [first, ...others] = cancellations;
  await ctx.mail.send({ to, ...message, ...(first && { calendar: first }) }, jobId);
  for (const [at, calendar] of others.entries()) {
    await ctx.mail.send({ to, ...message, subject: "A session leaves your calendar", calendar }, `${jobId}${at}`);
  }
}
