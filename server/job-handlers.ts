import { z } from "zod";
import { announceAccessJob, announceAccessNow } from "#server/access/access-events.ts";
import { accessChangedJob } from "#server/access/cached-tiers.ts";
import { accessEndedJob } from "#server/access/grants.ts";
import { runBulkAction } from "#server/admin/bulk/steps.ts";
import { recountLearning, recountLearningJob, scheduleLearningCount } from "#server/admin/learning/learning.ts";
import { beginAnnouncement, beginAnnouncementJob, scheduleBeginningsAgain } from "#server/announcements/scheduling.ts";
import {
  announcementBatches,
  noticeOfAnnouncement,
  noticeOfAnnouncementJob,
  sendAnnouncement,
  sendTest,
  testAnnouncementJob,
} from "#server/announcements/sending.ts";
import { endOffer, endOfferJob } from "#server/catalogue/offer-end.ts";
import { mailOpeningsJob } from "#server/catalogue/publishing.ts";
import { inspectVideoJob, inspectVideoOnce, showUpload } from "#server/catalogue/video-facts.ts";
import { mailWithdrawals, mailWithdrawalsJob, scheduleWithdrawalMails } from "#server/certificates/withdrawals.ts";
import { cancelUncovered } from "#server/coaching/access-changes.ts";
import { checkBooking, checkBookingJob, settleBooking, settleBookingJob } from "#server/coaching/attendance.ts";
import { closeCalendarOpenedBefore } from "#server/coaching/calendars.ts";
import { announceLive, announceLiveJob, endLive, endLiveJob } from "#server/coaching/live/live.ts";
import { mailContact, mailContactJob } from "#server/contact/contact.ts";
import { mailContactReply, mailContactReplyJob } from "#server/contact/inbox.ts";
import { deliverWebhook } from "#server/deliveries/delivering.ts";
import { deliverWebhookJob } from "#server/deliveries/events.ts";
import { checkFiles, checkFilesJob, scheduleFileCheck } from "#server/files/check.ts";
import { listVideoUses } from "#server/files/store-state.ts";
import { scheduleSweep, sweepFiles, sweepFilesJob } from "#server/files/sweep.ts";
import {
  emailAdministratorJob,
  emailAdministrators,
  emailAdministratorsJob,
} from "#server/identity/administrator-emails.ts";
import { endSeeing, endSeeingJob } from "#server/identity/sessions/seeing.ts";
import { signInsEndedJob } from "#server/identity/sessions/session-ends.ts";
import { forgetColumns, importBatches, runImport } from "#server/imports/imports.ts";
import { inviteImportedJob, runInvitations, scheduleInvitationsAgain } from "#server/imports/invitations.ts";
import { sendEmailJob } from "#server/mail/student-emails.ts";
import { applyAllRetention } from "#server/operations/retention.ts";
import { resolvePaymentJob } from "#server/payments/attempts.ts";
import { forgetClientsJob, forgetLastClients } from "#server/payments/forget.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { forgetCardJob } from "#server/payments/payment-methods.ts";
import { paymentResolver } from "#server/payments/resolver.ts";
import { bulkBatches } from "#server/people/bulk-actions.ts";
import { mailInvitation, mailInvitationJob } from "#server/people/invitations.ts";
import { mailPerson, mailPersonJob } from "#server/people/people.ts";
import { listWhoMay } from "#server/people/team/team.ts";
import { mailAccountDeleted, mailAccountDeletedJob } from "#server/profile/delete-account.ts";
import { deleteAtProvider, deleteAtProviderJob } from "#server/profile/delete-at-provider.ts";
import { sweepProfileImage, sweepProfileImageJob } from "#server/profile/profile-image.ts";
import { deleteUnconfirmed } from "#server/profile/unconfirmed.ts";
import { addMissingHashes } from "#server/purchases/mailboxes.ts";
import { mailQuestionDigest, mailQuestionDigestJob, scheduleQuestionDigest } from "#server/questions/digest.ts";
import {
  recheckCharges,
  recheckChargesJob,
  reconcileJob,
  reconcileNightly,
  reconcileThoroughly,
  scheduleRecheck,
  scheduleReconciliation,
} from "#server/reconciliation/reconciliation.ts";
import { applyWebhook, applyWebhookJob } from "#server/reconciliation/webhooks.ts";
import { resolveRefundJob } from "#server/refunds/refund-outcomes.ts";
import { refundResolver } from "#server/refunds/resolver.ts";
import { deleteFileJob } from "#server/resources/resources.ts";
import { mailOpenings, runSequences, runSequencesJob, scheduleSequences } from "#server/sequences/sending.ts";
import { deleteOwnFile } from "#server/storage/owner.ts";
import { prepareVideoJob, videoPlayableJob } from "#server/studio/jobs.ts";
import { prepareVideo } from "#server/studio/prepare.ts";
import { deleteVideoFiles, deleteVideoFilesJob, removeOldVideos } from "#server/studio/videos.ts";
import { noteAccessChange, remindOfEnd, remindOfEndJob } from "#server/subscriptions/expiry.ts";
import { addressAdministrators, emailAdministrator } from "#server/subscriptions/mail-administrators.ts";
import { forgetCard, keepCard, keepCardJob } from "#server/subscriptions/payment-methods.ts";
import { findRenewalStops } from "#server/subscriptions/renewal-stops.ts";
import {
  reconcileNowJob,
  renew,
  renewJob,
  scheduleRenewals,
  sweepRenewals,
  sweepRenewalsJob,
} from "#server/subscriptions/renewals.ts";
import { reportUnpaid, reportUnpaidJob } from "#server/subscriptions/unpaid.ts";
import { after, HOUR } from "./base/clock.ts";
import type { Context } from "./context/context.ts";
import type { Db } from "./db/db.ts";
import { sendEmail } from "./emails/student-emails.ts";
import { defineJob, listWaitingNames, scheduleJob } from "./jobs/jobs.ts";
import { type HandledJob, handleJob } from "./jobs/runner.ts";

