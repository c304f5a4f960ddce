import { timeForBoth, timeInZone } from "#contract/coaching/times.ts";
import { isBlocked } from "#server/access/access.ts";
import type { Timestamp } from "#server/base/dates.ts";
import { userById } from "#server/identity/users.ts";
import type { CalendarPart } from "#server/mail/mail.ts";
import type { MailContext, StudentEmail } from "#server/mail/student-emails.ts";
import { type Entry, invite, uidOf } from "../calendar.ts";
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
export const liveScheduledEmail: StudentEmail<AboutLive, LiveFacts, "live-scheduled"> = {
  kind: "live-scheduled",
  prepare: findFacts({ isCurrent: ({ state }) => state === "scheduled", invitation: "REQUEST", invites: "coach" }),
  write: (facts, _reader, say) => ({
    subject: say("subject", { title: facts.title }),
    heading: facts.audience === "coach" ? "You have a group session" : say("heading"),
    paragraphs: [say("session", sessionOf(facts)), timeOf(facts), facts.about],
    link: [facts.audience === "coach" ? "Open your day" : "Take a seat", pageOf(facts)],
  }),
};

export const seatTakenEmail: StudentEmail<AboutSeat, LiveFacts, "live-seat-taken"> = {
  kind: "live-seat-taken",
  prepare: findFacts({
    isCurrent: ({ state }, seat, { changes }) =>
      state === "scheduled" && seat?.state === "taken" && seat.changes === changes,
    ignoresSequence: true,
    invitation: "REQUEST",
  }),
  write: (facts, _reader, say) => ({
    subject: say("subject", { title: facts.title }),
    heading: say("heading"),
    paragraphs: [say("session", sessionOf(facts)), timeOf(facts), say("join"), say("calendar")],
    link: ["Open the session", pageOf(facts)],
  }),
};

export const seatGivenUpEmail: StudentEmail<
  AboutSeat & { readonly because: "student" | "access" },
  LiveFacts,
  "live-seat-given-up"
> = {
  kind: "live-seat-given-up",
  prepare: findFacts({
    isCurrent: ({ state }, seat, { changes }) =>
      state === "scheduled" && seat?.state === "given-up" && seat.changes === changes,
    ignoresSequence: true,
    invitation: "CANCEL",
  }),
  write: (facts, _reader, say) => ({
    subject: say("subject", { title: facts.title }),
    heading: say("heading"),
    paragraphs: [
      say(facts.because === "student" ? "gaveUp" : "lost", { title: facts.title }),
      timeOf(facts),
      say("calendar"),
    ],
    link: ["Open your coaching", pageOf(facts)],
  }),
};

export const liveChangedEmail: StudentEmail<AboutLive & { readonly before: Timestamp }, LiveFacts, "live-changed"> = {
  kind: "live-changed",
  prepare: findFacts({
    isCurrent: ({ state }, seat, about) => state === "scheduled" && isComing(about, seat),
    invitation: "REQUEST",
  }),
  write: (facts, _reader, say) => ({
    subject: say("subject", { title: facts.title }),
    heading: say("heading"),
    paragraphs: [
      say("session", sessionOf(facts)),
      timeOf(facts),
      say("before", { earlierTime: timeOf({ ...facts, startsAt: facts.before }) }),
      facts.audience === "student" && say("seat"),
    ],
    link: ["Open the session", pageOf(facts)],
  }),
};

/** Removes the session from the previous coach's calendar. */
export const liveHandedOverEmail: StudentEmail<
  AboutLive & { readonly before: Timestamp; readonly coachId: string },
  LiveFacts
> = {
  kind: "live-handed-over",
  prepare: findFacts({
    isCurrent: ({ coachId }, _seat, about) => coachId !== about.coachId,
    invitation: "CANCEL",
    startsAt: ({ before }) => new Date(before),
  }),
  write: (facts) => ({
    subject: `Moved to another coach: ${facts.title}`,
    heading: "A group session moved to another coach",
    paragraphs: [
      `${facts.coachName} now leads ${facts.title}, so you're free again at this time: ${timeOf({ ...facts, startsAt: facts.before })}.`,
    ],
    link: ["Open your day", pageOf(facts)],
  }),
};

