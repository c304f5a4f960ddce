import { href } from "#contract/addresses.ts";
import { timeForBoth } from "#contract/coaching/times.ts";
import { formatDay, type Timestamp } from "#server/base/dates.ts";
import type { Say } from "#server/mail/email-texts.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import type { Link } from "#server/mail/wording.ts";
import { type AboutBooking, findSession, type SessionFacts } from "./session-facts.ts";

export const bookedEmail: StudentEmail<AboutBooking, SessionFacts, "coaching-booked"> = {
  kind: "coaching-booked",
  prepare: findSession({ method: "REQUEST", isCurrent: ({ state }) => state === "booked" }),
  write: (facts, _reader, say) => ({
    subject: say("subject", dayOf(facts)),
    heading: say("heading"),
    paragraphs: [
      say("session", lengthOf(facts)),
      timeOf(facts),
      facts.audience === "student"
        ? say("join")
        : facts.hasPrep
          ? "The session page shows what your student wants to talk about."
          : "Your student hasn't said what they want to talk about yet.",
      say("calendar"),
    ],
    link: pageOf(facts),
  }),
};

export const movedEmail: StudentEmail<AboutBooking & { readonly before: Timestamp }, SessionFacts, "coaching-moved"> = {
  kind: "coaching-moved",
  prepare: findSession({ method: "REQUEST", isCurrent: ({ state }) => state === "booked" }),
  write: (facts, _reader, say) => ({
    subject: say("subject", dayOf(facts)),
    heading: say("heading"),
    paragraphs: [
      say("session", lengthOf(facts)),
      timeOf(facts),
      say("before", { earlierTime: timeOf({ ...facts, startsAt: facts.before }) }),
      say("calendar"),
    ],
    link: pageOf(facts),
  }),
};

export const sessionCancelledEmail: StudentEmail<AboutBooking, SessionFacts, "coaching-cancelled"> = {
  kind: "coaching-cancelled",
  prepare: findSession({ method: "CANCEL", isCurrent: ({ state }) => state === "cancelled" }),
  write: (facts, _reader, say) => ({
    subject: say("subject", dayOf(facts)),
    heading: say("heading"),
    paragraphs: [
      `${titleFor(facts)}:`,
      timeOf(facts),
      ...(facts.audience === "student" ? [whoCancelled(facts, say), costOf(facts, say)] : [cancelledForCoach(facts)]),
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

export const reminderEmail: StudentEmail<AboutBooking & { readonly hours: number }, SessionFacts, "coaching-reminder"> =
  {
    kind: "coaching-reminder",
    prepare: findSession({ isCurrent: ({ state }) => state !== "cancelled", needsOpenAccount: true }),
    sendBefore: ({ startsAt }) => new Date(startsAt),
    write: (facts, _reader, say) => ({
      subject: say("subject", dayOf(facts)),
      heading: say(facts.hours === 1 ? "headingHour" : "heading"),
      paragraphs: [
        say("session", lengthOf(facts)),
        timeOf(facts),
        facts.audience === "student" && facts.hours > 1 && say("late"),
        say("join"),
      ],
      link: pageOf(facts),
    }),
  };

export const missedEmail: StudentEmail<AboutBooking, SessionFacts, "coaching-missed"> = {
  kind: "coaching-missed",
  prepare: findSession({ isCurrent: ({ state }) => state.startsWith("missed-by-") }),
  write: (facts, _reader, say) => {
    const isForStudent = facts.audience === "student";
    const subject =
      isForStudent && facts.state === "missed-by-coach"
        ? say("subjectOurs")
        : say("subject", { title: titleFor(facts) });
    return {
      subject,
      heading: !isForStudent ? "A session was missed" : facts.state === "missed-by-coach" ? subject : say("heading"),
      paragraphs: [
        `${titleFor(facts)}: ${timeOf(facts)}.`,
        ...(isForStudent ? [missedByWords(facts, say), say("contest")] : missedForCoach(facts)),
      ],
      link: pageOf(facts),
    };
  },
};

export const summaryEmail: StudentEmail<AboutBooking, SessionFacts, "coaching-summary"> = {
  kind: "coaching-summary",
  prepare: findSession({ isCurrent: () => true, ignoresSequence: true }),
  write: (facts, _reader, say) => ({
    subject: say("subject", { coach: facts.coachName }),
    heading: say("heading"),
    paragraphs: [say("summary", { coach: facts.coachName, time: timeOf(facts) })],
    link: pageOf(facts, "Read the summary"),
  }),
};

type Facts = AboutBooking & SessionFacts;

function titleFor({ audience, coachName, studentName }: Facts): string {
  return `Coaching with ${audience === "student" ? coachName : studentName}`;
}

function dayOf(facts: Facts) {
  return { title: titleFor(facts), day: shortDay(facts) };
}

function lengthOf(facts: Facts) {
  return { title: titleFor(facts), minutes: String(facts.minutes) };
}

function timeOf({ audience, startsAt, studentZone, coachZone, coachName, studentName }: Facts): string {
  return audience === "student"
    ? timeForBoth(startsAt, studentZone, { name: coachName, timeZone: coachZone })
    : timeForBoth(startsAt, coachZone, { name: studentName, timeZone: studentZone });
}

function shortDay({ audience, startsAt, studentZone, coachZone }: Facts): string {
  return formatDay(startsAt, audience === "student" ? studentZone : coachZone);
}

function whoCancelled({ cancelledBy, coachName: coach }: Facts, say: Say<"coaching-cancelled">): string {
  if (cancelledBy === "student") return say("byStudent");
  if (cancelledBy === "coach") return say("byCoach", { coach });
  return say(cancelledBy === "administrator" ? "byAcademy" : "byAccess");
}

function cancelledForCoach({ cancelledBy, studentName, isLate }: Facts): string {
  if (cancelledBy === "student") {
    return `${studentName} cancelled it${isLate ? " less than 24 hours before the start" : ""}.`;
  }
  if (cancelledBy === "coach") return "You cancelled it.";
  if (cancelledBy === "administrator") return "The academy cancelled it.";
  return "It was cancelled because the student's access changed.";
}

function missedByWords({ state, isForgiven }: Facts, say: Say<"coaching-missed">): string {
  if (state === "missed-by-coach") return say("ours");
  return say(isForgiven ? "forgiven" : "used");
}

function missedForCoach({ state, studentName, isForgiven }: Facts): string[] {
  const contest = "If this isn't what happened, write to the academy.";
  return state === "missed-by-coach"
    ? [`You missed this session. ${studentName} gets it back, plus an extra one.`, contest]
    : [`${studentName} missed this session. It ${isForgiven ? "doesn't count" : "counts"} as used.`, contest];
}

function costOf({ cancelledBy, isLate, isForgiven }: Facts, say: Say<"coaching-cancelled">): string {
  if (cancelledBy === "coach") return say("extra");
  if (cancelledBy !== "student" || !isLate) return say("free");
  return say(isForgiven ? "forgiven" : "used");
}

function pageOf({ audience, bookingId }: Facts, text = "Open the session"): Link {
  return [text, `/${audience === "student" ? "coaching" : "coach"}/${encodeURIComponent(bookingId)}`];
}
