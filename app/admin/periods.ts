import type { Period } from "#contract/admin/statistics.ts";
import { academy } from "#ui/academy.ts";

export interface Dates {
  readonly from: string;
  readonly to: string;
}

interface Preset extends Dates {
  readonly label: string;
  readonly by: Period;
}

const DAY = 86_400_000;
/** The longest period that the server shows by day. */
const maxDays = 400;

/** The day in a time zone, such as 2026-11-29. @internal */
export function dayAt(now: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(now);
}

/** The academy's day. */
export function academyDay(): string {
  return dayAt(new Date(), academy().timeZone ?? "UTC");
}

/** The periods that people ask for most. */
export function presetsOn(today: string): readonly Preset[] {
  const now = new Date(today);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const ago = (days: number) => isoDay(new Date(now.getTime() - days * DAY));
  return [
    { label: "Today", by: "day", from: today, to: today },
    { label: "Last 7 days", by: "day", from: ago(6), to: today },
    { label: "This month", by: "day", from: dayOf(year, month, 1), to: today },
    { label: "Last month", by: "day", from: dayOf(year, month - 1, 1), to: dayOf(year, month, 0) },
    { label: "This year", by: "month", from: dayOf(year, 0, 1), to: today },
    { label: "Last year", by: "month", from: dayOf(year - 1, 0, 1), to: dayOf(year - 1, 11, 31) },
  ];
}

/**
 * The query of the period before what the server has shown: as many days, or as many months for dates that begin with
 * a month. A period in progress is compared up to the same day, and by day, since the server shows whole weeks and months.
 */
export function queryBefore({ by, ...shown }: Dates & { readonly by: Period }, today = academyDay()) {
  const isRunning = shown.from <= today && today < shown.to;
  const until = isRunning ? today : shown.to;
  const dates = isMonths(by, shown, today) ? monthsBefore(shown.from, until) : daysBefore(shown, until);
  return { query: { by: isRunning && daysOf(dates) <= maxDays ? "day" : by, ...dates } } as const;
}

function isMonths(by: Period, { from, to }: Dates, today: string): boolean {
  if (by === "week" || !from.endsWith("-01")) return false;
  return by === "month" || (daysOf({ from, to }) > 7 && (to === today || isMonthEnd(new Date(to))));
}

function daysBefore(shown: Dates, until: string): Dates {
  const back = (day: string) => isoDay(new Date(Date.parse(day) - daysOf(shown) * DAY));
  return { from: back(shown.from), to: back(until) };
}

function monthsBefore(from: string, until: string): Dates {
  const [start, end] = [new Date(from), new Date(until)];
  const [year, last] = [end.getUTCFullYear(), end.getUTCMonth()];
  const months = (year - start.getUTCFullYear()) * 12 + last - start.getUTCMonth() + 1;
  const lastDay = daysIn(year, last - months);
  return {
    from: dayOf(year, last - 2 * months + 1, 1),
    to: dayOf(year, last - months, isMonthEnd(end) ? lastDay : Math.min(end.getUTCDate(), lastDay)),
  };
}

/** What a figure was in the period before, from its query. */
export interface PeriodBefore<Figures> {
  readonly data: Figures | undefined;
  readonly isError: boolean;
}

/** A note with what a figure was then. */
export function beside<Figures>({ data, isError }: PeriodBefore<Figures>, words: (before: Figures) => string): string {
  if (data) return `${words(data)} in the period before`;
  return isError ? "– in the period before" : "…";
}

function daysOf({ from, to }: Dates): number {
  return (Date.parse(to) - Date.parse(from)) / DAY + 1;
}

function isMonthEnd(day: Date): boolean {
  return day.getUTCDate() === daysIn(day.getUTCFullYear(), day.getUTCMonth());
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

/** Months and days may be out of range: month -1 is December of the year before. */
function dayOf(year: number, month: number, day: number): string {
  return isoDay(new Date(Date.UTC(year, month, day)));
}

function isoDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}
