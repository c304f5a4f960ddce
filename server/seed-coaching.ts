import { coaching } from "#content/coaching.ts";
import { bookSession } from "#server/coaching/bookings.ts";
import { writeSettings } from "#server/coaching/coach-desk.ts";
import { insertCoach } from "#server/coaching/coaches.ts";
import { listComing } from "#server/coaching/live/queries.ts";
import { takeSeat } from "#server/coaching/live/seats.ts";
import { isCoach, listSlots } from "#server/coaching/overview.ts";
import { recordHeld, recordLiveSession } from "#server/coaching/past-sessions.ts";
import type { User } from "#server/identity/users.ts";
import { after, DAY, MINUTE } from "./base/clock.ts";
import { Refusal } from "./base/refusal.ts";
import type { Context } from "./context/context.ts";
import type { Db } from "./db/db.ts";
import { addOperationalMark, findOperationalMark } from "./db/operational-marks.ts";

const marker = "demo-coaching-seeded";
const studentZone = "America/New_York";

export interface CoachingPeople {
  readonly coach: User;
  /** The account that has had Lifetime Access long enough for a past session. */
  readonly lifetime: User;
  readonly annual: User;
}

async function isCoachingSeeded(db: Db): Promise<boolean> {
  return (await findOperationalMark(db, marker)) !== null;
}

/** Seeds coaching. Safe to repeat: a start after a kill continues. */
export async function seedCoaching(ctx: Context, people: CoachingPeople): Promise<void> {
  if (await isCoachingSeeded(ctx.db)) return;
  const now = ctx.clock.now();
  const { lifetime, annual } = people;
  await ctx.db.transaction((tx) => seedCoach(tx, people, now));
  await unlessRefused(bookAhead(ctx, lifetime));
  for (const { session } of await listComing(ctx.db, now)) {
    await unlessRefused(takeSeat(ctx, annual, session.id, coaching.question));
  }
  await addOperationalMark(ctx.db, marker, now.toISOString(), now);
}

async function seedCoach(tx: Db, { coach, lifetime }: CoachingPeople, now: Date): Promise<void> {
  if (await isCoach(tx, coach.id)) return;
  const { displayName, timeZone, meetingUrl, hours, held, group } = coaching;
  await insertCoach(tx, { userId: coach.id, displayName, timeZone }, now);
  await writeSettings(tx, coach.id, { displayName, timeZone, meetingUrl, hours: [...hours], days: [] }, now);
  const past = lasting(atHour(after(now, -19 * DAY), 17), 30);
  await recordHeld(tx, { ...held, ...past, coachId: coach.id, userId: lifetime.id, studentZone });
  for (const { title, about, inDays, recording } of group) {
    const times = lasting(atHour(after(now, inDays * DAY), 18), 60);
    const session = { title, about, coachId: coach.id, seats: null, ...times, ...(recording && { recording }) };
    await recordLiveSession(tx, session, now);
  }
}

async function bookAhead(ctx: Context, lifetime: User): Promise<void> {
  const [free] = (await listSlots(ctx, lifetime)).coaches;
  const startsAt = free?.startsAt.find((at) => new Date(at) > after(ctx.clock.now(), 2 * DAY));
  if (!free || !startsAt) return;
  const asked = { coachId: free.id, startsAt: new Date(startsAt), timeZone: studentZone, prep: coaching.prep };
  await bookSession(ctx, lifetime, asked);
}

/** Ignores a refusal: the access may have ended, or an earlier start has done it. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function lasting(startsAt: Date, minutes: number) {
  return { startsAt, endsAt: after(startsAt, minutes * MINUTE) };
}

function atHour(day: Date, hour: number): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour));
}
