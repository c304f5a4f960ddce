import { Temporal } from "temporal-polyfill";

/** A stretch of a weekday on the wall clock of the coach, `09:00` to `24:00`. Monday is 1. */
export interface WeeklyHours {
  readonly weekday: number;
  readonly fromTime: string;
  readonly toTime: string;
}

/** A date on which the week does not hold; closed where both times are null. */
export interface ExceptionalDay {
  /** `2027-03-14` */
  readonly date: string;
  readonly fromTime: string | null;
  readonly toTime: string | null;
}

export interface Schedule {
  /** IANA. */
  readonly timeZone: string;
  readonly hours: readonly WeeklyHours[];
  readonly days: readonly ExceptionalDay[];
}

/** From `startsAt` up to, not including, `endsAt`. */
export interface Range {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * Every session of so many minutes that a schedule gives and that begins in a range, in the order of time. Each end of a
 * stretch becomes an instant by itself, and the sessions are steps of real minutes between the two: a stretch that a
 * clock change shortens or lengthens has fewer or more of them, and none is outside of it.
 */
export function sessionsOf(schedule: Schedule, minutes: number, { startsAt, endsAt }: Range): Range[] {
  if (endsAt <= startsAt) return [];
  const step = minutes * 60_000;
  const starts = new Set<number>();
  const last = dateIn(schedule.timeZone, endsAt);
  // One day earlier: a stretch that a clock change moves forward may end on the day after its own.
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

/** The sessions that nothing taken overlaps. */
export function freeSessions(sessions: readonly Range[], taken: readonly Range[]): Range[] {
  const inOrder = taken.toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime());
  return sessions.filter((session) => !inOrder.some((other) => overlap(session, other)));
}

/** Whether one stretch of the schedule holds the whole of a range. */
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

/** Whether two ranges share an instant. @internal */
export function overlap(one: Range, other: Range): boolean {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt;
}

function stretchesOn({ hours, days }: Schedule, date: Temporal.PlainDate) {
  const exception = days.find((day) => day.date === date.toString());
  if (!exception) return hours.filter(({ weekday }) => weekday === date.dayOfWeek);
  const { fromTime, toTime } = exception;
  return fromTime === null || toTime === null ? [] : [{ fromTime, toTime }];
}

/** The instant of a wall clock on a date: one that a clock change skips is moved forward, of one that comes twice the first counts. */
function instantOf(timeZone: string, date: Temporal.PlainDate, time: string): number {
  const isMidnight = time === "24:00";
  const day = isMidnight ? date.add({ days: 1 }) : date;
  const clock = Temporal.PlainTime.from(isMidnight ? "00:00" : time);
  return day.toPlainDateTime(clock).toZonedDateTime(timeZone, { disambiguation: "compatible" }).epochMilliseconds;
}

function dateIn(timeZone: string, instant: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** Stretches of a day that overlap would give sessions that do. */
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
