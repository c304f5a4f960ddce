import { z } from "zod";
import { recordId } from "../admin/admin.ts";
import { Playback } from "../catalogue.ts";
import { isInCalendar } from "../dates.ts";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";
import { CoachingPromise } from "./promise.ts";
import { TimeZone } from "./time-zone.ts";

const bookingStates = ["booked", "cancelled", "held", "missed-by-student", "missed-by-coach"] as const;
export const BookingState = z.enum(bookingStates);
export type BookingState = z.infer<typeof BookingState>;

const CancelledBy = z.enum(["student", "coach", "administrator", "system"]);
export type CancelledBy = z.infer<typeof CancelledBy>;

const LiveState = z.enum(["scheduled", "cancelled", "held"]);
export type LiveState = z.infer<typeof LiveState>;

export const Instant = z.iso
  .datetime({ offset: true, error: "Enter a date and time" })
  .refine(isInCalendar, "Choose a date that can be booked");

/** Text that people type. Refuses NUL, which the database cannot store. */
const written = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, `Use ${maxLength.toLocaleString("en-US")} characters or fewer`)
    .refine((text) => !text.includes("\0"), "Enter text");

const Prep = written(1000);
export const Summary = written(4000);
const Question = written(300);
const Contestation = written(2000).min(1, "Required");

const CoachName = z.object({
  id: z.string().describe("Names the coach to students; not the id of an account"),
  name: z.string(),
  timeZone: z.string().describe("IANA"),
});

const bookingParts = {
  id: z.string(),
  coach: CoachName,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  studentZone: z.string().describe("IANA, where the student was when the time was chosen"),
  state: BookingState,
  cancelledBy: CancelledBy.nullable(),
  isLate: z.boolean().describe("Cancelled within 24 hours of its start"),
  isForgiven: z.boolean().describe("A late cancellation or a missed session that does not count: the first in a year"),
  counts: z.boolean().describe("Against what the plan promises"),
  movesLeft: z.int(),
  sequence: z.int().describe("Grows with each change"),
  prep: z.string().nullable(),
  lessonId: z.string().nullable(),
  summary: z.string().nullable().describe("The coach's, written afterwards"),
};

export const Booking = z
  .object({
    ...bookingParts,
    freeUntil: z.iso.datetime().describe("Until then it moves, and cancelling it costs nothing"),
    opensAt: z.iso.datetime().describe("From then on it can be joined"),
    mayMove: z.boolean(),
    mayCancel: z.boolean(),
    mayJoin: z.boolean(),
    mayContest: z.boolean().describe("What was marked can be said not to have happened: once, within 7 days"),
    contestedAt: z.iso.datetime().nullable().describe("When the student said so"),
    costOfCancelling: z
      .enum(["nothing", "forgiven", "counts"])
      .describe("What cancelling now means: late, it counts, but for the first time in a year"),
    googleUrl: z.url().describe("Puts it into a calendar at Google"),
    outlookUrl: z.url().describe("Puts it into a calendar at Outlook"),
  })
  .meta({ id: "Booking" });
export type Booking = z.infer<typeof Booking>;

export const LiveSession = z
  .object({
    id: z.string(),
    title: z.string(),
    about: z.string(),
    coach: CoachName,
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime(),
    requiredTier: Tier,
    isUnlocked: z.boolean(),
    state: LiveState,
    seats: z.int().nullable().describe("Null: as many as come"),
    seatsLeft: z.int().nullable(),
    isComing: z.boolean().describe("The viewer has a seat"),
    question: z.string().nullable().describe("What the viewer asked beforehand"),
    opensAt: z.iso.datetime(),
    maySit: z.boolean().describe("A seat can be taken or given up"),
    mayJoin: z.boolean(),
    hasRecording: z.boolean(),
  })
  .meta({ id: "LiveSession" });
export type LiveSession = z.infer<typeof LiveSession>;

/** The sessions that are left now, and until when. */
export const Allowance = z
  .object({
    promise: CoachingPromise,
    left: z.int().describe("Own sessions of the stretch of days at hand"),
    extra: z.int().describe("Sessions beside them, returned by us"),
    extraUntil: z.iso.datetime().nullable().describe("When the first of those ends"),
    windowStartsAt: z.iso.datetime(),
    windowEndsAt: z.iso.datetime().describe("What is left ends then, and the next sessions begin"),
    used: z.array(z.object({ bookingId: z.string(), startsAt: z.iso.datetime(), state: BookingState })),
    notBefore: z.iso.datetime().nullable().describe("After a refund: no session begins before"),
    accessUntil: z.iso.datetime().nullable(),
  })
  .meta({ id: "CoachingAllowance" });
export type Allowance = z.infer<typeof Allowance>;

export const CoachingOverview = z
  .object({
    tier: Tier.nullable().describe("In use now; null while the account is blocked"),
    isBlocked: z.boolean(),
    oneOnOneTier: Tier.nullable().describe("The lowest tier with 1-on-1 coaching on sale"),
    liveTier: Tier.describe("The tier that opens group sessions"),
    timeZone: z.string().nullable().describe("The viewer's, as kept; null before the first choice"),
    allowance: Allowance.nullable().describe("Null without 1-on-1 coaching"),
    upcoming: Booking.nullable().describe("The one that is booked"),
    past: z.array(Booking).describe("Newest first"),
    live: z.array(LiveSession).describe("To come, the next first"),
    recorded: z.array(LiveSession).describe("Over, newest first"),
    lastLiveAt: z.iso.datetime().nullable(),
    calendarSince: z.iso.datetime().nullable().describe("When the calendar's address was made; null: there is none"),
    isCoach: z.boolean(),
  })
  .meta({ id: "CoachingOverview" });
