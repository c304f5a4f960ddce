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
        ? "Join from the session page, starting 15 minutes before. Until 24 hours before, you can move or cancel it there, and it costs you nothing."
        : facts.hasPrep
          ? "The session page shows what the student wants to talk about."
          : "The student hasn't written what they want to talk about.",
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
      `${titleFor(facts)} was cancelled: ${timeOf(facts)}.`,
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
    subject: `Moved away: coaching with ${facts.studentName}`,
    heading: "A session is no longer yours",
    paragraphs: [
      `${facts.studentName} moved the session to another coach. This time is free again: ${timeOf({ ...facts, startsAt: facts.before })}.`,
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
    heading: facts.hours === 1 ? "Your session is about to begin" : "Your session is a day away",
    paragraphs: [
      `${titleFor(facts)}, ${facts.minutes} minutes:`,
      timeOf(facts),
      facts.audience === "student" && facts.hours > 1 && "If you cancel now, it counts as a session used.",
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
      heading: isForStudent && isOurs ? "We missed your session" : "A session was missed",
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
      : `${studentName} cancelled it${isLate ? " within 24 hours" : ""}.`;
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
    return [`Your coach didn't come. We're sorry. ${back}`, contest];
  }
  return isForgiven
    ? ["You didn't come. The first missed session in a year is forgiven, so this one doesn't count.", contest]
    : ["You didn't come, so it counts as a session used.", contest];
}

function missedForCoach({ state, studentName, isForgiven }: Facts): string[] {
  const contest = "If this isn't what happened, write to the academy.";
  return state === "missed-by-coach"
    ? [`You didn't come. ${studentName} gets the session back, plus an extra one.`, contest]
    : [`${studentName} didn't come. It ${isForgiven ? "doesn't count" : "counts"} as a session used.`, contest];
}

function costOf({ cancelledBy, isLate, isForgiven }: Facts): string {
  if (cancelledBy === "coach") return "You get it back, plus an extra session that you can use within 60 days.";
  if (cancelledBy !== "student" || !isLate)
    return "It doesn't count as used. You can book again while your plan includes sessions.";
  return isForgiven
    ? "That was within 24 hours of the start. The first time in a year is forgiven, so it doesn't count."
    : "That was within 24 hours of the start, so it counts as a session used.";
}

function pageOf({ audience, bookingId }: Facts, text = "Open the session"): Link {
  return [text, `/${audience === "student" ? "coaching" : "coach"}/${encodeURIComponent(bookingId)}`];
}
