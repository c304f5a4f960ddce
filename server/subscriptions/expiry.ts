import { z } from "zod";
import { accessOf, listGrants } from "#server/access/access.ts";
import { recordAccessEvent } from "#server/access/access-events.ts";
import { refreshAccessCache } from "#server/access/cached-tiers.ts";
import { after, DAY } from "#server/base/clock.ts";
import { currentPlanNames, planOnSale } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { lockUser } from "#server/identity/users.ts";
import { defineJob, scheduleJobs } from "#server/jobs/jobs.ts";
import { emailRetention, postEmail } from "#server/mail/student-emails.ts";
import { forgetCardLater } from "#server/payments/payment-methods.ts";
import { endsSoonEmail, expiredEmail } from "./emails.ts";
import { listSubscriptions } from "./queries.ts";

const reminderDays = [30, 7, 1] as const;

export const remindOfEndJob = defineJob(
  "remind-of-end",
  z.object({ userId: z.string(), endsAt: z.iso.datetime(), days: z.int() }),
);

export async function scheduleReminders(tx: Db, userId: string, endsAt: Date, now: Date): Promise<void> {
  const reminders = reminderDays.map((days) => {
    const data = { userId, endsAt: endsAt.toISOString(), days };
    return { data, key: `${userId}:${data.endsAt}:${days}`, runAt: after(endsAt, -days * DAY), now };
  });
  await scheduleJobs(
    tx,
    remindOfEndJob,
    reminders.filter(({ runAt }) => runAt > now),
  );
}

/** Does nothing when the access was extended, ended or replaced since, or a later reminder is due. */
export async function remindOfEnd(ctx: Context, data: z.output<typeof remindOfEndJob.schema>): Promise<void> {
  const now = ctx.clock.now();
  const endsAt = new Date(data.endsAt);
  const nextReminder = reminderDays.find((days) => days < data.days) ?? 0;
  if (now >= after(endsAt, -nextReminder * DAY)) return;
  const plan = await planOnSale(ctx, "premium");
  await ctx.db.transaction(async (tx) => {
    const student = await lockUser(tx, data.userId);
    const access = await accessOf(tx, data.userId, now);
    if (student.accountStatus !== "active" || access.until?.getTime() !== endsAt.getTime()) return;
    // Fewer when the job runs late, such as after an outage.
    const daysLeft = Math.min(data.days, Math.ceil((endsAt.getTime() - now.getTime()) / DAY));
    const facts = { planName: plan.name, daysLeft, endsAt, priceCents: plan.price };
    const occasion = `${data.endsAt}:${data.days}`;
    await postEmail(tx, endsSoonEmail, { userId: data.userId, occasion, facts }, now);
  });
}

/**
 * Emails a student once when access has expired. For access that was ended early, another email was sent. A cancelled
 * subscription's card is forgotten at its paid end, whatever else is open or blocked.
 */
export async function noteAccessChange(ctx: Context, { userId }: { userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const student = await lockUser(tx, userId);
    const now = ctx.clock.now();
    const tier = await refreshAccessCache(tx, userId, now);
    if (tier !== student.purchasedTier) await recordAccessEvent(tx, userId, now);
    const subscriptions = await listSubscriptions(tx, userId);
    for (const { status, currentPeriodEnd, card } of subscriptions) {
      if (status === "cancelled" && currentPeriodEnd <= now) await forgetCardLater(tx, card, now);
    }
    if (tier !== null || student.accountStatus !== "active") return;
    const last = (await listGrants(tx, userId)).toSorted((a, b) => endOf(b) - endOf(a))[0];
    const waiting = subscriptions.some((one) => one.status !== "cancelled");
    if (!last || endOf(last) > now.getTime() || waiting) return;
    if (!last.endsAt || last.endedAt !== null) return;
    // The record of a sent email has been deleted by then.
    if (now > after(last.endsAt, emailRetention.keptFor)) return;
    const { [last.tier]: planName } = await currentPlanNames(tx);
    const facts = { planName, endedAt: last.endsAt };
    await postEmail(tx, expiredEmail, { userId, occasion: last.id, facts }, now);
  });
}

function endOf({ endsAt, endedAt }: { readonly endsAt: Date | null; readonly endedAt: Date | null }): number {
  return (endedAt ?? endsAt)?.getTime() ?? Number.MAX_SAFE_INTEGER;
}
