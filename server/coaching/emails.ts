import { href } from "#contract/addresses.ts";
import { timeForBoth } from "#contract/coaching/times.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { greeting, type Reader } from "#server/mail/wording.ts";
import { type AboutBooking, findSession, type SessionFacts } from "./session-facts.ts";

export const bookedEmail: StudentEmail<AboutBooking, SessionFacts> = {
  kind: "coaching-booked",
  prepare: (ctx, about, now, to) =>
    findSession(ctx, about, now, { method: "REQUEST", to, isCurrent: ({ state }) => state === "booked" }),
  write: (reader, facts) => ({
    subject: `Booked: ${titleFor(facts)} on ${shortDay(facts)}`,
    calendar: facts.calendar,
    content: {
      heading: "Your session is booked",
      paragraphs: [
        greeting(reader),
        `${titleFor(facts)}, ${facts.minutes} minutes:`,
        timeOf(facts),
        facts.audience === "student"
          ? "Join from its page, from 15 minutes before the start. Until 24 hours before you can move or cancel it there, and it costs you nothing."
          : facts.hasPrep
            ? "What the student wants to talk about stands on its page."
            : "The student wrote nothing to prepare.",
        answerOnPage,
      ],
      action: pageOf(reader, facts),
      closing: closingFor(reader),
    },
  }),
};

export const movedEmail: StudentEmail<AboutBooking & { readonly before: Timestamp }, SessionFacts> = {
  kind: "coaching-moved",
  prepare: (ctx, about, now, to) =>
    findSession(ctx, about, now, { method: "REQUEST", to, isCurrent: ({ state }) => state === "booked" }),
  write: (reader, facts) => ({
    subject: `Moved: ${titleFor(facts)} is now on ${shortDay(facts)}`,
    calendar: facts.calendar,
    content: {
      heading: "Your session has moved",
      paragraphs: [
        greeting(reader),
        `${titleFor(facts)}, ${facts.minutes} minutes, is now:`,
        timeOf(facts),
        `It was on ${timeOf({ ...facts, startsAt: facts.before })}.`,
        answerOnPage,
      ],
      action: pageOf(reader, facts),
      closing: closingFor(reader),
    },
  }),
};

export const sessionCancelledEmail: StudentEmail<AboutBooking, SessionFacts> = {
  kind: "coaching-cancelled",
  prepare: (ctx, about, now, to) =>
    findSession(ctx, about, now, { method: "CANCEL", to, isCurrent: ({ state }) => state === "cancelled" }),
  write: (reader, facts) => ({
    subject: `Cancelled: ${titleFor(facts)} on ${shortDay(facts)}`,
    calendar: facts.calendar,
    content: {
      heading: "Your session is cancelled",
      paragraphs: [
        greeting(reader),
        `${titleFor(facts)} does not take place: ${timeOf(facts)}.`,
        whoCancelled(facts),
        ...(facts.audience === "student" ? [costOf(facts)] : []),
      ],
      action: facts.audience === "student" ? allOf(reader) : deskOf(reader),
      closing: closingFor(reader),
    },
  }),
};

/** Removes the session from the calendar of a coach whose session went to another one. */
export const handedOverEmail: StudentEmail<
  AboutBooking & { readonly before: Timestamp; readonly coachId: string },
  SessionFacts
> = {
  kind: "coaching-handed-over",
  prepare: (ctx, about, now, to) =>
    findSession(ctx, about, now, {
      method: "CANCEL",
      to,
      isCurrent: ({ coachId }) => coachId !== about.coachId,
      startsAt: new Date(about.before),
    }),
  write: (reader, facts) => ({
    subject: `Moved away: coaching with ${facts.studentName}`,
    calendar: facts.calendar,
    content: {
      heading: "A session is no longer yours",
      paragraphs: [
        greeting(reader),
        `${facts.studentName} moved the session to another coach. This time is free again: ${timeOf({ ...facts, startsAt: facts.before })}.`,
      ],
      action: deskOf(reader),
      closing: closingFor(reader),
    },
  }),
};

