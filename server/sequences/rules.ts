import { Temporal } from "temporal-polyfill";
import { after, DAY, MINUTE } from "#server/base/clock.ts";

/** In the student's time zone. */
const hours = { from: 9, until: 18 } as const;

/** An email that could not be sent for this long after it was due is not sent. */
const lateness = 3 * DAY;

/** From one email of all sequences to the next. A little less than a day, since a run may begin later than the next. */
export const pause = DAY - 30 * MINUTE;

/** @throws RangeError for an unknown time zone */
export function isInHours(now: Date, timeZone: string): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  return hour >= hours.from && hour < hours.until;
}

/** Events after `from`, up to `to`. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The events for which a step is due now. Empty for a sequence that is off, whose `since` is absent. */
export function spanOf(delay: number, since: string | undefined, now: Date): Span {
  const to = after(now, -delay);
  const on = since === undefined ? to : new Date(since);
  return { from: new Date(Math.max(after(to, -lateness).getTime(), on.getTime())), to };
}

export function shifted({ from, to }: Span, by: number): Span {
  return { from: after(from, by), to: after(to, by) };
}
