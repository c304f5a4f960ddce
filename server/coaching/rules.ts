import { after, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import type { Range } from "./slots.ts";

/** The owner's numbers, in milliseconds. They bind students; an administrator acts at any time, with a reason. */
const earliestAhead = 12 * HOUR;
export const latestAhead = 30 * DAY;
export const freeUntil = 24 * HOUR;
export const mostMoves = 2;
const opensBefore = 15 * MINUTE;
const forgivenEvery = 365 * DAY;
export const extraGoodFor = 60 * DAY;
export const afterRefund = 7 * DAY;
/** A session that nobody marked is settled by who joined it. */
export const settledAfter = 24 * HOUR;
/** How long a student may say that what was marked did not happen. */
const contestedWithin = 7 * DAY;

/** When a student may have a session begin: not too soon, not too far, not after the access ends. */
export function bookableRange(
  { until, notBefore }: { readonly until: Date | null; readonly notBefore: Date | null },
  now: Date,
): Range {
  const soonest = after(now, earliestAhead);
  const latest = after(now, latestAhead);
  return {
    startsAt: notBefore && notBefore > soonest ? notBefore : soonest,
    endsAt: until && until < latest ? until : latest,
  };
}

/** Whether cancelling or moving now is too late to cost nothing. */
export function isLate(startsAt: Date, now: Date): boolean {
  return now > after(startsAt, -freeUntil);
}

/** From when on a session can be joined. */
export function opensAt({ startsAt }: { readonly startsAt: Date }): Date {
  return after(startsAt, -opensBefore);
}

/** Whether the room is open. */
export function joinable({ startsAt, endsAt }: Range, now: Date): "early" | "now" | "late" {
  if (now < opensAt({ startsAt })) return "early";
  return now < endsAt ? "now" : "late";
}

/** The first late cancellation or missed session in a year is forgiven. */
export function isForgiven(earlier: readonly { readonly closedAt: Date | null }[], now: Date): boolean {
  return !earlier.some(({ closedAt }) => closedAt !== null && closedAt > after(now, -forgivenEvery));
}

/** Whether a student may still say that what was marked did not happen. */
export function isContestable(
  { state, closedAt, contestedAt }: { state: string; closedAt: Date | null; contestedAt: Date | null },
  now: Date,
): boolean {
  return closedAt !== null && state !== "cancelled" && contestedAt === null && now < after(closedAt, contestedWithin);
}

/** What a session was that nobody marked. */
export function settle(joined: {
  readonly joinedByStudentAt: Date | null;
  readonly joinedByCoachAt: Date | null;
}): "held" | "missed-by-student" | "missed-by-coach" {
  if (joined.joinedByCoachAt === null) return "missed-by-coach";
  return joined.joinedByStudentAt === null ? "missed-by-student" : "held";
}
