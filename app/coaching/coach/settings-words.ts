import type { CoachSettings } from "#contract/coaching/coach.ts";

export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/** The settings as their form calls them, a day of the week or of the calendar at a time. */
export function settingsInWords({ displayName, timeZone, meetingUrl, hours, days }: CoachSettings): object {
  const week = weekdays.map((name, at) => [name, stretches(hours.filter(({ weekday }) => weekday === at + 1))]);
  const dates = days.map((day) => [day.date, day.fromTime === null ? "off" : stretches([day])]);
  return {
    ...{ name: displayName, timeZone, room: meetingUrl },
    ...Object.fromEntries([...week, ...dates]),
  };
}

/** "09:00 to 12:00, 14:00 to 16:00"; null for none. */
function stretches(of: readonly { fromTime: string | null; toTime: string | null }[]): string | null {
  return of.map(({ fromTime, toTime }) => `${fromTime} to ${toTime}`).join(", ") || null;
}
