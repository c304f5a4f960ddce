/** ISO text in the data of a job. */
export type Timestamp = Date | string;

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
const weekday = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeZone: "UTC" });

/** "March 3, 2027" */
export function formatDay(timestamp: Timestamp): string {
  return day.format(new Date(timestamp));
}

/** "Wednesday, March 3, 2027" */
export function formatWeekday(timestamp: Timestamp): string {
  return weekday.format(new Date(timestamp));
}

/** "March 3, 2027 (UTC)" */
export function onDay(timestamp: Timestamp): string {
  return `${formatDay(timestamp)} (UTC)`;
}

/** "March 3, 2027, 14:05 UTC" */
export function atTime(timestamp: Timestamp): string {
  return `${formatDay(timestamp)}, ${new Date(timestamp).toISOString().slice(11, 16)} UTC`;
}
