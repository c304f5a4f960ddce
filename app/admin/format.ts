const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" });
const timestamp = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });
const count = new Intl.NumberFormat("en-US");

/** "2026-11-21T11:00:00.000Z" → "Nov 21, 2026", where the reader is. */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}

/** "2026-11-21T11:00:00.000Z" → "Nov 21, 2026, 11:00 AM", where the reader is. */
export function formatTimestamp(iso: string): string {
  return timestamp.format(new Date(iso));
}

/** 100000 → "100,000" */
export function formatCount(value: number): string {
  return count.format(value);
}

const wholeDollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** 1000 → "$1,000" */
export function formatWholeDollars(amount: number): string {
  return wholeDollars.format(amount);
}

const utc = { timeZone: "UTC" } as const;
const utcDay = new Intl.DateTimeFormat("en-US", { ...utc, dateStyle: "medium" });
const utcMonth = new Intl.DateTimeFormat("en-US", { ...utc, month: "long", year: "numeric" });

/** The period that begins on a day of UTC: "Nov 16, 2026", "Week of Nov 16, 2026" or "November 2026". */
export function formatPeriod(start: string, by: "day" | "week" | "month"): string {
  const date = new Date(`${start}T00:00:00Z`);
  if (by === "month") return utcMonth.format(date);
  return by === "week" ? `Week of ${utcDay.format(date)}` : utcDay.format(date);
}
