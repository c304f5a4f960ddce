import ICAL from "ical.js";
import { convertIcsCalendar } from "ts-ics";
import type { RunningAcademy } from "./academy.ts";
import { until } from "./until.ts";

/** The single entry of an email, as a reader parses it. */
interface Entry {
  readonly method: string | undefined;
  readonly uid: string;
  readonly sequence: number;
  readonly status: string | undefined;
  readonly title: string;
  readonly startsAt: string;
  readonly attendees: readonly { readonly to: string; readonly partstat: unknown; readonly rsvp: boolean }[];
}

/** Two parsers that share no code with each other, or with our generator. */
export const readers = {
  "ical.js"(content: string): Entry {
    const calendar = new ICAL.Component(ICAL.parse(content) as unknown[] as never);
    const event = calendar.getFirstSubcomponent("vevent");
    if (!event) throw new Error("no entry");
    const textOf = (name: string) => String(event.getFirstPropertyValue(name));
    return {
      method: String(calendar.getFirstPropertyValue("method")),
      uid: textOf("uid"),
      sequence: Number(event.getFirstPropertyValue("sequence")),
      status: textOf("status"),
      title: textOf("summary"),
      startsAt: (event.getFirstPropertyValue("dtstart") as unknown as { toJSDate(): Date }).toJSDate().toISOString(),
      attendees: event.getAllProperties("attendee").map((attendee) => ({
        to: String(attendee.getFirstValue()).replace(/^mailto:/i, ""),
        partstat: attendee.getParameter("partstat"),
        rsvp: attendee.getParameter("rsvp") === "TRUE",
      })),
    };
  },
  "ts-ics"(content: string): Entry {
    const { method, events = [] } = convertIcsCalendar(undefined, content);
    const [event] = events;
    if (!event) throw new Error("no entry");
    return {
      method,
      uid: event.uid,
      sequence: event.sequence ?? 0,
      status: event.status,
      title: event.summary,
      startsAt: event.start.date.toISOString(),
      attendees: (event.attendees ?? []).map(({ email, partstat, rsvp }) => ({
        to: email,
        partstat,
        rsvp: rsvp === true,
      })),
    };
  },
} as const;

/** A user's calendar after these emails, in order: later sequences replace or remove entries. */
export function calendarAfter(read: (content: string) => Entry, emails: readonly string[]): Entry[] {
  const calendar = new Map<string, Entry>();
  const latest = new Map<string, number>();
  for (const content of emails) {
    const entry = read(content);
    if (entry.sequence < (latest.get(entry.uid) ?? 0)) continue;
    latest.set(entry.uid, entry.sequence);
    if (entry.method === "CANCEL") calendar.delete(entry.uid);
    else calendar.set(entry.uid, entry);
  }
  return [...calendar.values()];
}

/** A user's current calendar, by each reader. */
async function calendarsOf(academy: RunningAcademy, email: string): Promise<Entry[][]> {
  const entries = (await academy.mails(email)).flatMap(({ calendar }) => calendar ?? []).reverse();
  return Object.values(readers).map((read) => calendarAfter(read, entries));
}

/** Waits until both readers have `count` entries of a user. Returns the start of the first one. */
export async function untilCalendarsHave(
  academy: RunningAcademy,
  { email }: { readonly email: string },
  count: number,
): Promise<string | undefined> {
  const calendars = await until(async () => {
    const all = await calendarsOf(academy, email);
    return all.every((calendar) => calendar.length === count) && all;
  });
  return calendars[0]?.[0]?.startsAt;
}
