import { timeForBoth, timeInZone } from "#contract/coaching/times.ts";
import { isBlocked } from "#server/access/access.ts";
import type { Timestamp } from "#server/base/dates.ts";
import { userById } from "#server/identity/users.ts";
import type { CalendarPart } from "#server/mail/mail.ts";
import type { MailContext, StudentEmail } from "#server/mail/student-emails.ts";
import { greeting, type Reader } from "#server/mail/wording.ts";
import { type Entry, invite, organizerOf, uidOf } from "../calendar.ts";
import { findCalendar, type LiveRow } from "../queries.ts";
import { findLive, findSeat, type SeatRow } from "./queries.ts";

/** Not sent once the session has changed. */
export interface AboutLive {
  readonly sessionId: string;
  readonly sequence: number;
  readonly userId: string;
  readonly audience: "student" | "coach";
}

/** A seat has a change counter of its own. */
type AboutSeat = AboutLive & { readonly changes: number };

export interface LiveFacts {
  readonly title: string;
  readonly about: string;
  readonly startsAt: Timestamp;
  readonly coachName: string;
  readonly coachZone: string;
  /** Null until the reader has chosen one. */
  readonly zone: string | null;
  readonly calendar?: CalendarPart | undefined;
}

type Facts = AboutLive & LiveFacts;

/** Goes to students whose tier includes it, and to its coach. */
export const liveScheduledEmail: StudentEmail<AboutLive, LiveFacts> = {
  kind: "live-scheduled",
  prepare: (ctx, about, now, to) =>
    findFacts(ctx, about, now, {
      isCurrent: ({ state }) => state === "scheduled",
      ...(about.audience === "coach" && { invitation: { method: "REQUEST", to } }),
    }),
  write: (reader, facts) => ({
    subject: `Group session: ${facts.title}`,
    calendar: facts.calendar,
    content: {
      heading: facts.audience === "coach" ? "You have a group session" : "The next group session is set",
      paragraphs: [greeting(reader), `${facts.title}, with ${facts.coachName}:`, timeOf(facts), facts.about],
      action: { text: facts.audience === "coach" ? "Open your day" : "Take a seat", url: pageOf(reader, facts) },
      closing: questionsTo(reader),
    },
  }),
};

export const seatTakenEmail: StudentEmail<AboutSeat, LiveFacts> = {
  kind: "live-seat-taken",
  prepare: (ctx, about, now, to) =>
    findFacts(ctx, about, now, {
      isCurrent: ({ state }, seat) => state === "scheduled" && seat?.state === "taken" && isAbout(about, seat),
      ignoresSequence: true,
      invitation: { method: "REQUEST", to },
    }),
  write: (reader, facts) => ({
    subject: `You have a seat: ${facts.title}`,
    calendar: facts.calendar,
    content: {
      heading: "You have a seat",
      paragraphs: [
        greeting(reader),
        `${facts.title}, with ${facts.coachName}:`,
        timeOf(facts),
        "Join from its page, from 15 minutes before the start. If you cannot come, give your seat up there.",
        answerOnPage,
      ],
      action: { text: "Open the session", url: pageOf(reader, facts) },
      closing: questionsTo(reader),
    },
  }),
};

export const seatGivenUpEmail: StudentEmail<AboutSeat & { readonly because: "student" | "access" }, LiveFacts> = {
  kind: "live-seat-given-up",
  prepare: (ctx, about, now, to) =>
    findFacts(ctx, about, now, {
      isCurrent: ({ state }, seat) => state === "scheduled" && seat?.state === "given-up" && isAbout(about, seat),
      ignoresSequence: true,
      invitation: { method: "CANCEL", to },
    }),
  write: (reader, facts) => ({
    subject: `Seat given up: ${facts.title}`,
    calendar: facts.calendar,
    content: {
      heading: "Your seat is given up",
      paragraphs: [
        greeting(reader),
        facts.because === "student"
          ? `You gave up your seat in ${facts.title}: ${timeOf(facts)}.`
          : `Your access changed, so your seat in ${facts.title} is given up: ${timeOf(facts)}.`,
        "It leaves your calendar with this email.",
      ],
      action: { text: "Open your coaching", url: pageOf(reader, facts) },
      closing: questionsTo(reader),
    },
  }),
};

