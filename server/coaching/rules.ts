import { after, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import type { Range } from "./slots.ts";

/** Notice periods for students. An administrator may act at any time, with a reason. */
const minNotice = 12 * HOUR;
export const maxNotice = 30 * DAY;
export const freeUntil = 24 * HOUR;
export const maxMoves = 2;
const opensBefore = 15 * MINUTE;
const forgivenEvery = 365 * DAY;
export const extraGoodFor = 60 * DAY;
export const afterRefund = 7 * DAY;
/** After this a session that nobody marked is settled by who joined it. */
export const settledAfter = 24 * HOUR;
const contestedWithin = 7 * DAY;

/** From the minimum notice to the maximum, within the access. */
export function bookableRange(
  { until, notBefore }: { readonly until: Date | null; readonly notBefore: Date | null },
  now: Date,
): Range {
  const soonest = after(now, minNotice);
  const latest = after(now, maxNotice);
  return {
    startsAt: notBefore && notBefore > soonest ? notBefore : soonest,
    endsAt: until && until < latest ? until : latest,
  };
}

/** Whether a cancellation now uses up the session. */
export function isLate(startsAt: Date, now: Date): boolean {
  return now > after(startsAt, -freeUntil);
}

export function opensAt({ startsAt }: { readonly startsAt: Date }): Date {
  return after(startsAt, -opensBefore);
}

export function joinable({ startsAt, endsAt }: Range, now: Date): "early" | "now" | "late" {
  if (now < opensAt({ startsAt })) return "early";
  return now < endsAt ? "now" : "late";
}

/** The first late cancellation or missed session in a year is. */
export function isForgiven(earlier: readonly { readonly closedAt: Date | null }[], now: Date): boolean {
  return !earlier.some(({ closedAt }) => closedAt !== null && closedAt > after(now, -forgivenEvery));
}

export function isContestable(
  { state, closedAt, contestedAt }: { state: string; closedAt: Date | null; contestedAt: Date | null },
  now: Date,
): boolean {
  return closedAt !== null && state !== "cancelled" && contestedAt === null && now < after(closedAt, contestedWithin);
}

export function settle(joined: {
  readonly joinedByStudentAt: Date | null;
  readonly joinedByCoachAt: Date | null;
}): "held" | "missed-by-student" | "missed-by-coach" {
  if (joined.joinedByCoachAt === null) return "missed-by-coach";
  return joined.joinedByStudentAt === null ? "missed-by-student" : "held";
}

/** The audit log is read by more people than may join. */
export function withoutAddress<Kept extends { readonly meetingUrl: string | null }>({ meetingUrl, ...kept }: Kept) {
  return { ...kept, hasOwnRoom: meetingUrl !== null };
}
