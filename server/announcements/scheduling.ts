import { eq } from "drizzle-orm";
import { z } from "zod";
import type { SendAt } from "#contract/admin/announcements.ts";
import { cityOf, isTimeZone } from "#contract/coaching/times.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { instantOf } from "#server/base/dates.ts";
import { invalidFields } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { academyZone } from "#server/settings/settings.ts";
import { type Addressees, announcementBatches, fixRecipients, listZones } from "./queries.ts";
import { announcements } from "./tables.ts";

export const beginAnnouncementJob = defineJob("begin-announcement", z.object({ announcementId: z.string() }));

/** The first time at which clocks show `sendAt`. @throws Refusal invalid-input unless it is over a minute from now. */
export async function findBeginning(
  ctx: Context,
  tx: Db,
  addressees: Addressees,
  sendAt: SendAt,
  now: Date,
): Promise<Date> {
  const times = await timesOf(ctx, tx, addressees, sendAt);
  const [zone, first] = times.all.toSorted(([, a], [, b]) => +a - +b)[0] ?? ["UTC", times.otherwise];
  if (first > after(now, MINUTE)) return first;
  const where = sendAt.zone === "student" ? ` in ${cityOf(zone)}, where some recipients are` : "";
  throw invalidFields({
    [isOver(zone, sendAt.day, now) ? "sendAt.day" : "sendAt.time"]: [
      `This time is in the past or less than a minute away${where}. Choose a later time.`,
    ],
  });
}

async function timesOf(ctx: Context, tx: Db, addressees: Addressees, { day, time, zone }: SendAt) {
  const zones = zone === "student" ? await listZones(ctx, tx, addressees) : [null];
  // The database may have a zone that this Node does not know yet.
  const known = zones.filter((name) => name !== null && isTimeZone(name)) as string[];
  const inZones = known.map((name) => [name, instantOf(name, day, time)] as const);
  const own = await academyZone(tx);
  const otherwise = instantOf(own, day, time);
  const all = known.length < zones.length ? [...inZones, [own, otherwise] as const] : inZones;
  return { otherwise, inZones: new Map(inZones), all };
}

const isOver = (zone: string, day: string, now: Date) => instantOf(zone, day, "23:59") <= after(now, MINUTE);

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

/** Fixes the recipients of a scheduled announcement, and begins to send it. A second job does nothing. */
export async function beginAnnouncement(
  ctx: Context,
  { announcementId: id }: z.output<typeof beginAnnouncementJob.schema>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await announcementBatches.find(tx, id))) return;
    const row = await announcementBatches.lock(tx, id);
    const now = ctx.clock.now();
    if (row.state !== "scheduled" || !row.sendAt || !row.beginsAt || row.beginsAt > now) return;
    const people = await fixRecipients(ctx, tx, row, now, await timesOf(ctx, tx, row, row.sendAt));
    await tx.update(announcements).set({ people }).where(eq(announcements.id, id));
    await announcementBatches.scheduleNextTurn(tx, row, now, now);
  });
}
