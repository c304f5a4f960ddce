import { Temporal } from "temporal-polyfill";
import { dateIn } from "#server/base/dates.ts";

/** The coach's wall-clock time, `09:00` to `24:00`. Monday is 1. */
export interface WeeklyHours {
  readonly weekday: number;
  readonly fromTime: string;
  readonly toTime: string;
}

/** Replaces the weekly hours on a date. Both times are null when the coach is away. */
export interface ExceptionalDay {
  readonly date: string;
  readonly fromTime: string | null;
  readonly toTime: string | null;
}

export interface Schedule {
  readonly timeZone: string;
  readonly hours: readonly WeeklyHours[];
  readonly days: readonly ExceptionalDay[];
}

/** `endsAt` is exclusive. */
export interface Range {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * Converts each end of the hours to an instant: on the day of a clock change they hold fewer or more sessions, all of
 * real minutes.
 */
export function sessionsOf(schedule: Schedule, minutes: number, { startsAt, endsAt }: Range): Range[] {
  if (endsAt <= startsAt) return [];
  const step = minutes * 60_000;
  const starts = new Set<number>();
  const last = dateIn(schedule.timeZone, endsAt);
  // Hours that a clock change moves forward may end on the next day.
  let date = dateIn(schedule.timeZone, startsAt).subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    for (const { fromTime, toTime } of stretchesOn(schedule, date)) {
      const end = instantOf(schedule.timeZone, date, toTime);
      for (let at = instantOf(schedule.timeZone, date, fromTime); at + step <= end; at += step) {
        if (at >= startsAt.getTime() && at < endsAt.getTime()) starts.add(at);
      }
    }
  }
  return withoutOverlaps(
    [...starts].sort((a, b) => a - b),
    step,
  );
}

/** @param sessions sorted by start */
export function freeSessions(sessions: readonly Range[], taken: readonly Range[]): Range[] {
  const inOrder = taken.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  let over = 0;
  return sessions.filter((session) => {
    while (isBefore(inOrder[over], session.startsAt)) over++;
    for (let at = over; at < inOrder.length; at++) {
      const other = inOrder[at] as Range;
      if (other.startsAt >= session.endsAt) break;
      if (overlap(session, other)) return false;
    }
    return true;
  });
}

function isBefore(range: Range | undefined, instant: Date): boolean {
  return range !== undefined && range.endsAt <= instant;
}

/** The session must lie within a single row of hours. */
export function isWithinHours(schedule: Schedule, { startsAt, endsAt }: Range): boolean {
  const { timeZone } = schedule;
  const today = dateIn(timeZone, startsAt);
  return [today.subtract({ days: 1 }), today].some((date) =>
    stretchesOn(schedule, date).some(
      ({ fromTime, toTime }) =>
        instantOf(timeZone, date, fromTime) <= startsAt.getTime() &&
        endsAt.getTime() <= instantOf(timeZone, date, toTime),
    ),
  );
}

/** @internal */
export function overlap(one: Range, other: Range): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt;
}

function stretchesOn({ hours, days }: Schedule, date: Temporal.PlainDate) {
  const exception = days.find((day) => day.date === date.toString());
  if (!exception) return hours.filter(({ weekday }) => weekday === date.dayOfWeek);
  const { fromTime, toTime } = exception;
  return fromTime === null || toTime === null ? [] : [{ fromTime, toTime }];
}

/** A time that a clock change skips moves forward. Of a repeated time, the first counts. */
function instantOf(timeZone: string, date: Temporal.PlainDate, time: string): number {
  const isMidnight = time === "24:00";
  const day = isMidnight ? date.add({ days: 1 }) : date;
  const clock = Temporal.PlainTime.from(isMidnight ? "00:00" : time);
  return day.toPlainDateTime(clock).toZonedDateTime(timeZone, { disambiguation: "compatible" }).epochMilliseconds;
}

function withoutOverlaps(starts: readonly number[], step: number): Range[] {
  const sessions: Range[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const at of starts) {
    if (at < free) continue;
    free = at + step;
    sessions.push({ startsAt: new Date(at), endsAt: new Date(free) });
  }
  return sessions;
}
