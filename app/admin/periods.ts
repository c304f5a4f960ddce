import type { Period } from "#contract/admin/statistics.ts";

export interface Dates {
  readonly from: string;
  readonly to: string;
}

interface Preset extends Dates {
  readonly label: string;
  readonly by: Period;
}

const DAY = 86_400_000;

/** The day in a time zone, such as 2026-11-29. */
export function dayAt(now: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(now);
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

/** As many days right before these, or as many months for dates that begin with a month. */
function datesBefore({ from, to }: Dates): Dates {
  const [start, end] = [new Date(from), new Date(to)];
  if (start.getUTCDate() !== 1) {
    const length = end.getTime() - start.getTime() + DAY;
    return { from: isoDay(new Date(start.getTime() - length)), to: isoDay(new Date(start.getTime() - DAY)) };
  }
  const [year, last] = [end.getUTCFullYear(), end.getUTCMonth()];
  const months = (year - start.getUTCFullYear()) * 12 + last - start.getUTCMonth() + 1;
  const isWhole = end.getUTCDate() === daysIn(year, last);
  const lastDay = daysIn(year, last - months);
  return {
    from: dayOf(year, last - 2 * months + 1, 1),
    to: dayOf(year, last - months, isWhole ? lastDay : Math.min(end.getUTCDate(), lastDay)),
  };
}

/** The query of the period before what the server has shown. */
export function queryBefore(shown: Dates & { readonly by: Period }) {
  return { query: { by: shown.by, ...datesBefore(shown) } };
}

/** A note with what a figure was then. `before` is undefined until it is loaded. */
export function beside<Before>(before: Before | undefined, words: (before: Before) => string): string {
  return before ? `${words(before)} in the period before` : "…";
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
