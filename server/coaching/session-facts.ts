import { isBlocked } from "#server/access/access.ts";
import { MINUTE } from "#server/base/clock.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { Db } from "#server/db/db.ts";
import { deleted, type User, userById } from "#server/identity/users.ts";
import type { CalendarPart } from "#server/mail/mail.ts";
import { type MailContext, postEmail, type StudentEmail } from "#server/mail/student-emails.ts";
import { type Entry, invite, uidOf } from "./calendar.ts";
import { type BookingRow, type BookingWithCoach, findBooking } from "./queries.ts";

/** The booking is read again when the email is sent. Nothing is sent if it has changed. */
export interface AboutBooking {
  readonly bookingId: string;
  readonly sequence: number;
  readonly audience: "student" | "coach";
}

/** As of the time of sending. */
export interface SessionFacts {
  readonly startsAt: Timestamp;
  readonly minutes: number;
  readonly coachName: string;
  readonly coachZone: string;
  readonly studentName: string;
  readonly studentZone: string;
  readonly cancelledBy: "student" | "coach" | "administrator" | "system" | null;
  readonly state: string;
  readonly isLate: boolean;
  readonly isForgiven: boolean;
  readonly hasPrep: boolean;
  readonly calendar?: CalendarPart | undefined;
}

/** What a webhook says about a booking. */
export function eventOf({ id, userId, coachId, startsAt, endsAt }: BookingTimes) {
  return { id, userId, coachId, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
}

type BookingTimes = Pick<BookingRow, "id" | "userId" | "coachId" | "startsAt" | "endsAt">;

/** Never contains the email address. */
export function studentNameOf({ firstName, accountStatus }: Pick<User, "firstName" | "accountStatus">): string {
  return accountStatus === deleted ? "a former student" : (firstName ?? "a student");
}

export function entryOf(
  publicUrl: string,
  { booking, coach }: BookingWithCoach,
  reader: { readonly audience: "student" } | { readonly audience: "coach"; readonly studentName: string },
): Entry {
  const { id, sequence, startsAt, endsAt, state } = booking;
  const isStudent = reader.audience === "student";
  return {
    uid: uidOf("booking", id, publicUrl),
    sequence,
    startsAt,
    endsAt,
    title: `Coaching with ${isStudent ? coach.displayName : reader.studentName}`,
    url: `${publicUrl}/${isStudent ? "coaching" : "coach"}/${id}`,
    isCancelled: state === "cancelled",
  };
}

/** For the moment of sending. Null when the booking has changed since. */
export function findSession<About extends AboutBooking>(wanted: {
  readonly isCurrent: (booking: BookingRow, about: About) => boolean;
  readonly ignoresSequence?: boolean;
  /** Of the student, when the email goes to the student. */
  readonly needsOpenAccount?: boolean;
  readonly method?: "REQUEST" | "CANCEL";
  /** Set when the entry's start is no longer the booking's. */
  readonly startsAt?: (about: About) => Date;
}) {
  return async (ctx: MailContext, about: About, now: Date, to: string): Promise<SessionFacts | null> => {
    const { bookingId, sequence, audience } = about;
    const found = await findBooking(ctx.db, bookingId);
    if (!found || !wanted.isCurrent(found.booking, about)) return null;
    const { booking, coach } = found;
    if (booking.sequence !== sequence && !wanted.ignoresSequence) return null;
    const student = await userById(ctx.db, booking.userId);
    if (wanted.needsOpenAccount && audience === "student" && isBlocked(student.accountStatus)) return null;
    const studentName = studentNameOf(student);
    const { method } = wanted;
    const entry = entryOf(ctx.site.publicUrl, found, audience === "student" ? { audience } : { audience, studentName });
    const invitation = method && { method, startsAt: wanted.startsAt?.(about), to };
    return {
      startsAt: booking.startsAt,
      minutes: (booking.endsAt.getTime() - booking.startsAt.getTime()) / MINUTE,
      coachName: coach.displayName,
      coachZone: coach.timeZone,
      studentName,
      studentZone: booking.studentZone,
      cancelledBy: booking.cancelledBy,
      state: booking.state,
      isLate: booking.isLate,
      isForgiven: booking.isForgiven,
      hasPrep: Boolean(booking.prep),
      calendar: invitation && (await invite(ctx, entry, invitation, now)),
    };
  };
}

/** Emails the student and the coach. @param more what the email needs beside the booking, and when it is sent */
export async function emailBoth<More extends object>(
  tx: Db,
  email: StudentEmail<AboutBooking & More, SessionFacts>,
  { id, userId, coachId, sequence }: Pick<BookingRow, "id" | "userId" | "coachId" | "sequence">,
  { occasion, sendAt, ...more }: More & { readonly occasion: string; readonly sendAt?: Date },
  now: Date,
): Promise<void> {
  for (const audience of ["student", "coach"] as const) {
    const facts = { ...more, bookingId: id, sequence, audience } as unknown as AboutBooking & More;
    const addressee = audience === "student" ? userId : coachId;
    await postEmail(tx, email, { userId: addressee, occasion, facts, ...(sendAt && { sendAt }) }, now);
  }
}
