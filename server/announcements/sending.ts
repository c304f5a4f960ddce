import { and, asc, eq, lte } from "drizzle-orm";
import { z } from "zod";
import { after, MINUTE } from "#server/base/clock.ts";
import { pauseBetweenTurns, type Turn } from "#server/batches/batches.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { deleted, isReachable, suspended, type User, userById } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { MailNotAccepted } from "#server/mail/mail.ts";
import { noteSentEmail } from "#server/mail/student-emails.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { findRenewalStops } from "#server/subscriptions/renewal-stops.ts";
import { type AnnouncementRow, textOf } from "./announcements.ts";
import { announcementKind, takeToken, unsubscribeUrl } from "./choices.ts";
import { composeAnnouncement, composeNotice, composeWithdrawal } from "./emails.ts";
import { announcementBatches, findWaiting } from "./queries.ts";
import { announcementRecipients, announcements } from "./tables.ts";

export { announcementBatches } from "./queries.ts";

const mailsPerRun = 10;
/** Consecutive refusals that count as an outage of the mail server. */
const refusalsPerRun = 3;
const afterOutage = MINUTE;
/** About five days, like other emails. */
const maxTries = 125;
/** Permanent refusals until a recipient counts as failed: a misconfigured mail server refuses all permanently. */
const triesForGood = 3;

const About = z.object({ announcementId: z.string() });
export const noticeOfAnnouncementJob = defineJob(
  "notice-of-announcement",
  // Null: it is a draft again, because who scheduled it may not send any more.
  About.extend({ startedAt: z.iso.datetime().nullish() }),
  { lane: "mail" },
);
export const testAnnouncementJob = defineJob("test-announcement", About.extend({ userId: z.string() }), {
  lane: "mail",
});

export function sendAnnouncement(ctx: Context, turn: Turn): Promise<void> {
  return announcementBatches.takeTurn(ctx, turn, async (announcement) => {
    if (await isOlderThanRestore(ctx.db, announcement)) {
      const { id, turn } = announcement;
      const isNow = and(eq(announcements.id, id), eq(announcements.turn, turn), eq(announcements.state, "running"));
      await ctx.db.update(announcements).set({ state: "paused" }).where(isNow);
      return 0;
    }
    const isOutage = await sendDue(ctx, announcement);
    return isOutage ? afterOutage : pauseBetweenTurns(ctx);
  });
}

/** The backup does not tell who was sent it since, so an administrator must decide whether to continue. */
export async function isOlderThanRestore(db: Db, { startedAt }: AnnouncementRow): Promise<boolean> {
  const { restoredAt } = await findRenewalStops(db);
  return restoredAt !== null && startedAt !== null && startedAt < restoredAt;
}

/** True when the mail server refuses everything. */
async function sendDue(ctx: Context, announcement: AnnouncementRow): Promise<boolean> {
  const due = await ctx.db
    .select({ userId: announcementRecipients.userId, tries: announcementRecipients.tries })
    .from(announcementRecipients)
    .where(and(announcementBatches.isWaiting(announcement.id), lte(announcementRecipients.dueAt, ctx.clock.now())))
    .orderBy(asc(announcementRecipients.dueAt))
    .limit(mailsPerRun);
  let refusals = 0;
  for (const recipient of due) {
    try {
      if (!(await sendTo(ctx, announcement, recipient.userId))) return false;
      refusals = 0;
    } catch (error) {
      if (!(error instanceof MailNotAccepted)) throw error;
      await noteRefusal(ctx, announcement.id, recipient, error);
      refusals += 1;
      if (refusals === refusalsPerRun) return true;
    }
  }
  return false;
}

/** False when the announcement is no longer being sent. @throws MailNotAccepted. */
async function sendTo(ctx: Context, announcement: AnnouncementRow, userId: string): Promise<boolean> {
  const found = await findWaiting(ctx.db, announcement.id, userId);
  if (!found) return true;
  const { state, user } = found;
  if (state !== "running") return false;
  const now = ctx.clock.now();
  const choice = mayGet(user) ? await takeToken(ctx.db, userId, now) : null;
  if (!choice?.wanted) {
    await close(ctx.db, announcement.id, userId, "left-out", now);
    return true;
  }
  const message = composeAnnouncement(await readerOf(ctx, user), user.email, {
    announcement: textOf(announcement),
    unsubscribeUrl: unsubscribeUrl(ctx.site.publicUrl, choice.token, "wanted"),
  });
  const id = idFor(announcementKind, announcement.id, userId);
  await ctx.mail.send(message, id);
  await ctx.db.transaction(async (tx) => {
    await close(tx, announcement.id, userId, "sent", now);
    await noteSentEmail(tx, { id, userId, kind: announcementKind, subject: message.subject, sentAt: now });
  });
  return true;
}