const purgeJob = defineJob("purge", z.object({}));

async function purge(ctx: PaymentContext): Promise<void> {
  // Schedules the next hour first, so that it comes even when something below fails for good.
  await scheduleRegularJobsAgain(ctx);
  await applyAllRetention(ctx.db, ctx.clock.now());
  await forgetColumns(ctx.db);
  await deleteUnconfirmed(ctx);
  await removeOldVideos(ctx, listVideoUses);
  await addMissingHashes(ctx);
}

/** Emails of the built-in issuer are added in `built-in-issuer.ts`. */
export const handledJobs: readonly HandledJob<PaymentContext>[] = [
  handleJob(endSeeingJob, endSeeing),
  handleJob(signInsEndedJob, (ctx, { userId, endedAt }) => closeCalendarOpenedBefore(ctx, userId, new Date(endedAt))),
  handleJob(accessChangedJob, async (ctx, data) => {
    await noteAccessChange(ctx, data);
    await cancelUncovered(ctx, data);
  }),
  handleJob(accessEndedJob, cancelUncovered),
  handleJob(announceAccessJob, announceAccessNow),
  handleJob(announceLiveJob, announceLive),
  handleJob(applyWebhookJob, applyWebhook),
  handleJob(beginAnnouncementJob, beginAnnouncement),
  handleJob(bulkBatches.job, runBulkAction),
  handleJob(checkBookingJob, checkBooking),
  handleJob(checkFilesJob, checkFiles),
  handleJob(deliverWebhookJob, (ctx: Context, job) =>
    deliverWebhook(ctx, job, {
      mayDeliver: async (db) => (await findRenewalStops(db)).restoredAt === null,
      onStopped: (tx, { id, ...facts }, now) =>
        emailAdministrators(tx, { kind: "webhook-stopped", facts, occasion: `${id} ${now.toISOString()}` }, now),
    }),
  ),
  handleJob(deleteAtProviderJob, deleteAtProvider),
  handleJob(deleteFileJob, (ctx: Context, { key }) => deleteOwnFile(ctx, key)),
  handleJob(deleteVideoFilesJob, deleteVideoFiles),
  handleJob(endLiveJob, endLive),
  handleJob(endOfferJob, endOffer),
  handleJob(mailOpeningsJob, mailOpenings),
  handleJob(emailAdministratorJob, emailAdministrator),
  handleJob(emailAdministratorsJob, addressAdministrators),
  handleJob(forgetCardJob, forgetCard),
  handleJob(forgetClientsJob, forgetLastClients),
  handleJob(importBatches.job, runImport),
  handleJob(inviteImportedJob, runInvitations),
  handleJob(inspectVideoJob, inspectVideoOnce),
  handleJob(keepCardJob, keepCard),
  handleJob(mailAccountDeletedJob, mailAccountDeleted),
  handleJob(mailContactJob, mailContact),
  handleJob(mailContactReplyJob, mailContactReply),
  handleJob(mailInvitationJob, mailInvitation),
  handleJob(mailPersonJob, mailPerson),
  handleJob(mailQuestionDigestJob, (ctx: Context) =>
    mailQuestionDigest(ctx, () => listWhoMay(ctx, "questions:answer")),
  ),
  handleJob(mailWithdrawalsJob, mailWithdrawals),
  handleJob(noticeOfAnnouncementJob, noticeOfAnnouncement),
  handleJob(prepareVideoJob, (ctx: Context, data, _jobId, _hasFailed, stopping) => prepareVideo(ctx, data, stopping)),
  handleJob(purgeJob, purge),
  handleJob(recheckChargesJob, recheckCharges),
  handleJob(reconcileJob, reconcileNightly),
  handleJob(reconcileNowJob, reconcileThoroughly),
  handleJob(recountLearningJob, recountLearning),
  handleJob(remindOfEndJob, remindOfEnd),
  handleJob(renewJob, renew),
  handleJob(reportUnpaidJob, reportUnpaid),
  handleJob(resolvePaymentJob, (ctx, job) => paymentResolver.resolve(ctx, job.attemptId, job.poll)),
  handleJob(resolveRefundJob, (ctx, job) => refundResolver.resolve(ctx, job.refundId, job.poll)),
  handleJob(runSequencesJob, runSequences),
  handleJob(announcementBatches.job, sendAnnouncement),
  handleJob(sendEmailJob, sendEmail),
  handleJob(settleBookingJob, settleBooking),
  handleJob(sweepFilesJob, sweepFiles),
  handleJob(sweepProfileImageJob, sweepProfileImage),
  handleJob(sweepRenewalsJob, sweepRenewals),
  handleJob(videoPlayableJob, showUpload),
  handleJob(testAnnouncementJob, sendTest),
];

