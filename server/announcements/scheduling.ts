import { eq } from "drizzle-orm";
import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import type { SendAt } from "#contract/admin/announcements.ts";
import { cityOf, isTimeZone } from "#contract/coaching/times.ts";
import { after, HOUR, MINUTE } from "#server/base/clock.ts";
import { instantOf } from "#server/base/dates.ts";
import { invalidFields } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { findUser, userMay } from "#server/identity/users.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { academyZone } from "#server/settings/settings.ts";
import { type Addressees, announcementBatches, fixRecipients, listZones } from "./queries.ts";
import { scheduleNotice } from "./sending.ts";
import { announcements } from "./tables.ts";

export const beginAnnouncementJob = defineJob("begin-announcement", z.object({ announcementId: z.string() }));

/** Where clocks are furthest ahead. */
const firstZone = "+14:00";
/** A beginning may be as late as this and still counts as on time. */
const tolerance = HOUR;

export const draftAgain = { state: "draft", people: 0, startedAt: null, scheduledBy: null } as const;

/**
 * When sending begins: when the academy's clock shows `sendAt`, or any clock does, as students in any zone may join until
 * then.
 * @throws Refusal invalid-input unless it is over a minute from now for all recipients
 */
export async function findBeginning(
  ctx: Context,
  tx: Db,
  addressees: Addressees,
  sendAt: SendAt,
  now: Date,
): Promise<Date> {
  const times = await timesOf(ctx, tx, addressees, sendAt);
  const [zone, first] = times.all.toSorted(([, a], [, b]) => +a - +b)[0] ?? ["UTC", times.otherwise];
  const soonest = after(now, MINUTE);
  if (first > soonest) {
    const begin = sendAt.zone === "academy" ? first : instantOf(firstZone, sendAt.day, sendAt.time);
    return begin > soonest ? begin : soonest;
  }
  const where = sendAt.zone === "student" ? ` in ${cityOf(zone)}, where some recipients are` : "";
  throw invalidFields({
    [isOver(zone, sendAt.day, now) ? "sendAt.day" : "sendAt.time"]: [
      `This time is in the past or less than a minute away${where}. Choose a later time.`,
    ],
  });
}

/** @param from who would get it before gets it at this time on a later day */
async function timesOf(ctx: Context, tx: Db, addressees: Addressees, sendAt: SendAt, from = new Date(0)) {
  const zones = sendAt.zone === "student" ? await listZones(ctx, tx, addressees) : [null];
  // The database may have a zone that this Node does not know yet.
  const known = zones.filter((name) => name !== null && isTimeZone(name)) as string[];
  const inZones = known.map((name) => [name, timeIn(name, sendAt, from)] as const);
  const own = await academyZone(tx);
  const otherwise = timeIn(own, sendAt, from);
  const all = known.length < zones.length ? [...inZones, [own, otherwise] as const] : inZones;
  return { otherwise, inZones: new Map(inZones), all };
}

const isOver = (zone: string, day: string, now: Date) => instantOf(zone, day, "23:59") <= after(now, MINUTE);

function timeIn(zone: string, { day, time }: Pick<SendAt, "day" | "time">, from: Date): Date {
  const at = instantOf(zone, day, time);
  if (at >= from) return at;
  return timeIn(zone, { day: Temporal.PlainDate.from(day).add({ days: 1 }).toString(), time }, from);
}

export async function scheduleBeginning(
  db: Db,
  { id, beginsAt }: { readonly id: string; readonly beginsAt: Date },
  now: Date,
): Promise<void> {
  const key = `${id} ${beginsAt.toISOString()}`;
  await scheduleJob(db, beginAnnouncementJob, { data: { announcementId: id }, key, runAt: beginsAt, now });
}

/** Schedules beginnings again whose job failed for good. */
export async function scheduleBeginningsAgain(db: Db, now: Date): Promise<void> {
  const found = await db.select().from(announcements).where(eq(announcements.state, "scheduled"));
  for (const { id, beginsAt } of found) if (beginsAt) await scheduleBeginning(db, { id, beginsAt }, now);
}

/**
 * Fixes the recipients of a scheduled announcement, and begins to send it. A second job does nothing. Without whoever
 * scheduled it, it is a draft again.
 */
export async function beginAnnouncement(
  ctx: Context,
  { announcementId: id }: z.output<typeof beginAnnouncementJob.schema>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await announcementBatches.find(tx, id))) return;
    const row = await announcementBatches.lock(tx, id);
    const now = ctx.clock.now();
    if (row.state !== "scheduled" || !row.sendAt || !row.beginsAt || row.beginsAt > now) return;
    const author = row.scheduledBy && (await findUser(tx, row.scheduledBy));
    if (!author || !userMay(ctx, author, "announcements:send")) {
      await tx.update(announcements).set(draftAgain).where(eq(announcements.id, id));
      await scheduleNotice(tx, { announcementId: id, startedAt: null }, now);
      return;
    }
    const from = after(now, -tolerance);
    const times = row.sendAt.zone === "student" ? await timesOf(ctx, tx, row, row.sendAt, from) : undefined;
    const people = await fixRecipients(ctx, tx, row, now, times);
    await tx.update(announcements).set({ people, scheduledBy: null }).where(eq(announcements.id, id));
    await announcementBatches.scheduleNextTurn(tx, row, now, now);
  });
}
