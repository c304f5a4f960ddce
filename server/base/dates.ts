import { Temporal } from "temporal-polyfill";

/** A date, or ISO text in the data of a job. */
export type Timestamp = Date | string;

/** Making a formatter takes forty times as long as using it, and most times in a row are of one zone. */
function formatter(style: Intl.DateTimeFormatOptions): (timestamp: Timestamp, timeZone: string) => string {
  let last: { readonly timeZone: string; readonly made: Intl.DateTimeFormat } | undefined;
  return (timestamp, timeZone) => {
    if (last?.timeZone !== timeZone) {
      last = { timeZone, made: new Intl.DateTimeFormat("en-US", { ...style, timeZone }) };
    }
    return last.made.format(new Date(timestamp));
  };
}

/** "March 3, 2027" */
export const formatDay = formatter({ dateStyle: "long" });

/** "Wednesday, March 3, 2027" */
export const formatWeekday = formatter({ dateStyle: "full" });

const formatHour = formatter({ hour: "numeric", minute: "2-digit", timeZoneName: "short" });

/** "March 3, 2027, 2:05 PM EST" */
export function formatTime(timestamp: Timestamp, timeZone: string): string {
  const words = formatHour(timestamp, timeZone);
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