export type CoachingOverview = z.infer<typeof CoachingOverview>;

export const getCoaching = endpoint({
  method: "GET",
  path: "/api/coaching",
  summary: "What the signed-in student has of coaching: what is left, what is booked, group sessions",
  reply: CoachingOverview,
});

export const Slots = z
  .object({
    minutes: z.int(),
    from: z.iso.datetime().describe("The earliest that a session may begin"),
    until: z.iso.datetime(),
    coaches: z.array(CoachName.extend({ startsAt: z.array(z.iso.datetime()) })),
  })
  .meta({ id: "CoachingSlots" });
export type Slots = z.infer<typeof Slots>;

export const getSlots = endpoint({
  method: "GET",
  path: "/api/coaching/slots",
  summary: "Every free time of the next 30 days, by coach",
  reply: Slots,
});

export const BookingParams = z.object({ id: recordId });

export const bookSession = endpoint({
  method: "POST",
  path: "/api/coaching/bookings",
  summary: "Books a session; asked again with the same coach and start, it answers with the same booking",
  body: z.strictObject({
    coachId: recordId,
    startsAt: Instant,
    timeZone: TimeZone,
    prep: Prep.optional(),
    lessonId: recordId.nullish(),
  }),
  reply: Booking,
  otherReplies: { 201: Booking },
});

export const getBooking = endpoint({
  method: "GET",
  path: "/api/coaching/bookings/{id}",
  summary: "One session of the signed-in student",
  whileSeeing: "refused",
  params: BookingParams,
  reply: Booking,
});

export const moveBooking = endpoint({
  method: "POST",
  path: "/api/coaching/bookings/{id}/move",
  summary: "Moves a session to another free time of the same or another coach, until 24 hours before, twice at most",
  params: BookingParams,
  body: z.strictObject({ coachId: recordId, startsAt: Instant, timeZone: TimeZone }),
  reply: Booking,
});

export const cancelBooking = endpoint({
  method: "POST",
  path: "/api/coaching/bookings/{id}/cancel",
  summary: "Cancels a session; within 24 hours it counts as used, but for the first in a year",
  params: BookingParams,
  body: z.strictObject({}),
  reply: Booking,
});

export const contestBooking = endpoint({
  method: "POST",
  path: "/api/coaching/bookings/{id}/contest",
  summary: "Says that what was marked did not happen: a message to the academy, once, within 7 days",
  params: BookingParams,
  body: z.strictObject({ text: Contestation }),
  reply: Booking,
});

/** The meeting's URL. No other reply contains it. */
export const Room = z.object({ meetingUrl: z.url() }).meta({ id: "MeetingRoom" });

export const joinBooking = endpoint({
  method: "POST",
  path: "/api/coaching/bookings/{id}/join",
  summary: "Where to meet, from 15 minutes before the start to the end, to whom has 1-on-1 coaching then",
  params: BookingParams,
  body: z.strictObject({}),
  reply: Room,
});

export const getBookingCalendar = endpoint({
  method: "GET",
  path: "/api/coaching/bookings/{id}.ics",
  summary: "One session as a calendar file",
  whileSeeing: "refused",
  params: BookingParams,
  reply: z.string(),
});

export const setTimeZone = endpoint({
  method: "PUT",
  path: "/api/coaching/time-zone",
  summary: "Keeps the time zone in which the signed-in person reads times",
  body: z.strictObject({
    timeZone: TimeZone,
    isGuess: z
      .boolean()
      .default(false)
      .describe("Reported by the browser; never replaces a time zone that the person chose"),
  }),
  reply: z.object({ timeZone: z.string() }),
});

export const openCalendar = endpoint({
  method: "POST",
  path: "/api/coaching/calendar",
  summary: "An address that a calendar program can subscribe to; the one before stops answering",
  body: z.strictObject({}),
  reply: z.object({ url: z.url() }),
});

export const closeCalendar = endpoint({
  method: "DELETE",
  path: "/api/coaching/calendar",
  summary: "The address of the calendar stops answering",
  reply: z.object({ success: z.literal(true) }),
});

export const LiveParams = z.object({ id: recordId });

export const takeSeat = endpoint({
  method: "PUT",
  path: "/api/live/{id}/seat",
  summary: "Takes a seat in a group session, with a question if there is one",
  params: LiveParams,
  body: z.strictObject({ question: Question.optional() }),
  reply: LiveSession,
});

export const giveSeatUp = endpoint({
  method: "DELETE",
  path: "/api/live/{id}/seat",
  summary: "Gives the seat in a group session up",
  params: LiveParams,
  reply: LiveSession,
});

export const joinLive = endpoint({
  method: "POST",
  path: "/api/live/{id}/join",
  summary: "Where the group meets, from 15 minutes before the start to the end",
  params: LiveParams,
  body: z.strictObject({}),
  reply: Room,
});

export const getRecording = endpoint({
  method: "GET",
  path: "/api/live/{id}/recording",
  summary: "Where the recording of a group session plays from",
  params: LiveParams,
  reply: Playback,
});
