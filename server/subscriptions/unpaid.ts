import { z } from "zod";
import { after, DAY } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import { findOperationalMark, recordOperationalMark } from "#server/db/operational-marks.ts";
import { emailAdministrators } from "#server/identity/administrator-emails.ts";
import { lockUser } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { unpaidEmail } from "./dunning-emails.ts";
import { countUnpaid, listUnpaidToNotify, lockByPurchase, recordUnpaidNotified, type Subscription } from "./queries.ts";
import { isDeclined, isReopened } from "./rules.ts";
import { stoppedSince } from "./unpaid-report.ts";

const maxAtOnce = 1000;
const reportedName = "unpaid-renewals-reported";

/**
 * Emails each student once per period, except declined and reopened ones, who were emailed already, and administrators at most
 * once a day.
 */
export async function notifyUnpaid(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const unpaid = await listUnpaidToNotify(ctx.db, now, await stoppedSince(ctx.db), maxAtOnce);
  for (const subscription of unpaid) await notifyStudent(ctx, subscription, now);
}

async function notifyStudent(ctx: Context, found: Subscription, now: Date): Promise<void> {
  const { purchaseId, userId, currentPeriodEnd } = found;
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const subscription = await lockByPurchase(tx, purchaseId);
    if (!(await recordUnpaidNotified(tx, found, now, await stoppedSince(tx)))) return;
    if (!isDeclined(subscription) && !isReopened(subscription)) {
      const { planName, price: amountCents } = subscription;
      const occasion = `${purchaseId}:${currentPeriodEnd.toISOString()}`;
      await postEmail(
        tx,
        unpaidEmail,
        { userId, occasion, facts: { planName, amountCents, cardPageOf: purchaseId } },
        now,
      );
    }
    const reported = await findOperationalMark(tx, reportedName);
    // A report since the sweep began includes it already.
    if (reported && reported.updatedAt >= now) return;
    const earliest = reported ? after(reported.updatedAt, DAY) : now;
    const runAt = earliest > now ? earliest : now;
    await scheduleJob(tx, reportUnpaidJob, { data: {}, key: "unpaid", runAt, now });
  });
}

export const reportUnpaidJob = defineJob("report-unpaid", z.object({}));

export async function reportUnpaid(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const reported = await findOperationalMark(tx, reportedName);
    if (reported && reported.updatedAt > after(now, -DAY)) return;
    if ((await countUnpaid(tx, now, await stoppedSince(tx))) === 0) return;
    const value = now.toISOString();
    await recordOperationalMark(tx, reportedName, value, now);
    await emailAdministrators(tx, { kind: "renewals-unpaid", occasion: value }, now);
  });
}
