import { eq } from "drizzle-orm";
import type * as contract from "#contract/admin/coaching.ts";
import type { CoachSettings } from "#contract/coaching/coach.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { audited, differences } from "#server/audit/audit.ts";
import { Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { findUserByEmail, type User, unconfirmed } from "#server/identity/users.ts";
import { lockSettings, presentSettings, writeSettings } from "./coach-desk.ts";
import { type CoachRow, listCoaches, listSchedules } from "./queries.ts";
import { withoutAddress } from "./rules.ts";
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

/** @throws Refusal not-found, conflict. */
export async function addCoach(
  ctx: Context,
  actor: User,
  { email, displayName, timeZone, reason }: BodyOf<typeof contract.addCoach>,
): Promise<void> {
  const user = await findUserByEmail(ctx.db, email);
  if (!user) {
    throw new Refusal("not-found", "There's no account with this email address. Ask the coach to sign up first.");
  }
  if (!user.emailVerified) throw unconfirmed();
  await audited(ctx, { actor, action: "add coach", subject: user.id, reason }, async (tx, now) => {
    await insertCoach(tx, { userId: user.id, displayName, timeZone }, now);
    return { after: { displayName, timeZone } };
  });
}

/** Adds a coach without hours. @throws Refusal conflict for somebody who is one. */
export async function insertCoach(
  tx: Db,
  coach: { readonly userId: string; readonly displayName: string; readonly timeZone: string },
  now: Date,
): Promise<void> {
  const added = await tx
    .insert(coaches)
    .values({ ...coach, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning({ id: coaches.userId });
  if (added.length === 0) throw new Refusal("conflict", "This person is already a coach.");
}

/** Bookings stay. @throws Refusal not-found, conflict, invalid-input. */
export async function changeCoach(
  ctx: Context,
  actor: User,
  coachId: string,
  { isActive, settings, reason }: BodyOf<typeof contract.changeCoach>,
  version: string | undefined,
): Promise<void> {
  await audited(ctx, { actor, action: "change coach", subject: coachId, reason }, async (tx, now) => {
    const { coach, settings: before } = await lockSettings(tx, coachId);
    requireVersion(version, versionOf({ ...before, isActive: coach.isActive }));
    await writeSettings(tx, coachId, settings, now);
    await tx.update(coaches).set({ isActive }).where(eq(coaches.userId, coachId));
    return differences(
      { ...withoutAddress(before), isActive: coach.isActive },
      { ...withoutAddress(settings), isActive },
    );
  });
}
