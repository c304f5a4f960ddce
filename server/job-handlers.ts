import { recountLearning, scheduleLearningCount } from "#server/admin/learning/learning.ts";
import { mailContact } from "#server/contact/contact.ts";
import { purgeAnsweredContacts } from "#server/contact/forget.ts";
import { mailContactReply } from "#server/contact/inbox.ts";
import { checkFiles, scheduleFileCheck } from "#server/files/check.ts";
import { scheduleSweep, sweepFiles } from "#server/files/sweep.ts";
import { purgeSessions } from "#server/identity/sessions/sessions.ts";
import type { JobHandler, JobLane } from "#server/jobs/jobs.ts";
import { forgetLastClients } from "#server/payments/forget.ts";
import { resolvePayment } from "#server/payments/resolver.ts";
import { mailAccountDeleted } from "#server/profile/delete-account.ts";
import { deleteAtProvider } from "#server/profile/delete-at-provider.ts";
import { sweepProfileImage } from "#server/profile/profile-image.ts";
import { applyNotification, forgetNotifications } from "#server/reconciliation/notifications.ts";
import {
  recheckCharges,
  reconcileNightly,
  reconcileThoroughly,
  scheduleReconciliation,
} from "#server/reconciliation/reconciliation.ts";
import { resolveRefund } from "#server/refunds/resolver.ts";
import { deleteOwnFile } from "#server/storage/owner.ts";
import { addressAdministrators, emailAdministrator } from "#server/subscriptions/administrator-emails.ts";
import { noteAccessChange, remindOfEnd } from "#server/subscriptions/expiry.ts";
import { renew, scheduleRenewals, sweepRenewals } from "#server/subscriptions/renewals.ts";
import { forgetCard, keepCard } from "#server/subscriptions/stored-cards.ts";
import { reportUnpaid } from "#server/subscriptions/unpaid.ts";
import { after, DAY, HOUR } from "./clock.ts";
import type { Context } from "./context.ts";
import { purgeLimits } from "./db/limits.ts";
import { enqueueJob, purgeFailedJobs } from "./jobs/jobs.ts";
import { sendEmail, sendLetter } from "./student-emails.ts";

/** Everything that happens later, by name. */
export const jobHandlers: Readonly<Record<string, JobHandler>> = {
  "apply-notification": applyNotification,
  "delete-at-provider": deleteAtProvider,
  "mail-account-deleted": mailAccountDeleted,
  "delete-file": (ctx, { key }: { key: string }) => deleteOwnFile(ctx, key),
  "mail-contact": mailContact,
  "mail-contact-reply": mailContactReply,
  "recount-learning": recountLearning,
  "access-changed": noteAccessChange,
  "email-administrator": emailAdministrator,
  "email-administrators": addressAdministrators,
  "forget-card": forgetCard,
  "forget-clients": forgetLastClients,
  "keep-card": keepCard,
  "remind-of-end": remindOfEnd,
  renew,
  "report-unpaid": reportUnpaid,
  "send-email": sendEmail,
  // Waits from the release before this one.
  "send-letter": sendLetter,
  "sweep-renewals": sweepRenewals,
  reconcile: reconcileNightly,
  "reconcile-now": reconcileThoroughly,
  "recheck-charges": recheckCharges,
  "resolve-payment": resolvePayment,
  "resolve-refund": resolveRefund,
  "sweep-profile-image": sweepProfileImage,
  "check-files": checkFiles,
  "sweep-resources": sweepFiles,
  purge: async (ctx) => {
    // First of all: even when something below fails for good, the next hour comes.
    await scheduleRegularJobs(ctx, HOUR);
    await purgeSessions(ctx);
    await purgeLimits(ctx.db, ctx.clock.now());
    await purgeFailedJobs(ctx.db, after(ctx.clock.now(), -30 * DAY));
    await forgetNotifications(ctx);
    await purgeAnsweredContacts(ctx);
  },
};

/** The mails of the built-in issuer, which only `academy.ts` knows how to send. */
export const issuerMailJob = "mail-of-issuer";

/**
 * Each lane has workers of its own: renewals that wait for a silent gateway hold up no mail, and no mail server holds up
 * a renewal. A mail is tried for five days, as mail servers themselves do.
 */
export const jobLanes: readonly JobLane[] = [
  {
    names: [
      "email-administrator",
      "email-administrators",
      "mail-account-deleted",
      "mail-contact",
      "mail-contact-reply",
      issuerMailJob,
      "send-email",
      "send-letter",
    ],
    mostAttempts: 130,
  },
  {
    names: [
      "apply-notification",
      "forget-card",
      "keep-card",
      "recheck-charges",
      "reconcile",
      "reconcile-now",
      "renew",
      "resolve-payment",
      "resolve-refund",
      "sweep-renewals",
    ],
  },
];

/**
 * Schedules the jobs that come back regularly, each once however often it is asked for. Each schedules itself again; one
 * that failed for good is brought back by the next purge, which does that before anything else.
 */
export async function scheduleRegularJobs(ctx: Context, delay = 0): Promise<void> {
  const now = ctx.clock.now();
  const runAt = after(now, delay);
  await scheduleReconciliation(ctx.db, now);
  await scheduleRenewals(ctx.db, now);
  await scheduleFileCheck(ctx.db, now);
  await scheduleSweep(ctx.db, now);
  await scheduleLearningCount(ctx.db, now);
  await enqueueJob(ctx.db, { name: "purge", data: {}, key: runAt.toISOString().slice(0, 13), runAt, now });
}