export const liveChangedEmail: StudentEmail<AboutLive & { readonly before: Timestamp }, LiveFacts> = {
  kind: "live-changed",
  prepare: (ctx, about, now, to) =>
    findFacts(ctx, about, now, {
      isCurrent: ({ state }, seat) => state === "scheduled" && isComing(about, seat),
      invitation: { method: "REQUEST", to },
    }),
  write: (reader, facts) => ({
    subject: `Changed: ${facts.title}`,
    calendar: facts.calendar,
    content: {
      heading: "A group session has changed",
      paragraphs: [
        greeting(reader),
        `${facts.title}, with ${facts.coachName}, is now:`,
        timeOf(facts),
        `It was on ${timeOf({ ...facts, startsAt: facts.before })}.`,
        ...(facts.audience === "student" ? ["Your seat is kept. If you cannot come, give it up on the page."] : []),
      ],
      action: { text: "Open the session", url: pageOf(reader, facts) },
      closing: questionsTo(reader),
    },
  }),
};

/** Removes the session from the previous coach's calendar. */
export const liveHandedOverEmail: StudentEmail<
  AboutLive & { readonly before: Timestamp; readonly coachId: string },
  LiveFacts
> = {
  kind: "live-handed-over",
  prepare: (ctx, about, now, to) =>
    findFacts(ctx, about, now, {
      isCurrent: ({ coachId }) => coachId !== about.coachId,
      invitation: { method: "CANCEL", to, startsAt: new Date(about.before) },
    }),
  write: (reader, facts) => ({
    subject: `No longer yours: ${facts.title}`,
    calendar: facts.calendar,
    content: {
      heading: "A group session is no longer yours",
      paragraphs: [
        greeting(reader),
        `${facts.coachName} gives ${facts.title} instead. Your time is free again: ${timeOf({ ...facts, startsAt: facts.before })}.`,
      ],
      action: { text: "Open your day", url: pageOf(reader, facts) },
      closing: questionsTo(reader),
    },
  }),
};

export const liveCancelledEmail: StudentEmail<AboutLive, LiveFacts> = {
  kind: "live-cancelled",
  prepare: (ctx, about, now, to) =>
    findFacts(ctx, about, now, {
      isCurrent: ({ state }, seat) => state === "cancelled" && isComing(about, seat),
      invitation: { method: "CANCEL", to },
    }),
  write: (reader, facts) => ({
    subject: `Cancelled: ${facts.title}`,
    calendar: facts.calendar,
    content: {
      heading: "A group session is cancelled",
      paragraphs: [
        greeting(reader),
        `${facts.title}, with ${facts.coachName}, does not take place: ${timeOf(facts)}.`,
        ...(facts.audience === "student" ? ["We write to you when the next one is set."] : []),
      ],
      action: { text: "Open your coaching", url: pageOf(reader, facts) },
      closing: questionsTo(reader),
    },
  }),
};

export const liveReminderEmail: StudentEmail<AboutLive & { readonly hours: number }, LiveFacts> = {
  kind: "live-reminder",
  prepare: async (ctx, about, now) => {
    if (about.audience === "student" && isBlocked((await userById(ctx.db, about.userId)).accountStatus)) return null;
    return findFacts(ctx, about, now, {
      isCurrent: ({ state }, seat) => state !== "cancelled" && isComing(about, seat),
    });
  },
  sendBefore: ({ startsAt }) => new Date(startsAt),
  write: (reader, facts) => ({
    subject: `Reminder: ${facts.title}`,
    content: {
      heading: facts.hours === 1 ? "A group session is about to begin" : "A group session is a day away",
      paragraphs: [
        greeting(reader),
        `${facts.title}, with ${facts.coachName}:`,
        timeOf(facts),
        "Join from its page, from 15 minutes before the start.",
      ],
      action: { text: "Open the session", url: pageOf(reader, facts) },
      closing: questionsTo(reader),
    },
  }),
};

