const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const length = 30 * MINUTE;
const stretch = 30 * DAY;

type State = "booked" | "cancelled" | "held" | "missed-by-student" | "missed-by-coach";

export interface ModelBooking {
  readonly id: string;
  readonly of: ModelStudent;
  start: number;
  state: State;
  counts: boolean;
  usesExtra: boolean;
  moves: number;
}

export interface ModelStudent {
  /** The start of Lifetime Access. */
  readonly since: number;
  readonly bookings: ModelBooking[];
  /** Unused extra sessions. */
  extras: number;
  /** Times of late cancellations and missed sessions. */
  readonly lapses: number[];
}

/** The expected reply: its status, and the code of a refusal. */
type Answer = 200 | 201 | 400 | "slot-taken" | "already-booked" | "no-sessions-left" | "too-late" | "conflict";

/**
 * An independent model of one coach's 1-on-1 sessions, for students with one session of 30 minutes every 30 days.
 * Covers fewer than 60 days, so that no extra session expires.
 */
export class CoachingModel {
  readonly students: ModelStudent[] = [];
  readonly bookings: ModelBooking[] = [];

  book(student: ModelStudent, start: number, id: () => string, now: number): Answer {
    const open = student.bookings.find((each) => each.state === "booked" && each.start + length > now);
    const isMine = student.bookings.some((each) => each.state === "booked" && each.start === start);
    if (this.isTaken(start) && !isMine) return "slot-taken";
    if (open) return open.start === start ? 200 : "already-booked";
    if (!isBookable(start, now)) return 400;
    if (this.isTaken(start)) return "slot-taken";
    const usesExtra = this.left(student, start) === 0;
    if (usesExtra && student.extras === 0) return "no-sessions-left";
    if (usesExtra) student.extras -= 1;
    const booking = { id: id(), of: student, start, state: "booked" as const, counts: true, usesExtra, moves: 0 };
    student.bookings.push(booking);
    this.bookings.push(booking);
    return 201;
  }

  move(booking: ModelBooking, start: number, now: number): Answer {
    const { of } = booking;
    const isMine = of.bookings.some((each) => each.state === "booked" && each.start === start);
    if (this.isTaken(start, booking) && !isMine) return "slot-taken";
    if (booking.state !== "booked") return "conflict";
    if (booking.start === start) return 200;
    if (isLate(booking, now) || booking.moves === 2) return "too-late";
    if (!isBookable(start, now)) return 400;
    if (this.isTaken(start, booking)) return "slot-taken";
    const extras = of.extras + (booking.usesExtra ? 1 : 0);
    const usesExtra = this.left(of, start, booking) === 0;
    if (usesExtra && extras === 0) return "no-sessions-left";
    of.extras = extras - (usesExtra ? 1 : 0);
    Object.assign(booking, { start, usesExtra, moves: booking.moves + 1 });
    return 200;
  }

  cancel(booking: ModelBooking, now: number): Answer {
    if (booking.state === "cancelled") return 200;
    if (booking.state !== "booked") return "conflict";
    if (now >= booking.start) return "too-late";
    this.close(booking, "cancelled", isLate(booking, now) && !this.forgives(booking.of, now));
    return 200;
  }

  cancelAsCoach(booking: ModelBooking, now: number): Answer {
    if (booking.state === "cancelled") return 200;
    if (booking.state !== "booked") return "conflict";
    if (now >= booking.start) return "too-late";
    this.close(booking, "cancelled", false);
    booking.of.extras += 1;
    return 200;
  }

  mark(booking: ModelBooking, as: "held" | "missed-by-student" | "missed-by-coach", now: number): Answer {
    if (booking.state === as) return 200;
    if (booking.state !== "booked" || now < booking.start + length) return "conflict";
    const counts = as === "held" || (as === "missed-by-student" && !this.forgives(booking.of, now));
    this.close(booking, as, counts);
    if (as === "missed-by-coach") booking.of.extras += 1;
    return 200;
  }

  /** Nobody joins in this model, so a session that nobody marked within a day counts as missed by the coach. */
  settle(now: number): void {
    for (const booking of this.bookings) {
      if (booking.state === "booked" && booking.start + length + DAY <= now) this.mark(booking, "missed-by-coach", now);
    }
  }

  /** The student's remaining own sessions for a session at `start`. */
  left(student: ModelStudent, start: number, except?: ModelBooking): number {
    const stretchOf = (at: number) => Math.floor((at - student.since) / stretch);
    const used = student.bookings.some(
      (each) => each !== except && each.counts && !each.usesExtra && stretchOf(each.start) === stretchOf(start),
    );
    return used ? 0 : 1;
  }

  /** Records the lapse. True for the first in a year. */
  private forgives(student: ModelStudent, now: number): boolean {
    const forgives = student.lapses.every((at) => at <= now - 365 * DAY);
    student.lapses.push(now);
    return forgives;
  }

  private close(booking: ModelBooking, state: State, counts: boolean): void {
    Object.assign(booking, { state, counts });
    if (counts || !booking.usesExtra) return;
    booking.usesExtra = false;
    booking.of.extras += 1;
  }

  private isTaken(start: number, except?: ModelBooking): boolean {
    return this.bookings.some((each) => each !== except && each.state === "booked" && each.start === start);
  }
}

function isBookable(start: number, now: number): boolean {
  return start >= now + 12 * HOUR && start < now + 30 * DAY;
}

function isLate({ start }: ModelBooking, now: number): boolean {
  return now > start - 24 * HOUR;
}