/** The jobs that repeat, each of which schedules its next run. */
const repeating: readonly { readonly name: string; readonly schedule: (db: Db, now: Date) => Promise<void> }[] = [
  { name: reconcileJob.name, schedule: scheduleReconciliation },
  { name: recheckChargesJob.name, schedule: scheduleRecheck },
  { name: sweepRenewalsJob.name, schedule: scheduleRenewals },
  { name: checkFilesJob.name, schedule: scheduleFileCheck },
  { name: sweepFilesJob.name, schedule: scheduleSweep },
  { name: recountLearningJob.name, schedule: scheduleLearningCount },
  { name: mailQuestionDigestJob.name, schedule: scheduleQuestionDigest },
  { name: runSequencesJob.name, schedule: scheduleSequences },
  { name: mailWithdrawalsJob.name, schedule: scheduleWithdrawalMails },
];

/** Schedules the jobs that repeat, and a purge. Safe to repeat. */
export async function scheduleRegularJobs(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  for (const { schedule } of repeating) await schedule(ctx.db, now);
  await scheduleFailedAgain(ctx.db, now);
  await schedulePurge(ctx.db, now, now);
}

/** The same an hour later, but for jobs that wait anyway: for those that failed for good. */
async function scheduleRegularJobsAgain({ db, clock }: Context): Promise<void> {
  const now = clock.now();
  const names = repeating.map(({ name }) => name);
  const waiting = await listWaitingNames(db, names);
  for (const { name, schedule } of repeating) if (!waiting.has(name)) await schedule(db, now);
  await scheduleFailedAgain(db, now);
  await schedulePurge(db, after(now, HOUR), now);
}

async function scheduleFailedAgain(db: Db, now: Date): Promise<void> {
  await announcementBatches.scheduleAgain(db, now);
  await scheduleBeginningsAgain(db, now);
  await bulkBatches.scheduleAgain(db, now);
  await importBatches.scheduleAgain(db, now);
  await scheduleInvitationsAgain(db, now);
}

function schedulePurge(db: Db, runAt: Date, now: Date): Promise<void> {
  return scheduleJob(db, purgeJob, { data: {}, key: runAt.toISOString().slice(0, 13), runAt, now });
}
