import { Temporal } from "temporal-polyfill";

/** A date, or ISO text in the data of a job. */
export type Timestamp = Date | string;

/** "March 3, 2027" */
export function formatDay(timestamp: Timestamp, timeZone: string): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone }).format(new Date(timestamp));
}

/** "Wednesday, March 3, 2027" */
export function formatWeekday(timestamp: Timestamp, timeZone: string): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone }).format(new Date(timestamp));
}

/** "March 3, 2027, 2:05 PM EST" */
export function formatTime(timestamp: Timestamp, timeZone: string): string {
  const time = { hour: "numeric", minute: "2-digit", timeZoneName: "short", timeZone } as const;
  const words = new Intl.DateTimeFormat("en-US", time).format(new Date(timestamp));
  // Mail programs and searches do not expect the narrow space before PM.
  return `${formatDay(timestamp, timeZone)}, ${words.replace("\u202f", " ")}`;
}

/** The calendar date in a time zone at a timestamp. */
export function dateIn(timeZone: string, timestamp: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(timestamp.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
}

/**
 * When clocks in a time zone show a time such as 09:00 on a date. Where a clock change skips it, as much later as is
 * skipped; where it comes twice, the first one.
 */
export function instantOf(timeZone: string, date: string, time: string): Date {
  return new Date(Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone).epochMilliseconds);
}

/** The first instant of a date such as 2026-01-31 in a time zone: midnight, or later where a clock change skips it. */
export function startOfDate(timeZone: string, date: Temporal.PlainDate | string): Date {
  return new Date(Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds);
}
