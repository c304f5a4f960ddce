/** A date, or ISO text in the data of a job. */
export type Timestamp = Date | string;

/** Creates the formatter on first use, as each takes 20 ms. */
function inWords(dateStyle: "long" | "full"): (timestamp: Timestamp) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (timestamp) => {
    format ??= new Intl.DateTimeFormat("en-US", { dateStyle, timeZone: "UTC" });
    return format.format(new Date(timestamp));
  };
}

/** "March 3, 2027" */
export const formatDay = inWords("long");

/** "Wednesday, March 3, 2027" */
export const formatWeekday = inWords("full");

/** "March 3, 2027 (UTC)" */
export function onDay(timestamp: Timestamp): string {
  return `${formatDay(timestamp)} (UTC)`;
}

/** "March 3, 2027, 14:05 UTC" */
export function atTime(timestamp: Timestamp): string {
  return `${formatDay(timestamp)}, ${new Date(timestamp).toISOString().slice(11, 16)} UTC`;
}
