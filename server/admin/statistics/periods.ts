import { Temporal } from "temporal-polyfill";
import type { MoneyQuery, Period } from "#contract/admin/statistics.ts";
import { dateIn, startOfDate } from "#server/base/dates.ts";
import { Refusal } from "#server/base/refusal.ts";

/** Periods in a row without gaps. Weeks begin on Monday. */
export interface Periods {
  readonly by: Period;
  /** The first day of each, such as 2026-01-31. */
  readonly starts: readonly string[];
  /** When each begins in the academy's time zone. */
  readonly begin: readonly Date[];
  /** When the last one ends, exclusive. */
  readonly end: Date;
  /** The day after the last one. */
  readonly endDay: string;
}

const usual: Readonly<Record<Period, number>> = { day: 30, week: 12, month: 12 };
const maxPeriods = 400;

/**
 * The periods that contain the days `from` to `to`; without `from`, the usual number of them.
 * @throws Refusal invalid-input when the days are reversed or too far apart
 */
export function periodsOf({ by, from, to }: MoneyQuery, now: Date, timeZone: string): Periods {
  const last = firstDay(by, to === undefined ? dateIn(timeZone, now) : Temporal.PlainDate.from(to));
  const first = from === undefined ? move(by, last, 1 - usual[by]) : firstDay(by, Temporal.PlainDate.from(from));
  const starts: Temporal.PlainDate[] = [];
  let start = first;
  for (; Temporal.PlainDate.compare(start, last) <= 0 && starts.length <= maxPeriods; start = move(by, start, 1)) {
    starts.push(start);
  }
  if (starts.length === 0) throw refuse("from", "After the last day");
  if (starts.length > maxPeriods) throw refuse("from", `More than ${maxPeriods} periods before the last day`);
  return {
    by,
    starts: starts.map(String),
    begin: starts.map((day) => startOfDate(timeZone, day)),
    end: startOfDate(timeZone, start),
    endDay: String(start),
  };
}

/** As many months as there can be, up to the current one. */
export function allMonths(now: Date, timeZone: string): Periods {
  const from = dateIn(timeZone, now).subtract({ months: maxPeriods - 1 });
  return periodsOf({ by: "month", from: String(from) }, now, timeZone);
}

/** How pages tell the span that they show. */
export function spanOf({ by, starts, endDay }: Periods) {
  return { by, from: starts[0] ?? endDay, to: String(Temporal.PlainDate.from(endDay).subtract({ days: 1 })) };
}

export function sum<Figure extends string>(rows: readonly Readonly<Record<Figure, number>>[], figure: Figure): number {
  return rows.reduce((total, row) => total + row[figure], 0);
}

function firstDay(by: Period, day: Temporal.PlainDate): Temporal.PlainDate {
  if (by === "month") return day.with({ day: 1 });
  return by === "day" ? day : day.subtract({ days: day.dayOfWeek - 1 });
}

function move(by: Period, start: Temporal.PlainDate, periods: number): Temporal.PlainDate {
  return start.add({ [`${by}s`]: periods });
}

function refuse(field: string, message: string): Refusal {
  return new Refusal("invalid-input", "Please check the dates.", { errors: { [field]: [message] } });
}
