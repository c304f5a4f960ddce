import { timeForBoth } from "#contract/coaching/times.ts";
import { isBlocked } from "#server/access/access.ts";
import type { Timestamp } from "#server/base/dates.ts";
import { userById } from "#server/identity/users.ts";
import type { MailContext, StudentEmail } from "#server/mail/student-emails.ts";
import { greeting, type Reader } from "#server/mail/wording.ts";
import { findCalendar, type LiveRow } from "../queries.ts";
import { findLive, findSeat } from "./queries.ts";

/** Which state of a live session an email is about; a later state sends nothing. */
export interface AboutLive {
  readonly sessionId: string;
  readonly sequence: number;
  readonly userId: string;
  readonly audience: "student" | "coach";
}

export interface LiveFacts {
  readonly title: string;
  readonly about: string;
  readonly startsAt: Timestamp;
  readonly coachName: string;
  readonly coachZone: string;
  /** The reader's. */
  readonly zone: string;
}

type Facts = AboutLive & LiveFacts;

export const liveScheduledEmail: StudentEmail<AboutLive, LiveFacts> = {
  kind: "live-scheduled",
  prepare: (ctx, about) => findFacts(ctx, about, ({ state }) => state === "scheduled"),
  write: (reader, facts) => ({
    subject: `Group session: ${facts.title}`,
    content: {
      heading: "The next group session is set",
      paragraphs: [greeting(reader), `${facts.title}, with ${facts.coachName}:`, timeOf(facts), facts.about],
      action: { text: "Take a seat", url: pageOf(reader, facts) },
      closing: questionsTo(reader),
    },
  }),
};

export const liveChangedEmail: StudentEmail<AboutLive & { readonly before: Timestamp }, LiveFacts> = {
  kind: "live-changed",
  prepare: (ctx, about) => findFacts(ctx, about, ({ state }) => state === "scheduled"),
  write: (reader, facts) => ({
    subject: `Changed: ${facts.title}`,
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

export const liveCancelledEmail: StudentEmail<AboutLive, LiveFacts> = {
  kind: "live-cancelled",
  prepare: (ctx, about) => findFacts(ctx, about, ({ state }) => state === "cancelled"),
  write: (reader, facts) => ({
    subject: `Cancelled: ${facts.title}`,
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
  prepare: async (ctx, about) => {
    if (about.audience === "student") {
      const seat = await findSeat(ctx.db, about.sessionId, about.userId);
      const { accountStatus } = await userById(ctx.db, about.userId);
      if (seat?.state !== "taken" || isBlocked(accountStatus)) return null;
    }
    return findFacts(ctx, about, ({ state }) => state !== "cancelled");
  },
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
  prepare: (ctx, about) => findFacts(ctx, about, ({ recordingVideoId }) => recordingVideoId !== null, true),
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

async function findFacts(
  ctx: MailContext,
  { sessionId, sequence, userId, audience }: AboutLive,
  isCurrent: (session: LiveRow) => boolean,
  ignoresSequence = false,
): Promise<LiveFacts | null> {
  const found = await findLive(ctx.db, sessionId);
  if (!found || !isCurrent(found.session)) return null;
  const { session, coach } = found;
  if (session.sequence !== sequence && !ignoresSequence) return null;
  const { title, about, startsAt } = session;
  const zone = audience === "coach" ? coach.timeZone : ((await findCalendar(ctx.db, userId))?.timeZone ?? "UTC");
  return { title, about, startsAt, coachName: coach.displayName, coachZone: coach.timeZone, zone };
}

function timeOf({ startsAt, zone, coachName, coachZone, audience }: Facts): string {
  if (audience === "coach") return timeForBoth(startsAt, coachZone, { name: "everybody", timeZone: "UTC" });
  return timeForBoth(startsAt, zone, { name: coachName, timeZone: coachZone });
}

function pageOf({ publicUrl }: Reader, { audience }: Facts): string {
  return `${publicUrl}/${audience === "coach" ? "coach" : "coaching"}`;
}

function questionsTo({ supportEmail }: Reader): string {
  return `Questions? Write to ${supportEmail}.`;
}
