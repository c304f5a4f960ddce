import type { CalendarPart } from "#server/mail/mail.ts";
import { type Asking, describeAcademy } from "#server/settings/settings.ts";

/** An event. Its text has only the title and the URL of its page. */
export interface Entry {
  /** Never changes. */
  readonly uid: string;
  readonly sequence: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly title: string;
  readonly url: string;
  readonly isCancelled: boolean;
}

export function uidOf(kind: "booking" | "live", id: string, publicUrl: string): string {
  return `${kind}-${id}@${new URL(publicUrl).hostname}`;
}

/** Only in emails: in a feed, calendars would ask the owner to accept it. */
interface Invitation {
  /** Adds the entry to the reader's calendar, or removes it. */
  readonly method: "REQUEST" | "CANCEL";
  /** Set when the entry's start is no longer the session's. */
  readonly startsAt?: Date | undefined;
  readonly to: string;
}

export async function invite(ctx: Asking, entry: Entry, of: Invitation, now: Date): Promise<CalendarPart> {
  const { method, startsAt = entry.startsAt, to } = of;
  const endsAt = new Date(startsAt.getTime() + entry.endsAt.getTime() - entry.startsAt.getTime());
  const { name, supportEmail } = await describeAcademy(ctx);
  const content = await write([{ ...entry, startsAt, endsAt, isCancelled: method === "CANCEL" }], method, now, {
    organizer: { name, email: supportEmail },
    attendees: [
      {
        email: to,
        // Accepted already, because nobody reads replies: sessions are moved and cancelled on the page.
        status: "ACCEPTED" as const,
        rsvp: false,
        role: "REQ-PARTICIPANT" as const,
        type: "INDIVIDUAL" as const,
      },
    ],
  });
  return { method, content };
}

/** @param owner the academy's name */
export function publish(entries: readonly Entry[], owner: string, now: Date): Promise<string> {
  return write(entries, "PUBLISH", now, { name: `${owner} coaching` });
}

async function write(
  entries: readonly Entry[],
  method: "REQUEST" | "CANCEL" | "PUBLISH",
  now: Date,
  people: object,
): Promise<string> {
  // Loaded lazily: an academy without coaching never needs it.
  const { default: ical, ICalCalendarMethod, ICalEventStatus } = await import("ical-generator");
  const calendar = ical({
    // A constant, without the academy's name, because the library does not escape it.
    prodId: { company: "Course platform", product: "coaching", language: "EN" },
    method: ICalCalendarMethod[method],
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