export const liveCancelledEmail: StudentEmail<AboutLive, LiveFacts, "live-cancelled"> = {
  kind: "live-cancelled",
  prepare: findFacts({
    isCurrent: ({ state }, seat, about) => state === "cancelled" && isComing(about, seat),
    invitation: "CANCEL",
  }),
  write: (facts, _reader, say) => ({
    subject: say("subject", { title: facts.title }),
    heading: say("heading"),
    paragraphs: [say("session", sessionOf(facts)), timeOf(facts), facts.audience === "student" && say("another")],
    link: ["Open your coaching", pageOf(facts)],
  }),
};

export const liveReminderEmail: StudentEmail<AboutLive & { readonly hours: number }, LiveFacts, "live-reminder"> = {
  kind: "live-reminder",
  prepare: findFacts({
    isCurrent: ({ state }, seat, about) => state !== "cancelled" && isComing(about, seat),
    needsOpenAccount: true,
  }),
  sendBefore: ({ startsAt }) => new Date(startsAt),
  write: (facts, _reader, say) => ({
    subject: say("subject", { title: facts.title }),
    heading: say(facts.hours === 1 ? "headingHour" : "heading"),
    paragraphs: [say("session", sessionOf(facts)), timeOf(facts), say("join")],
    link: ["Open the session", pageOf(facts)],
  }),
};

export const liveRecordedEmail: StudentEmail<AboutLive, LiveFacts, "live-recorded"> = {
  kind: "live-recorded",
  prepare: findFacts({ isCurrent: ({ recordingVideoId }) => recordingVideoId !== null, ignoresSequence: true }),
  write: (facts, _reader, say) => ({
    subject: say("subject", { title: facts.title }),
    heading: say("heading"),
    paragraphs: [say("ready", { ...sessionOf(facts), time: timeOf(facts) })],
    link: ["Watch the recording", pageOf(facts)],
  }),
};

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
    url: `${publicUrl}${pageOf(reader)}`,
    isCancelled: state === "cancelled",
  };
}

function isComing({ audience }: AboutLive, seat: SeatRow | null): boolean {
  return audience === "coach" || seat?.state === "taken";
}

/** For the moment of sending. Null when the session or the seat has changed since. */
function findFacts<About extends AboutLive>(wanted: {
  readonly isCurrent: (session: LiveRow, seat: SeatRow | null, about: About) => boolean;
  readonly ignoresSequence?: boolean;
  readonly needsOpenAccount?: boolean;
  readonly invitation?: "REQUEST" | "CANCEL";
  readonly invites?: "coach";
  /** Set when the entry's start is no longer the session's. */
  readonly startsAt?: (about: About) => Date;
}) {
  return async (ctx: MailContext, facts: About, now: Date, to: string): Promise<LiveFacts | null> => {
    const { sessionId, sequence, userId, audience } = facts;
    const isStudent = audience === "student";
    if (wanted.needsOpenAccount && isStudent && isBlocked((await userById(ctx.db, userId)).accountStatus)) return null;
    const found = await findLive(ctx.db, sessionId);
    const seat = isStudent ? await findSeat(ctx.db, sessionId, userId) : null;
    if (!found || !wanted.isCurrent(found.session, seat, facts)) return null;
    const { session, coach } = found;
    if (session.sequence !== sequence && !wanted.ignoresSequence) return null;
    const { title, about, startsAt } = session;
    const zone = isStudent ? ((await findCalendar(ctx.db, userId))?.timeZone ?? null) : coach.timeZone;
    const known = { title, about, startsAt, coachName: coach.displayName, coachZone: coach.timeZone, zone };
    const method = wanted.invitation;
    if (!method || (wanted.invites === "coach" && isStudent)) return known;
    const entry = liveEntryOf(ctx.site.publicUrl, session, { audience, seat });
    const calendar = await invite(ctx, entry, { method, startsAt: wanted.startsAt?.(facts), to }, now);
    return { ...known, calendar };
  };
}

function sessionOf({ title, coachName: coach }: Facts) {
  return { title, coach };
}

/** Uses the coach's time zone for readers who have chosen none. */
function timeOf({ startsAt, zone, coachName, coachZone, audience }: Facts): string {
  if (audience === "coach" || zone === null) return timeInZone(startsAt, coachZone);
  return timeForBoth(startsAt, zone, { name: coachName, timeZone: coachZone });
}

function pageOf({ audience }: Pick<AboutLive, "audience">): string {
  return audience === "coach" ? "/coach" : "/coaching";
}
