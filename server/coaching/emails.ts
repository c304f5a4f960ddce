import { href } from "#contract/addresses.ts";
import { timeForBoth } from "#contract/coaching/times.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import type { Link } from "#server/mail/wording.ts";
import { type AboutBooking, findSession, type SessionFacts } from "./session-facts.ts";

export const bookedEmail: StudentEmail<AboutBooking, SessionFacts> = {
  kind: "coaching-booked",
  prepare: findSession({ method: "REQUEST", isCurrent: ({ state }) => state === "booked" }),
  write: (facts) => ({
    subject: `Booked: ${titleFor(facts)} on ${shortDay(facts)}`,
    heading: "Your session is booked",
    paragraphs: [
      `${titleFor(facts)}, ${facts.minutes} minutes:`,
      timeOf(facts),
      facts.audience === "student"
        ? "Join from the session page, starting 15 minutes before. You can move or cancel it there for free until 24 hours before it starts."
        : facts.hasPrep
          ? "The session page shows what your student wants to talk about."
          : "Your student hasn't said what they want to talk about yet.",
      answerOnPage,
    ],
    link: pageOf(facts),
  }),
};

export const movedEmail: StudentEmail<AboutBooking & { readonly before: Timestamp }, SessionFacts> = {
  kind: "coaching-moved",
  prepare: findSession({ method: "REQUEST", isCurrent: ({ state }) => state === "booked" }),
  write: (facts) => ({
    subject: `Moved: ${titleFor(facts)} is now on ${shortDay(facts)}`,
    heading: "Your session has moved",
    paragraphs: [
      `${titleFor(facts)}, ${facts.minutes} minutes, is now:`,
      timeOf(facts),
      `It was on ${timeOf({ ...facts, startsAt: facts.before })}.`,
      answerOnPage,
    ],
    link: pageOf(facts),
  }),
};

export const sessionCancelledEmail: StudentEmail<AboutBooking, SessionFacts> = {
  kind: "coaching-cancelled",
  prepare: findSession({ method: "CANCEL", isCurrent: ({ state }) => state === "cancelled" }),
  write: (facts) => ({
    subject: `Cancelled: ${titleFor(facts)} on ${shortDay(facts)}`,
    heading: "Your session is cancelled",
    paragraphs: [
      `${titleFor(facts)}:`,
      timeOf(facts),
      whoCancelled(facts),
      facts.audience === "student" && costOf(facts),
    ],
    link: facts.audience === "student" ? ["Open your coaching", href.coaching()] : ["Open your day", href.coach()],
  }),
};

/** Removes the session from the calendar of a coach whose session went to another one. */
export const handedOverEmail: StudentEmail<
  AboutBooking & { readonly before: Timestamp; readonly coachId: string },
  SessionFacts
> = {
  kind: "coaching-handed-over",
  prepare: findSession({
    method: "CANCEL",
    isCurrent: ({ coachId }, about) => coachId !== about.coachId,
    startsAt: ({ before }) => new Date(before),
  }),
  write: (facts) => ({
    subject: `Moved to another coach: session with ${facts.studentName}`,
    heading: "A session moved to another coach",
    paragraphs: [
      `${facts.studentName} moved the session to another coach, so you're free again at this time: ${timeOf({ ...facts, startsAt: facts.before })}.`,
    ],
    link: ["Open your day", href.coach()],
  }),
};

export const reminderEmail: StudentEmail<AboutBooking & { readonly hours: number }, SessionFacts> = {
  kind: "coaching-reminder",
  prepare: findSession({ isCurrent: ({ state }) => state !== "cancelled", needsOpenAccount: true }),
  sendBefore: ({ startsAt }) => new Date(startsAt),
  write: (facts) => ({
    subject: `Reminder: ${titleFor(facts)} on ${shortDay(facts)}`,
    heading: facts.hours === 1 ? "Your session starts in an hour" : "Your session starts in 24 hours",
    paragraphs: [
      `${titleFor(facts)}, ${facts.minutes} minutes:`,
      timeOf(facts),
      facts.audience === "student" &&
        facts.hours > 1 &&
        "It's too late to cancel for free. If you cancel now, the session counts as used.",
      "Join from the session page, starting 15 minutes before.",
    ],
    link: pageOf(facts),
  }),
};

