import { z } from "zod";
import { isInCalendar } from "../dates.ts";
import { endpoint } from "../endpoint.ts";
import { MadeFrom, Version } from "../version.ts";
import { Booking, BookingParams, LiveParams, LiveSession, Room, Summary } from "./coaching.ts";
import { TimeZone } from "./time-zone.ts";

/** `09:00`, or `24:00` for the end of a day. */
const WallClock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "Enter a time such as 13:00");

const Hours = z
  .strictObject({ weekday: z.int().min(1).max(7).describe("Monday is 1"), fromTime: WallClock, toTime: WallClock })
  .refine(({ fromTime, toTime }) => fromTime < toTime, { error: "The end must be after the start", path: ["toTime"] });

const Day = z
  .strictObject({
    date: z.iso.date().refine(isInCalendar, "Choose a date that can be booked"),
    fromTime: WallClock.nullable(),
    toTime: WallClock.nullable(),
  })
  .refine(
    ({ fromTime, toTime }) => (fromTime === null) === (toTime === null),
    "Enter both times, or leave both empty for a day off",
  )
  .refine(({ fromTime, toTime }) => fromTime === null || toTime === null || fromTime < toTime, {
    error: "The end must be after the start",
    path: ["toTime"],
  });

export const MeetingUrl = z
  .url({ protocol: /^https$/, error: "Enter an address that starts with https://" })
  .max(500, "Use 500 characters or fewer")
  .describe("Said to nobody before they may join");

/** A coach's profile and hours. */
export const CoachSettings = z
  .strictObject({
    displayName: z.string().trim().min(1, "Required").max(60, "Use 60 characters or fewer"),
    timeZone: TimeZone,
    meetingUrl: MeetingUrl.nullable(),
    hours: z.array(Hours).max(50),
    days: z.array(Day).max(400),
  })
  .meta({ id: "CoachSettings" });
export type CoachSettings = z.infer<typeof CoachSettings>;

/** A session as its coach sees it, without the student's address or payments. */
export const CoachBooking = Booking.pick({
  id: true,
  studentZone: true,
  startsAt: true,
  endsAt: true,
  state: true,
  opensAt: true,
  mayJoin: true,
  mayCancel: true,
})
  .extend({
    studentName: z.string(),
    isOutsideHours: z.boolean().describe("The hours were changed since it was booked"),
    hasPrep: z.boolean(),
    hasSummary: z.boolean(),
    mayMark: z.boolean(),
    maySummarize: z.boolean(),
  })
  .meta({ id: "CoachBooking" });
export type CoachBooking = z.infer<typeof CoachBooking>;

const CoachLiveSession = LiveSession.pick({
  id: true,
  title: true,
  startsAt: true,
  endsAt: true,
  state: true,
  mayJoin: true,
}).extend({
  coming: z.int(),
  questions: z.array(z.string()).describe("Without who asked"),
});

export const CoachDesk = z
  .object({
    settings: CoachSettings,
    settingsVersion: Version,
    hasRoom: z.boolean().describe("Students have somewhere to meet the coach"),
    isActive: z.boolean(),
    now: z.iso.datetime(),
    upcoming: z.array(CoachBooking).describe("The next first"),
    past: z.array(CoachBooking).describe("Of the last 60 days, newest first"),
    live: z.array(CoachLiveSession).describe("To come, and of the last 30 days"),
  })
  .meta({ id: "CoachDesk" });
export type CoachDesk = z.infer<typeof CoachDesk>;

export const getCoachDesk = endpoint({
  method: "GET",
  path: "/api/coach",
  summary: "The coach's own hours, days and sessions",
  permission: "sessions:hold",
  reply: CoachDesk,
});

export const setCoachSettings = endpoint({
  method: "PUT",
  path: "/api/coach/settings",
  summary:
    "The coach's name, time zone, room, hours and days off; what is booked stays. 409 when they were changed since they were read",
  permission: "sessions:hold",
  query: MadeFrom,
  body: CoachSettings,
  reply: CoachDesk,
});

export const CoachBookingDetail = CoachBooking.extend({
  prep: Booking.shape.prep,
  lesson: z.object({ id: z.string(), title: z.string() }).nullable().describe("What the student is stuck on"),
  summary: Booking.shape.summary,
  summaryVersion: Version,
  joinedByStudentAt: z.iso.datetime().nullable(),
  progress: z.object({
    lessonsCompleted: z.int(),
    watchSeconds: z.int(),
    lessonsTotal: z.int(),
    lastLesson: z.string().nullable().describe("The title of the lesson that was completed last"),
    begun: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          coverage: z.number(),
          isCompleted: z.boolean(),
          isCheckPassed: z.boolean().nullable().describe("Null without a check"),
        }),
      )
      .describe("In the order of the course; `coverage` is the share that was watched"),
  }),
  questions: z
    .array(z.object({ id: z.string(), title: z.string(), lessonTitle: z.string() }))
    .describe("What the student asked under lessons and nobody has answered, the oldest first, at most 20"),
  sessionsBefore: z.int().describe("Held with this student, with any coach"),
}).meta({ id: "CoachBookingDetail" });
export type CoachBookingDetail = z.infer<typeof CoachBookingDetail>;

export const getCoachBooking = endpoint({
  method: "GET",
  path: "/api/coach/bookings/{id}",
  summary: "One session of the coach, with the student's preparation and progress",
  permission: "sessions:hold",
  params: BookingParams,
  reply: CoachBookingDetail,
});

export const joinAsCoach = endpoint({
  method: "POST",
  path: "/api/coach/bookings/{id}/join",
  summary: "The coach's way into a session",
  permission: "sessions:hold",
  params: BookingParams,
  body: z.strictObject({}),
  reply: Room,
});

export const cancelAsCoach = endpoint({
  method: "POST",
  path: "/api/coach/bookings/{id}/cancel",
  summary: "Cancels a session: the student gets it back, and one more",
  permission: "sessions:hold",
  params: BookingParams,
  body: z.strictObject({}),
  reply: CoachBookingDetail,
});

export const markBooking = endpoint({
  method: "POST",
  path: "/api/coach/bookings/{id}/mark",
  summary: "Says what became of a session that is over",
  permission: "sessions:hold",
  params: BookingParams,
  body: z.strictObject({ as: z.enum(["held", "missed-by-student", "missed-by-coach"]) }),
  reply: CoachBookingDetail,
});

export const SessionSummary = z.strictObject({ summary: Summary });

export const writeSummary = endpoint({
  method: "PUT",
  path: "/api/coach/bookings/{id}/summary",
  summary: "Writes the summary that the student reads. 409 when it was changed since it was read",
  permission: "sessions:hold",
  params: BookingParams,
  query: MadeFrom,
  body: SessionSummary,
  reply: CoachBookingDetail,
});

export const joinLiveAsCoach = endpoint({
  method: "POST",
  path: "/api/coach/live/{id}/join",
  summary: "The coach's way into a group session",
  permission: "sessions:hold",
  params: LiveParams,
  body: z.strictObject({}),
  reply: Room,
});
