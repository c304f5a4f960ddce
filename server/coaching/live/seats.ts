import { and, eq, gt, ne, sql } from "drizzle-orm";
import { lowestLiveTier, tierOpens } from "#contract/tiers.ts";
import { accessOf, ownTierInUse, requireTier, requireUnblocked } from "#server/access/access.ts";
import { after, HOUR } from "#server/base/clock.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import { currentPlanNames } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { requireNothingStops } from "#server/discrepancies/discrepancies.ts";
import { lockLiveUser, lockUser, type User } from "#server/identity/users.ts";
import { postEmail } from "#server/mail/student-emails.ts";
import { requireOpenRoom, roomOf } from "../attendance.ts";
import type { LiveRow } from "../queries.ts";
import { liveSeats, liveSessions } from "../tables.ts";
import { liveReminderEmail, seatGivenUpEmail, seatTakenEmail } from "./emails.ts";
import { findLive, findSeat, listSeatsOf, lockLive } from "./queries.ts";

/**
 * For a seat that is taken already, changes the question.
 * @throws Refusal not-found, account-blocked, tier-required, too-late, conflict when full.
 */
export async function takeSeat(
  ctx: Context,
  user: User,
  sessionId: string,
  question: string | undefined,
): Promise<void> {
  const session = await openFor(ctx, user, sessionId);
  const now = ctx.clock.now();
  if (session.startsAt <= now) throw new Refusal("too-late", "This session has already started. Join it instead.");
  await ctx.db.transaction(async (tx) => {
    const taken = await seat(tx, user.id, sessionId, question, now);
    if (!taken) return;
    const { id, sequence } = taken.session;
    const facts = { sessionId: id, sequence, userId: user.id, audience: "student" as const, changes: taken.changes };
    const occasion = `${id}:${taken.changes}`;
    await postEmail(tx, seatTakenEmail, { userId: user.id, occasion, facts }, now);
  });
}

/** Stops reminders, and removes the session from the calendar. Safe to repeat. */
export async function giveSeatUp(ctx: Context, user: User, sessionId: string): Promise<void> {
  await getLive(ctx.db, sessionId);
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    await releaseSeat(tx, user.id, sessionId, "student", ctx.clock.now());
  });
}

/** Lock the student first. Sends no email when the session has begun. */
async function releaseSeat(
  tx: Db,
  userId: string,
  sessionId: string,
  because: "student" | "access",
  now: Date,
): Promise<void> {
  const [released] = await tx
    .update(liveSeats)
    .set({ state: "given-up", question: null, changes: sql`${liveSeats.changes} + 1` })
    .where(and(eq(liveSeats.sessionId, sessionId), eq(liveSeats.userId, userId), eq(liveSeats.state, "taken")))
    .returning();
  const found = await findLive(tx, sessionId);
  if (!released || !found || found.session.state !== "scheduled" || found.session.startsAt <= now) return;
  const { sequence } = found.session;
  const facts = { sessionId, sequence, userId, audience: "student" as const, changes: released.changes, because };
  const occasion = `${sessionId}:${released.changes}`;
  await postEmail(tx, seatGivenUpEmail, { userId, occasion, facts }, now);
}

/** Takes a seat if needed. @throws Refusal as `takeSeat`; conflict before the room opens. */
export async function joinLive(ctx: Context, user: User, sessionId: string): Promise<string> {
  const session = await openFor(ctx, user, sessionId);
  const now = ctx.clock.now();
  requireOpenRoom(session, now);
  const { coach } = await getLive(ctx.db, sessionId);
  const room = roomOf(ctx, session.meetingUrl ?? coach.meetingUrl, session.room);
  await ctx.db.transaction(async (tx) => {
    const taken = await findSeat(tx, sessionId, user.id);
    if (taken?.state !== "taken") await seat(tx, user.id, sessionId, undefined, now);
    if (!taken?.joinedAt) {
      await tx
        .update(liveSeats)
        .set({ joinedAt: now })
        .where(and(eq(liveSeats.sessionId, sessionId), eq(liveSeats.userId, user.id)));
    }
  });
  return room;
}

