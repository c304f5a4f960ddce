import { eq } from "drizzle-orm";
import { coaching } from "#content/coaching.ts";
import { bookSession } from "#server/coaching/bookings.ts";
import { writeSettings } from "#server/coaching/coach-desk.ts";
import { addCoach } from "#server/coaching/coaches.ts";
import { takeSeat } from "#server/coaching/live/seats.ts";
import { listSlots } from "#server/coaching/overview.ts";
import { recordHeld, recordLiveSession } from "#server/coaching/past.ts";
import type { User } from "#server/identity/users.ts";
import { after, DAY, MINUTE } from "./base/clock.ts";
import type { Context } from "./context/context.ts";
import { settings } from "./db/tables.ts";

const marker = "demo-coaching-seeded";
const studentZone = "America/New_York";

export interface CoachingPeople {
  readonly coach: User;
  /** With Lifetime Access for long enough that a session was held. */
  readonly lifetime: User;
  readonly annual: User;
}

/** Safe to repeat: a start after a kill goes on where the one before ended. */
export async function seedCoaching(ctx: Context, { coach, lifetime, annual }: CoachingPeople): Promise<void> {
  const [done] = await ctx.db.select().from(settings).where(eq(settings.name, marker));
  if (done) return;
  const now = ctx.clock.now();
  const { displayName, timeZone, meetingUrl, hours, held, group } = coaching;
  const coming = await ctx.db.transaction(async (tx) => {
    await addCoach(tx, { userId: coach.id, displayName, timeZone }, now);
    await writeSettings(tx, coach.id, { displayName, timeZone, meetingUrl, hours: [...hours], days: [] }, now);
    const heldAt = atHour(after(now, -19 * DAY), 17);
    await recordHeld(tx, {
      ...held,
      ...lasting(heldAt, 30),
      coachId: coach.id,
      userId: lifetime.id,
      studentZone,
    });
    const ids: string[] = [];
    for (const { title, about, inDays, recording } of group) {
      const times = lasting(atHour(after(now, inDays * DAY), 18), 60);
      const session = { title, about, coachId: coach.id, seats: null, ...times, ...(recording && { recording }) };
      const id = await recordLiveSession(tx, session, now);
      if (inDays > 0) ids.push(id);
    }
    await tx.insert(settings).values({ name: marker, value: now.toISOString(), updatedAt: now });
    return ids;
  });
  const slots = await listSlots(ctx, lifetime);
  const [free] = slots.coaches;
  const startsAt = free?.startsAt.find((at) => new Date(at) > after(now, 2 * DAY));
  if (free && startsAt) {
    const asked = { coachId: free.id, startsAt: new Date(startsAt), timeZone: studentZone, prep: coaching.prep };
    await bookSession(ctx, lifetime, asked);
  }
  for (const id of coming) await takeSeat(ctx, annual, id, coaching.question);
}

function lasting(startsAt: Date, minutes: number) {
  return { startsAt, endsAt: after(startsAt, minutes * MINUTE) };
}

function atHour(day: Date, hour: number): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour));
}
