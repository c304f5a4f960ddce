const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long" });

/** "2026-11-21T11:00:00.000Z" → "November 21, 2026", where the reader is. */
export function formatDay(iso: string): string {
  return day.format(new Date(iso));
}