export async function remindOfLive(
  tx: Db,
  { id, sequence, startsAt }: LiveRow,
  userId: string,
  audience: "student" | "coach",
  now: Date,
): Promise<void> {
  for (const hours of [24, 1]) {
    const sendAt = after(startsAt, -hours * HOUR);
    if (sendAt <= now) continue;
    const facts = { sessionId: id, sequence, userId, audience, hours };
    await postEmail(tx, liveReminderEmail, { userId, occasion: `${id}:${sequence}:${hours}`, facts, sendAt }, now);
  }
}

/** The sessions that the user attends or gives, except cancelled ones. */
export async function listLiveOf(db: Db, userId: string, since: Date): Promise<LiveRow[]> {
  const seats = (await listSeatsOf(db, userId)).filter(({ state }) => state === "taken");
  const sessions = await db
    .select()
    .from(liveSessions)
    .where(and(gt(liveSessions.endsAt, since), ne(liveSessions.state, "cancelled")));
  return sessions.filter(({ id, coachId }) => coachId === userId || seats.some(({ sessionId }) => sessionId === id));
}

/** Releases seats that the tier no longer includes. Call in a transaction. */
export async function giveUncoveredUp(tx: Db, userId: string, now: Date): Promise<void> {
  const seats = await listSeatsOf(tx, userId);
  if (seats.length === 0) return;
  const { tier } = await accessOf(tx, userId, now);
  for (const { sessionId } of seats) {
    const found = await findLive(tx, sessionId);
    if (!found || found.session.startsAt <= now || tierOpens(tier, found.session.requiredTier)) continue;
    await releaseSeat(tx, userId, sessionId, "access", now);
  }
}

/** @throws Refusal not-found. */
export async function getLive(db: Db, sessionId: string) {
  const found = await findLive(db, sessionId);
  if (!found) throw notFound("session");
  return found;
}

async function openFor(ctx: Context, user: User, sessionId: string): Promise<LiveRow> {
  requireUnblocked(user);
  const tier = await ownTierInUse(ctx, user);
  // Checked before the session is read, so that users without access do not learn which sessions exist.
  if (!tierOpens(tier, lowestLiveTier)) {
    const names = await currentPlanNames(ctx.db);
    throw new Refusal("tier-required", `Group sessions are included in ${names[lowestLiveTier]}.`);
  }
  const { session } = await getLive(ctx.db, sessionId);
  await requireTier(ctx.db, user, tier, session.requiredTier);
  if (session.state === "cancelled") throw new Refusal("conflict", "This session was cancelled.");
  return session;
}

/** Null when the seat was taken before. */
async function seat(
  tx: Db,
  userId: string,
  sessionId: string,
  question: string | undefined,
  now: Date,
): Promise<{ session: LiveRow; changes: number } | null> {
  await lockLiveUser(tx, userId);
  const session = await lockLive(tx, sessionId);
  const mine = await findSeat(tx, sessionId, userId);
  const isNew = mine?.state !== "taken";
  if (isNew) await requireNothingStops(tx, "bookings", userId);
  if (isNew && session.seats !== null) {
    const taken = await tx.$count(liveSeats, and(eq(liveSeats.sessionId, sessionId), eq(liveSeats.state, "taken")));
    if (taken >= session.seats) throw new Refusal("conflict", "This session is full.");
  }
  const set = { state: "taken" as const, ...(question !== undefined && { question: question || null }) };
  const changes = mine && isNew ? mine.changes + 1 : (mine?.changes ?? 0);
  await tx
    .insert(liveSeats)
    .values({ sessionId, userId, createdAt: now, ...set })
    .onConflictDoUpdate({ target: [liveSeats.sessionId, liveSeats.userId], set: { ...set, changes } });
  if (!isNew) return null;
  await remindOfLive(tx, session, userId, "student", now);
  return { session, changes };
}