export const reminderEmail: StudentEmail<AboutBooking & { readonly hours: number }, SessionFacts> = {
  kind: "coaching-reminder",
  prepare: (ctx, about, now) =>
    findSession(ctx, about, now, {
      isCurrent: ({ state }) => state !== "cancelled",
      needsOpenAccount: about.audience === "student",
    }),
  sendBefore: ({ startsAt }) => new Date(startsAt),
  write: (reader, facts) => ({
    subject: `Reminder: ${titleFor(facts)} on ${shortDay(facts)}`,
    content: {
      heading: facts.hours === 1 ? "Your session is about to begin" : "Your session is a day away",
      paragraphs: [
        greeting(reader),
        `${titleFor(facts)}, ${facts.minutes} minutes:`,
        timeOf(facts),
        ...(facts.audience === "student" && facts.hours > 1
          ? ["From now on a cancellation counts as a session used."]
          : []),
        "Join from its page, from 15 minutes before the start.",
      ],
      action: pageOf(reader, facts),
      closing: closingFor(reader),
    },
  }),
};

export const missedEmail: StudentEmail<AboutBooking, SessionFacts> = {
  kind: "coaching-missed",
  prepare: (ctx, about, now) =>
    findSession(ctx, about, now, { isCurrent: ({ state }) => state.startsWith("missed-by-") }),
  write: (reader, facts) => {
    const isOurs = facts.state === "missed-by-coach";
    const isForStudent = facts.audience === "student";
    return {
      subject: isForStudent && isOurs ? "We missed your session" : `Missed: ${titleFor(facts)}`,
      content: {
        heading: isForStudent && isOurs ? "We missed your session" : "A session was missed",
        paragraphs: [
          greeting(reader),
          `${titleFor(facts)}: ${timeOf(facts)}.`,
          ...(facts.audience === "student" ? missedByWords(facts) : missedForCoach(facts)),
        ],
        action: pageOf(reader, facts),
        closing: closingFor(reader),
      },
    };
  },
};

export const summaryEmail: StudentEmail<AboutBooking, SessionFacts> = {
  kind: "coaching-summary",
  prepare: (ctx, about, now) => findSession(ctx, about, now, { isCurrent: () => true, ignoresSequence: true }),
  write: (reader, facts) => ({
    subject: `${facts.coachName} wrote a summary of your session`,
    content: {
      heading: "Your summary is ready",
      paragraphs: [
        greeting(reader),
        `${facts.coachName} has written down what you agreed on in your session of ${timeOf(facts)}.`,
      ],
      action: { ...pageOf(reader, facts), text: "Read the summary" },
      closing: closingFor(reader),
    },
  }),
};

const answerOnPage =
  "Nobody reads what a calendar program answers to this email. Move or cancel the session on its page.";

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
  const contest = "If this is not what happened, say so on the session's page within 7 days.";
  if (state === "missed-by-coach") {
    const back = "You have the session back, and one more beside it, good for 60 days.";
    return [`Your coach was not there. We are sorry. ${back}`, contest];
  }
  return isForgiven
    ? ["You were not there. The first missed session in a year is forgiven, so this one does not count.", contest]
    : ["You were not there, so it counts as a session used.", contest];
}

function missedForCoach({ state, studentName, isForgiven }: Facts): string[] {
  const contest = "If this is not what happened, write to the academy.";
  return state === "missed-by-coach"
    ? [`You were not there. ${studentName} has the session back, and one more beside it.`, contest]
    : [`${studentName} was not there. It ${isForgiven ? "does not count" : "counts"} against the plan.`, contest];
}

function costOf({ cancelledBy, isLate, isForgiven }: Facts): string {
  if (cancelledBy === "coach") return "You have it back, and one more session beside it, good for 60 days.";
  if (cancelledBy !== "student" || !isLate)
    return "It does not count: the session is yours to book again while your plan gives it.";
  return isForgiven
    ? "That was within 24 hours of the start. The first time in a year is forgiven, so it does not count."
    : "That was within 24 hours of the start, so it counts as a session used.";
}

function pageOf({ publicUrl }: Reader, { audience, bookingId }: Facts) {
  const path = audience === "student" ? "coaching" : "coach";
  return { text: "Open the session", url: `${publicUrl}/${path}/${encodeURIComponent(bookingId)}` };
}

function allOf({ publicUrl }: Reader) {
  return { text: "Open your coaching", url: `${publicUrl}${href.coaching()}` };
}

function deskOf({ publicUrl }: Reader) {
  return { text: "Open your day", url: `${publicUrl}${href.coach()}` };
}

function closingFor({ academy }: Reader): string {
  return `Questions? Write to ${academy.supportEmail}.`;
}
