import { mailContact } from "#server/contact/contact.ts";
import { purgeSessions } from "#server/identity/sessions.ts";
import type { JobHandler } from "#server/jobs/jobs.ts";
import { mailConfirmation } from "#server/purchases/confirmation.ts";
import { resolvePayment } from "#server/purchases/outcomes.ts";
import { applyNotification, forgetNotifications } from "#server/reconciliation/notifications.ts";
import { planReconciliation, reconcile, reconcileNightly } from "#server/reconciliation/reconciliation.ts";
import { after, HOUR } from "./clock.ts";
import type { Context } from "./context.ts";
import { enqueueJob } from "./jobs/jobs.ts";

/** Everything that happens later, by name. */
export const jobHandlers: Readonly<Record<string, JobHandler>> = {
  "apply-notification": applyNotification,
  "mail-contact": mailContact,
  "mail-purchase-confirmation": mailConfirmation,
  reconcile: reconcileNightly,
  "reconcile-now": reconcile,
  "resolve-payment": resolvePayment,
  purge: async (ctx) => {
    await purgeSessions(ctx);
    await forgetNotifications(ctx);
    await planRegularJobs(ctx, HOUR);
  },
};

/** Takes on the jobs that come back regularly; each takes itself on again when it is done. */
export async function planRegularJobs(ctx: Context, delay = 0): Promise<void> {
  const now = ctx.clock.now();
  const runAt = after(now, delay);
  await planReconciliation(ctx.db, now);
  await enqueueJob(ctx.db, { name: "purge", data: {}, key: runAt.toISOString().slice(0, 13), runAt, now });
}
