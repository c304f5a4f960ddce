const long = dateFormat({ dateStyle: "long" });
const medium = dateFormat({ dateStyle: "medium" });
const timestamp = dateFormat({ dateStyle: "medium", timeStyle: "short" });
const utcDay = dateFormat({ timeZone: "UTC", dateStyle: "medium" });
const utcMonth = dateFormat({ timeZone: "UTC", month: "long", year: "numeric" });

/** "2026-11-21T11:00:00.000Z" → "November 21, 2026", in the browser's time zone or the given one. */
export function formatDay(iso: string, timeZone?: string): string {
  if (timeZone) return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone }).format(new Date(iso));
  return long(new Date(iso));
}

/** "Opens September 25", in the browser's time zone or the given one, with the year unless it is this one. */
export function formatOpening(iso: string, timeZone?: string): string {
  const date = new Date(iso);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return `Opens ${new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", year, timeZone }).format(date)}`;
}

/** The short form: "Nov 21, 2026". */
export function formatShortDay(iso: string): string {
  return medium(new Date(iso));
}

/** "2026-11-21T11:00:00.000Z" → "Nov 21, 2026, 11:00 AM", in the browser's time zone. */
export function formatTimestamp(iso: string): string {
  return timestamp(new Date(iso));
}

/** A period by its first day in UTC: "Nov 16, 2026", "Week of Nov 16, 2026" or "November 2026". */
export function formatPeriod(start: string, by: "day" | "week" | "month"): string {
  const date = new Date(`${start}T00:00:00Z`);
  if (by === "month") return utcMonth(date);
  return by === "week" ? `Week of ${utcDay(date)}` : utcDay(date);
}

/** Creates formats lazily, because that is slow. */
function dateFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (date) => {
    format ??= new Intl.DateTimeFormat("en-US", options);
    return format.format(date);
  };
}
