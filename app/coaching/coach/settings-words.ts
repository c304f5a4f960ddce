import type { CoachSettings } from "#contract/coaching/coach.ts";

export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/** The settings under the form's labels, one entry per weekday and date, to be compared field by field. */
export function settingsInWords({ displayName, timeZone, meetingUrl, hours, days }: CoachSettings): object {
  const week = weekdays.map((name, at) => [name, stretches(hours.filter(({ weekday }) => weekday === at + 1))]);
  const dates = days.map((day) => [day.date, day.fromTime === null ? "off" : stretches([day])]);
  return {
    ...{ name: displayName, timeZone, room: meetingUrl },
    ...Object.fromEntries([...week, ...dates]),
  };
}

/** "09:00 to 12:00, 14:00 to 16:00". Null without any. */
function stretches(of: readonly { fromTime: string | null; toTime: string | null }[]): string | null {
  return of.map(({ fromTime, toTime }) => `${fromTime} to ${toTime}`).join(", ") || null;
}
