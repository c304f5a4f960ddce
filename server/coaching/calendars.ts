import { hash, randomBytes } from "node:crypto";
import { and, eq, lte, sql } from "drizzle-orm";
import { after, DAY } from "#server/base/clock.ts";
import { nothingHere, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { lacksSecondFactor, secondFactorRequired } from "#server/identity/second-factor.ts";
import { type User, userById } from "#server/identity/users.ts";
import { describeAcademy } from "#server/settings/settings.ts";
import { publish } from "./calendar.ts";
import { liveEntryOf } from "./live/emails.ts";
import { listLiveOf } from "./live/seats.ts";
import { coachOf } from "./overview.ts";
import { getOwnBooking } from "./own-booking.ts";
import { findCalendar, listBookingsOf, listSessionsOf } from "./queries.ts";
import { entryOf, studentNameOf } from "./session-facts.ts";
import { coachingCalendars } from "./tables.ts";

const shownFor = 90 * DAY;

/** Null until the person has chosen one. */
export async function findZone(db: Db, userId: string): Promise<string | null> {
  return (await findCalendar(db, userId))?.timeZone ?? null;
}

/** @param isGuess whether it is replaced by none */
export async function keepZone(
  db: Db,
  userId: string,
  { timeZone, isGuess = false }: { readonly timeZone: string; readonly isGuess?: boolean },
  now: Date,
): Promise<string> {
  const kept = isGuess ? sql<string>`coalesce(${coachingCalendars.timeZone}, excluded.time_zone)` : timeZone;
  const [row] = await db
    .insert(coachingCalendars)
    .values({ userId, timeZone, updatedAt: now })
    .onConflictDoUpdate({ target: coachingCalendars.userId, set: { timeZone: kept, updatedAt: now } })
    .returning({ timeZone: coachingCalendars.timeZone });
  return row?.timeZone ?? timeZone;
}

/**
 * Stores only the token's hash. The previous URL stops working.
 * @throws Refusal conflict before the address is confirmed; second-factor-required for coaches
 */
export async function openCalendar(ctx: Context, user: User): Promise<string> {
  if (!user.emailVerified) throw new Refusal("conflict", "Confirm your email address before you create a link.");
  if (user.lacksSecondFactor && (await coachOf(ctx.db, user))) throw secondFactorRequired();
  const token = randomBytes(32).toString("base64url");
  const now = ctx.clock.now();
  const set = { tokenHash: hashOf(token), openedAt: now, updatedAt: now };
  await ctx.db
    .insert(coachingCalendars)
    .values({ userId: user.id, ...set })
    .onConflictDoUpdate({ target: coachingCalendars.userId, set });
  return `${ctx.site.publicUrl}/calendar/${token}.ics`;
}

export async function closeCalendar(ctx: Context, user: User): Promise<void> {
  await ctx.db
    .update(coachingCalendars)
    .set({ tokenHash: null, updatedAt: ctx.clock.now() })
    .where(eq(coachingCalendars.userId, user.id));
}

/** Closes a calendar that was opened before the person's sign-ins ended. */
export async function closeCalendarOpenedBefore(ctx: Context, userId: string, endedAt: Date): Promise<void> {
  await ctx.db
    .update(coachingCalendars)
    .set({ tokenHash: null, updatedAt: ctx.clock.now() })
    .where(and(eq(coachingCalendars.userId, userId), lte(coachingCalendars.openedAt, endedAt)));
}

/**
 * The sessions as a student, and as a coach who may still coach and has the second factor that the team must have.
 * @throws Refusal not-found.
 */
export async function readCalendar(ctx: Context, token: string): Promise<string> {
  const now = ctx.clock.now();
  const [row] = await ctx.db
    .select()
    .from(coachingCalendars)
    .where(eq(coachingCalendars.tokenHash, hashOf(token)));
  if (!row) throw nothingHere();
  const { publicUrl } = ctx.site;
  const since = after(now, -shownFor);
  const mine = (await listBookingsOf(ctx.db, row.userId)).map((found) =>
    entryOf(publicUrl, found, { audience: "student" }),
  );
  const isLet = !(await lacksSecondFactor(ctx.db, row.userId));
  const coach = isLet ? await coachOf(ctx.db, await userById(ctx.db, row.userId)) : null;
  const coached = coach
    ? (await listSessionsOf(ctx.db, row.userId, since)).map(({ booking, student }) =>
        entryOf(publicUrl, { booking, coach }, { audience: "coach", studentName: studentNameOf(student) }),
      )
    : [];
  const live = (await listLiveOf(ctx.db, row.userId, since))
    .filter(({ coachId }) => coach || coachId !== row.userId)
    .map((session) =>
      liveEntryOf(publicUrl, session, { audience: session.coachId === row.userId ? "coach" : "student" }),
    );
  const shown = [...mine, ...coached, ...live].filter(({ isCancelled, endsAt }) => !isCancelled && endsAt > since);
  return publish(shown, (await describeAcademy(ctx)).name, now);
}

/** @throws Refusal not-found. */
export async function bookingAsFile(ctx: Context, user: User, bookingId: string): Promise<string> {
  const found = await getOwnBooking(ctx.db, { userId: user.id, bookingId });
  const entry = entryOf(ctx.site.publicUrl, found, { audience: "student" });
  return publish([entry], (await describeAcademy(ctx)).name, ctx.clock.now());
}

function hashOf(token: string): string {
  return hash("sha256", token);
}