function mayGet(user: User): boolean {
  const hasLeft = user.accountStatus === deleted || user.accountStatus === suspended;
  return user.emailVerified && isReachable(user) && !hasLeft;
}

async function readerOf(ctx: Context, { firstName }: Pick<User, "firstName">) {
  return { firstName, academy: await describeAcademy(ctx) };
}

const totals = { sent: "done", "left-out": "skipped", failed: "failed" } as const;

async function close(db: Db, id: string, userId: string, outcome: keyof typeof totals, now: Date): Promise<void> {
  await db.transaction((tx) =>
    announcementBatches.close(tx, { id, userId }, { outcome, closedAt: now }, totals[outcome]),
  );
}

async function noteRefusal(
  ctx: Context,
  id: string,
  recipient: { readonly userId: string; readonly tries: number },
  { isForGood, message }: MailNotAccepted,
): Promise<void> {
  const { userId } = recipient;
  const tries = recipient.tries + 1;
  const now = ctx.clock.now();
  ctx.log.warn({ announcementId: id, userId, tries, reason: message }, "an announcement was not accepted");
  if (tries >= (isForGood ? triesForGood : maxTries)) return close(ctx.db, id, userId, "failed", now);
  await ctx.db
    .update(announcementRecipients)
    .set({ tries, dueAt: after(now, Math.min(2 ** tries, 60) * MINUTE) })
    .where(announcementBatches.isWaiting(id, userId));
}

export async function scheduleNotice(
  tx: Db,
  { announcementId, startedAt }: { readonly announcementId: string; readonly startedAt: Date | null },
  now: Date,
): Promise<void> {
  const data = { announcementId, startedAt: startedAt?.toISOString() ?? null };
  const key = `${announcementId} ${now.toISOString()}`;
  await scheduleJob(tx, noticeOfAnnouncementJob, { data, key, runAt: now, now });
}

/** Does nothing when it was cancelled, scheduled or sent since. */
export async function noticeOfAnnouncement(
  ctx: Context,
  { announcementId, startedAt }: z.output<typeof noticeOfAnnouncementJob.schema>,
  jobId: string,
): Promise<void> {
  const row = await announcementBatches.find(ctx.db, announcementId);
  const known = row?.startedAt?.toISOString() ?? null;
  // Jobs of the first release do not name the start.
  if (!row || (startedAt !== undefined && startedAt !== known)) return;
  const { subject, people: recipients, sendAt, beginsAt } = row;
  const reader = { academy: await describeAcademy(ctx) };
  const facts = { subject, recipients, beginsAt: sendAt && beginsAt };
  await ctx.mail.send(startedAt === null ? composeWithdrawal(reader, facts) : composeNotice(reader, facts), jobId);
}

export async function sendTest(
  ctx: Context,
  { announcementId, userId }: z.output<typeof testAnnouncementJob.schema>,
  jobId: string,
): Promise<void> {
  const row = await announcementBatches.find(ctx.db, announcementId);
  const user = await userById(ctx.db, userId);
  if (!row || !isReachable(user)) return;
  const { token } = await takeToken(ctx.db, userId, ctx.clock.now());
  const message = composeAnnouncement(await readerOf(ctx, user), user.email, {
    announcement: textOf(row),
    unsubscribeUrl: unsubscribeUrl(ctx.site.publicUrl, token, "wanted"),
  });
  await ctx.mail.send({ ...message, subject: `Test: ${message.subject}` }, jobId);
}

/** The email as HTML, with a dead link to unsubscribe. @throws Refusal not-found. */
export async function previewAnnouncement(ctx: Context, id: string, user: User): Promise<string> {
  return composeAnnouncement(await readerOf(ctx, user), user.email, {
    announcement: textOf(await announcementBatches.get(ctx.db, id)),
    unsubscribeUrl: "#",
  }).html;
}
