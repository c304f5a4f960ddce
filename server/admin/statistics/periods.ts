import type { MoneyQuery, Period } from "#contract/admin/statistics.ts";
import { after, DAY } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

/** Days are those of UTC, weeks begin on Monday. */
export interface Periods {
  readonly by: Period;
  readonly starts: readonly string[];
  readonly from: Date;
  /** The end of the last period, exclusive. */
  readonly end: Date;
}

const usual: Readonly<Record<Period, number>> = { day: 30, week: 12, month: 12 };
const maxPeriods = 400;

/**
 * The periods that contain the dates `from` to `to`; without `from`, the usual number of them.
 * @throws Refusal invalid-input when the dates are reversed or too far apart
 */
export function periodsOf({ by, from, to }: MoneyQuery, now: Date): Periods {
  const last = startOfPeriod(by, to === undefined ? now : new Date(to));
  const first = from === undefined ? move(by, last, 1 - usual[by]) : startOfPeriod(by, new Date(from));
  const starts: string[] = [];
  let start = first;
  for (; start <= last && starts.length <= maxPeriods; start = move(by, start, 1)) starts.push(isoDay(start));
  if (starts.length === 0) throw refuse("from", "After the last day");
  if (starts.length > maxPeriods) throw refuse("from", `More than ${maxPeriods} periods before the last day`);
  return { by, starts, from: first, end: start };
}

/** How pages tell the span that they show. */
export function spanOf({ by, starts, from, end }: Periods) {
  return { by, from: starts[0] ?? isoDay(from), to: isoDay(after(end, -DAY)) };
}

export function sum<Figure extends string>(rows: readonly Readonly<Record<Figure, number>>[], figure: Figure): number {
  return rows.reduce((total, row) => total + row[figure], 0);
}

/** 2026-01-31 */
export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** In UTC. */
export function startOfPeriod(by: Period, date: Date): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (by === "month") return new Date(Date.UTC(year, month, 1));
  const midnight = new Date(Date.UTC(year, month, day));
  return by === "day" ? midnight : after(midnight, -((midnight.getUTCDay() + 6) % 7) * DAY);
}

function move(by: Period, start: Date, periods: number): Date {
  if (by === "month") return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + periods, 1));
  return after(start, periods * (by === "week" ? 7 : 1) * DAY);
}

function refuse(field: string, message: string): Refusal {
  return new Refusal("invalid-input", "Please check the dates.", { errors: { [field]: [message] } });
}