export const missedEmail: StudentEmail<AboutBooking, SessionFacts> = {
  kind: "coaching-missed",
  prepare: findSession({ isCurrent: ({ state }) => state.startsWith("missed-by-") }),
  write: (facts) => {
    const isOurs = facts.state === "missed-by-coach";
    const isForStudent = facts.audience === "student";
    return {
      subject: isForStudent && isOurs ? "We missed your session" : `Missed: ${titleFor(facts)}`,
      heading: !isForStudent ? "A session was missed" : isOurs ? "We missed your session" : "You missed your session",
      paragraphs: [
        `${titleFor(facts)}: ${timeOf(facts)}.`,
        ...(facts.audience === "student" ? missedByWords(facts) : missedForCoach(facts)),
      ],
      link: pageOf(facts),
    };
  },
};

export const summaryEmail: StudentEmail<AboutBooking, SessionFacts> = {
  kind: "coaching-summary",
  prepare: findSession({ isCurrent: () => true, ignoresSequence: true }),
  write: (facts) => ({
    subject: `${facts.coachName} wrote a summary of your session`,
    heading: "Your summary is ready",
    paragraphs: [`${facts.coachName} wrote down what you agreed on in your session on ${timeOf(facts)}.`],
    link: pageOf(facts, "Read the summary"),
  }),
};

const answerOnPage = "Replies from your calendar app don't reach us. Use the session page to move or cancel.";

type Facts = AboutBooking & SessionFacts;

function titleFor({ audience, coachName, studentName }: Facts): string {
  return `Coaching with ${audience === "student" ? coachName : studentName}`;
}

function timeOf({ audience, startsAt, studentZone, coachZone, coachName, studentName }: Facts): string {
  return audience === "student"
    ? timeForBoth(startsAt, studentZone, { name: coachName, timeZone: coachZone })
    : timeForBoth(startsAt, coachZone, { name: studentName, timeZone: studentZone });
}

function shortDay({ audience, startsAt, studentZone, coachZone }: Facts): string {
  return new Intl.DateTimeFormat("en-US", {
    dateStyle: "long",
    timeZone: audience === "student" ? studentZone : coachZone,
  }).format(new Date(startsAt));
}

function whoCancelled({ audience, cancelledBy, coachName, studentName, isLate }: Facts): string {
  if (cancelledBy === "student") {
    return audience === "student"
      ? "You cancelled it."
      : `${studentName} cancelled it${isLate ? " less than 24 hours before the start" : ""}.`;
  }
  if (cancelledBy === "coach") return audience === "coach" ? "You cancelled it." : `${coachName} cancelled it.`;
  if (cancelledBy === "administrator") return "The academy cancelled it.";
  return audience === "student"
    ? "It was cancelled because your access changed."
    : "It was cancelled because the student's access changed.";
}

function missedByWords({ state, isForgiven }: Facts): string[] {
  const contest = "If this isn't what happened, tell us on the session page within 7 days.";
  if (state === "missed-by-coach") {
    const back = "You get the session back, plus an extra one that you can use within 60 days.";
    return [`Your coach didn't show up, and we're sorry. ${back}`, contest];
  }
  return isForgiven
    ? ["You missed this session. We forgive the first one in a year, so it doesn't count as used.", contest]
    : ["You missed this session, so it counts as used.", contest];
}

function missedForCoach({ state, studentName, isForgiven }: Facts): string[] {
  const contest = "If this isn't what happened, write to the academy.";
  return state === "missed-by-coach"
    ? [`You missed this session. ${studentName} gets it back, plus an extra one.`, contest]
    : [`${studentName} missed this session. It ${isForgiven ? "doesn't count" : "counts"} as used.`, contest];
}

function costOf({ cancelledBy, isLate, isForgiven }: Facts): string {
  if (cancelledBy === "coach") return "You get the session back, plus an extra one that you can use within 60 days.";
  if (cancelledBy !== "student" || !isLate)
    return "The session doesn't count as used. You can book another one while your plan includes coaching.";
  return isForgiven
    ? "That was less than 24 hours before the start. We forgive the first time in a year, so it doesn't count as used."
    : "That was less than 24 hours before the start, so the session counts as used.";
}

function pageOf({ audience, bookingId }: Facts, text = "Open the session"): Link {
  return [text, `/${audience === "student" ? "coaching" : "coach"}/${encodeURIComponent(bookingId)}`];
}
