import { Temporal } from "temporal-polyfill";
import { after, DAY, MINUTE } from "#server/base/clock.ts";

/** In the student's time zone. */
const hours = { from: 9, until: 18 } as const;

/** An email that could not be sent for this long after it was due is not sent. */
export const lateness = 3 * DAY;

/** Taken off what counts from an email, which is sent somewhat later than its run begins. */
export const slack = 30 * MINUTE;

/** From one email of all sequences to the next. */
export const pause = DAY - slack;

/** @throws RangeError for an unknown time zone */
export function isInHours(now: Date, timeZone: string): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  return hour >= hours.from && hour < hours.until;
}

/** Events after `from`, up to `to`. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
  /** `from` of a sequence that was always on. */
  readonly earliest: Date;
}

/**
 * The events for which a step is due now. Empty for a sequence that is off, whose `since` is absent.
 * @param restoredAt what was due before may have been sent
 */
export function spanOf(delay: number, since: string | undefined, restoredAt: Date | null, now: Date): Span {
  const to = after(now, -delay);
  const on = since === undefined ? to : new Date(since);
  const earliest = latest(after(to, -lateness), after(restoredAt ?? new Date(0), -delay));
  return { from: latest(earliest, on), to, earliest };
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other;
}

export function shifted({ from, to, earliest }: Span, by: number): Span {
  return { from: after(from, by), to: after(to, by), earliest: after(earliest, by) };
}