export const liveRecordedEmail: StudentEmail<AboutLive, LiveFacts> = {
  kind: "live-recorded",
  prepare: (ctx, about, now) =>
    findFacts(ctx, about, now, {
      isCurrent: ({ recordingVideoId }) => recordingVideoId !== null,
      ignoresSequence: true,
    }),
  write: (reader, facts) => ({
    subject: `Recording: ${facts.title}`,
    content: {
      heading: "The recording is ready",
      paragraphs: [greeting(reader), `You can watch ${facts.title}, with ${facts.coachName}, of ${timeOf(facts)}.`],
      action: { text: "Watch the recording", url: pageOf(reader, facts) },
      closing: questionsTo(reader),
    },
  }),
};

const answerOnPage = "Nobody reads what a calendar program answers to this email.";

/** The seat's changes count for the entry's sequence too. */
export function liveEntryOf(
  publicUrl: string,
  { id, sequence, startsAt, endsAt, title, state }: LiveRow,
  reader: { readonly audience: "student" | "coach"; readonly seat?: SeatRow | null },
): Entry {
  return {
    uid: uidOf("live", id, publicUrl),
    sequence: sequence + (reader.seat?.changes ?? 0),
    startsAt,
    endsAt,
    title,
    url: `${publicUrl}/${reader.audience === "coach" ? "coach" : "coaching"}`,
    isCancelled: state === "cancelled",
  };
}

function isComing({ audience }: AboutLive, seat: SeatRow | null): boolean {
  return audience === "coach" || seat?.state === "taken";
}

function isAbout({ changes }: AboutSeat, seat: SeatRow): boolean {
  return seat.changes === changes;
}

async function findFacts(
  ctx: MailContext,
  { sessionId, sequence, userId, audience }: AboutLive,
  now: Date,
  wanted: {
    readonly isCurrent: (session: LiveRow, seat: SeatRow | null) => boolean;
    readonly ignoresSequence?: boolean;
    readonly invitation?: {
      readonly method: "REQUEST" | "CANCEL";
      readonly to: string;
      /** Set when the entry's start is no longer the session's. */
      readonly startsAt?: Date;
    };
  },
): Promise<LiveFacts | null> {
  const found = await findLive(ctx.db, sessionId);
  const seat = audience === "student" ? await findSeat(ctx.db, sessionId, userId) : null;
  if (!found || !wanted.isCurrent(found.session, seat)) return null;
  const { session, coach } = found;
  if (session.sequence !== sequence && !wanted.ignoresSequence) return null;
  const { title, about, startsAt } = session;
  const zone = audience === "coach" ? coach.timeZone : ((await findCalendar(ctx.db, userId))?.timeZone ?? null);
  const facts = { title, about, startsAt, coachName: coach.displayName, coachZone: coach.timeZone, zone };
  if (!wanted.invitation) return facts;
  const { method, to, startsAt: start = startsAt } = wanted.invitation;
  const entry = {
    ...liveEntryOf(ctx.site.publicUrl, session, { audience, seat }),
    startsAt: start,
    endsAt: new Date(start.getTime() + session.endsAt.getTime() - startsAt.getTime()),
    isCancelled: method === "CANCEL",
  };
  const calendar = await invite(entry, { method, organizer: await organizerOf(ctx), attendee: to }, now);
  return { ...facts, calendar };
}

/** Uses the coach's time zone for readers who have chosen none. */
function timeOf({ startsAt, zone, coachName, coachZone, audience }: Facts): string {
  if (audience === "coach" || zone === null) return timeInZone(startsAt, coachZone);
  return timeForBoth(startsAt, zone, { name: coachName, timeZone: coachZone });
}

function pageOf({ publicUrl }: Reader, { audience }: Facts): string {
  return `${publicUrl}/${audience === "coach" ? "coach" : "coaching"}`;
}

function questionsTo({ academy }: Reader): string {
  return `Questions? Write to ${academy.supportEmail}.`;
}
