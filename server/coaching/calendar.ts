import { siteName } from "#content/site.ts";
import type { CalendarPart } from "#server/mail/mail.ts";

/** A date in somebody's calendar. Its text says no more than the title and the way to its page. */
export interface Entry {
  /** The same for life, whatever else of it changes. */
  readonly uid: string;
  readonly sequence: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly title: string;
  readonly url: string;
  readonly isCancelled: boolean;
}

/** Who invites, and whom; an entry in a feed has neither, since calendars would ask the owner for an answer. */
interface Invitation {
  readonly method: "REQUEST" | "CANCEL";
  readonly organizer: string;
  readonly attendee: string;
}

/** `server` is ours, and stands in the name of the entry. */
export function uidOf(kind: "booking" | "live", id: string, publicUrl: string): string {
  return `${kind}-${id}@${new URL(publicUrl).hostname}`;
}

/** An email's part by which calendars put the entry in, move it or take it out. */
export async function invite(entry: Entry, invitation: Invitation, now: Date): Promise<CalendarPart> {
  const content = await write([entry], invitation.method, now, {
    organizer: { name: siteName, email: invitation.organizer },
    attendees: [
      {
        email: invitation.attendee,
        // Nobody reads what calendars answer: the page is where a session is moved and cancelled.
        status: "ACCEPTED" as const,
        rsvp: false,
        role: "REQ-PARTICIPANT" as const,
        type: "INDIVIDUAL" as const,
      },
    ],
  });
  return { method: invitation.method, content };
}

/** A calendar to read, which is what a feed and a downloaded file are. */
export function publish(entries: readonly Entry[], now: Date): Promise<string> {
  return write(entries, "PUBLISH", now, {});
}

async function write(
  entries: readonly Entry[],
  method: "REQUEST" | "CANCEL" | "PUBLISH",
  now: Date,
  people: object,
): Promise<string> {
  // With the first entry: an academy without coaching never loads it.
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import("ical-generator");
  const calendar = ical({
    prodId: { company: siteName, product: "coaching", language: "EN" },
    method: ICalCalendarMethod[method],
    ...(method === "PUBLISH" && { name: `${siteName} coaching` }),
  });
  for (const { uid: id, sequence, startsAt: start, endsAt: end, title, url, isCancelled } of entries) {
    const status = isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED;
    calendar.createEvent({
      id,
      sequence,
      stamp: now,
      start,
      end,
      summary: title,
      description: url,
      url,
      status,
      ...people,
    });
  }
  return calendar.toString();
}

/** Links that put the entry into a calendar on the web. */
export function calendarLinks({ startsAt, endsAt, title, url }: Entry): { googleUrl: string; outlookUrl: string } {
  const compact = (date: Date) => date.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const google = new URLSearchParams({
    action: "TEMPLATE",
    text: title,
    dates: `${compact(startsAt)}/${compact(endsAt)}`,
    details: url,
  });
  const outlook = new URLSearchParams({
    path: "/calendar/action/compose",
    rru: "addevent",
    subject: title,
    startdt: startsAt.toISOString(),
    enddt: endsAt.toISOString(),
    body: url,
  });
  return {
    googleUrl: `https://calendar.google.com/calendar/render?${google}`,
    outlookUrl: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`,
  };
}
