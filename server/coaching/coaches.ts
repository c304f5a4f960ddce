import { eq } from "drizzle-orm";
import type { CoachSettings } from "#contract/coaching/coach.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { presentSettings } from "./coach-desk.ts";
import { type CoachRow, listCoaches, listSchedules } from "./queries.ts";
import { coaches } from "./tables.ts";

export { listActiveCoaches } from "./queries.ts";

/** By name. */
export async function listCoachesWithSettings(db: Db): Promise<{ coach: CoachRow; settings: CoachSettings }[]> {
  const rows = await listCoaches(db);
  const schedules = await listSchedules(db, rows);
  return rows.flatMap((coach) => {
    const schedule = schedules.get(coach.userId);
    return schedule ? [{ coach, settings: presentSettings(coach, schedule) }] : [];
  });
}

/** Adds a coach without hours. @throws Refusal conflict for somebody who is one. */
export async function addCoach(
  tx: Db,
  coach: { readonly userId: string; readonly displayName: string; readonly timeZone: string },
  now: Date,
): Promise<void> {
  const added = await tx
    .insert(coaches)
    .values({ ...coach, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning({ id: coaches.userId });
  if (added.length === 0) throw new Refusal("conflict", "This user is a coach already.");
}

/** Bookings stay. */
export async function setActive(tx: Db, coachId: string, isActive: boolean, now: Date): Promise<void> {
  await tx.update(coaches).set({ isActive, updatedAt: now }).where(eq(coaches.userId, coachId));
}
