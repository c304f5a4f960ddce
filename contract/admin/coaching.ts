import { z } from "zod";
import { CoachSettings, MeetingUrl } from "../coaching/coach.ts";
import { Allowance, Booking, BookingParams, Instant, LiveParams, LiveSession } from "../coaching/coaching.ts";
import { TimeZone } from "../coaching/time-zone.ts";
import { EmailAddress } from "../email-address.ts";
import { endpoint } from "../endpoint.ts";
import { MadeFrom, Version } from "../version.ts";
import { Done, pageOf, paging, RequiredReason, recordId, requiredReason } from "./admin.ts";
import { playableVideo } from "./videos.ts";

export const CoachingAhead = z
  .object({
    students: z.int().describe("Who can book in the next 30 days and has nothing booked"),
    slots: z.int().describe("Free times in these days"),
    unserved: z.int().describe("Students beyond the free times"),
  })
  .meta({ id: "CoachingAhead" });
export type CoachingAhead = z.infer<typeof CoachingAhead>;

/** "38 students can book 1-on-1 coaching in the next 30 days; 12 slots are open. 26 can’t get one." */
export function aheadWords({ students, slots, unserved }: CoachingAhead): string {
  const who = students === 1 ? "1 student can" : `${students} students can`;
  const open = slots === 1 ? "1 slot is open" : `${slots} slots are open`;
  const all = unserved === 0 ? "Everyone can get one." : `${unserved} can’t get one.`;
  return `${who} book 1-on-1 coaching in the next 30 days; ${open}. ${all}`;
}

export const MeterMonth = z
  .object({
    month: z.string().describe("2027-03, in the academy's time zone"),
    owed: z.int().describe("Sessions of stretches that began in the month"),
    offered: z.int().describe("Sessions that fit into the coaches' current hours"),
    booked: z.int().describe("Sessions of the month that were not cancelled"),
    held: z.int(),
    missedByUs: z.int(),
    returned: z.int().describe("Extra sessions given"),
    expired: z.int().describe("Sessions of stretches that ended in the month and were not used"),
  })
  .meta({ id: "CoachingMonth" });
export type MeterMonth = z.infer<typeof MeterMonth>;

const AdminCoach = z.object({
  id: z.string(),
  email: z.string(),
  isActive: z.boolean(),
  settings: CoachSettings,
  version: Version.describe("Changes with the settings and with `isActive`"),
});

const AdminLive = LiveSession.pick({
  id: true,
  title: true,
  about: true,
  startsAt: true,
  endsAt: true,
  requiredTier: true,
  seats: true,
  state: true,
}).extend({
  coachId: z.string(),
  coachName: z.string(),
  hasOwnRoom: z.boolean(),
  coming: z.int(),
  recordingVideoId: z.string().nullable(),
  recordingSeconds: z.int().nullable(),
  version: Version.describe("Changes with what administrators write, its room and its recording too"),
});
export type AdminLive = z.infer<typeof AdminLive>;

const AdminBooking = Booking.pick({
  id: true,
  startsAt: true,
  endsAt: true,
  state: true,
  isLate: true,
  isForgiven: true,
}).extend({
  userId: z.string(),
  studentName: z.string(),
  coachId: z.string(),
  coachName: z.string(),
  version: Version.describe("Changes with its time and its coach"),
});
export type AdminBooking = z.infer<typeof AdminBooking>;

export const CoachingAdministration = z
  .object({
    ahead: CoachingAhead,
    months: z.array(MeterMonth).describe("The last six, the newest first"),
    coaches: z.array(AdminCoach),
    // Without pages, because their dates limit their number.
    live: z.array(AdminLive).describe("To come, and of the last 90 days; newest first"),
  })
  .meta({ id: "CoachingAdministration" });
export type CoachingAdministration = z.infer<typeof CoachingAdministration>;

export const getCoachingAdministration = endpoint({
  method: "GET",
  path: "/api/admin/coaching",
  summary: "What was promised and what was kept of coaching, its coaches and group sessions",
  permission: "coaching:read",
  reply: CoachingAdministration,
});

export const getCoachingAhead = endpoint({
  method: "GET",
  path: "/api/admin/coaching/ahead",
  summary: "Whether everybody who can book in the next 30 days finds a time",
  permission: "coaching:read",
  reply: CoachingAhead,
});

export const NewCoach = z.strictObject({
  email: EmailAddress,
  displayName: CoachSettings.shape.displayName,
  timeZone: TimeZone,
  reason: requiredReason,
});

export const addCoach = endpoint({
  method: "POST",
  path: "/api/admin/coaching/coaches",
  summary: "Makes a user a coach",
  permission: "coaching:manage",
  body: NewCoach,
  reply: Done,
});

export const CoachChange = z.strictObject({ isActive: z.boolean(), settings: CoachSettings, reason: requiredReason });

export const changeCoach = endpoint({
  method: "PUT",
  path: "/api/admin/coaching/coaches/{id}",
  summary:
    "Changes a coach's settings, or ends the role; what is booked stays. 409 when they were changed since they were read",
  permission: "coaching:manage",
  params: z.object({ id: recordId }),
  query: MadeFrom,
  body: CoachChange,
  reply: Done,
});

const LiveText = {
  title: z.string().trim().min(1, "Required").max(120, "Use 120 characters or fewer"),
  about: z.string().trim().min(1, "Required").max(1000, "Use 1,000 characters or fewer"),
  coachId: recordId,
  startsAt: Instant,
  minutes: z.int().min(15).max(480),
  requiredTier: z.enum(["premium", "vip"]),
  seats: z.int().min(1).max(10_000).nullable(),
  meetingUrl: MeetingUrl.nullable(),
};

export const scheduleLive = endpoint({
  method: "POST",
  path: "/api/admin/coaching/live",
  summary: "Sets a group session, and writes to everybody for whom it is",
  permission: "coaching:manage",
  body: z.strictObject({ ...LiveText, reason: requiredReason }),
  reply: Done,
});

export const LiveChange = z.strictObject({
  ...LiveText,
  meetingUrl: MeetingUrl.nullish().describe("Absent: as it was; it is never read back"),
  reason: requiredReason,
});

export const changeLive = endpoint({
  method: "PUT",
  path: "/api/admin/coaching/live/{id}",
  summary:
    "Changes a group session that is to come; students with a seat are told of another time. 409 when it was changed since it was read",
  permission: "coaching:manage",
  params: LiveParams,
  query: MadeFrom,
  body: LiveChange,
  reply: Done,
});

export const cancelLive = endpoint({
  method: "POST",
  path: "/api/admin/coaching/live/{id}/cancel",
  summary: "Cancels a group session and tells the students who have a seat",
  permission: "coaching:manage",
  params: LiveParams,
  body: RequiredReason,
  reply: Done,
});

export const LiveRecording = z.strictObject({
  videoId: playableVideo,
  seconds: z.int().min(1).max(86_400),
  reason: requiredReason,
});

export type LiveRecording = z.infer<typeof LiveRecording>;

export const recordLive = endpoint({
  method: "POST",
  path: "/api/admin/coaching/live/{id}/recording",
  summary:
    "Puts the recording of a group session where its students watch it. 409 when another one was since it was read",
  permission: "coaching:manage",
  params: LiveParams,
  query: MadeFrom,
  body: LiveRecording,
  reply: Done,
});

export const StudentBooking = z.strictObject({
  userId: recordId,
  coachId: recordId,
  startsAt: Instant,
  timeZone: TimeZone.describe("For a student who never said theirs"),
  reason: requiredReason,
});

export const bookForStudent = endpoint({
  method: "POST",
  path: "/api/admin/coaching/bookings",
  summary: "Books a session for a student, at any time that is free",
  permission: "coaching:book",
  body: StudentBooking,
  reply: Done,
});

export const BookingMove = z.strictObject({ coachId: recordId, startsAt: Instant, reason: requiredReason });

export const moveForStudent = endpoint({
  method: "POST",
  path: "/api/admin/coaching/bookings/{id}/move",
  summary:
    "Moves a student's session, whenever and however often. 409 when somebody, also the student, has moved it since it was read",
  permission: "coaching:book",
  params: BookingParams,
  query: MadeFrom,
  body: BookingMove,
  reply: Done,
});

export const cancelForStudent = endpoint({
  method: "POST",
  path: "/api/admin/coaching/bookings/{id}/cancel",
  summary: "Cancels a student's session; it does not count",
  permission: "coaching:book",
  params: BookingParams,
  body: RequiredReason,
  reply: Done,
});

export const returnSession = endpoint({
  method: "POST",
  path: "/api/admin/coaching/bookings/{id}/return",
  summary: "Gives a student a session back, good for 60 days; once for each session",
  permission: "coaching:book",
  params: BookingParams,
  body: RequiredReason,
  reply: Done,
});

export const BookingFilter = z.strictObject({
  userId: recordId.optional(),
  show: z
    .enum(["today", "without-summary"])
    .optional()
    .describe("Not cancelled and on the academy's day; or held, without a summary"),
});
export type BookingFilter = z.infer<typeof BookingFilter>;

export const listAllBookings = endpoint({
  method: "GET",
  path: "/api/admin/coaching/bookings",
  summary: "The 1-on-1 sessions of everybody or of one student, the latest booked first, a page of them",
  permission: "coaching:read",
  query: BookingFilter.extend(paging),
  reply: pageOf(AdminBooking),
});

export const getStudentCoaching = endpoint({
  method: "GET",
  path: "/api/admin/coaching/students/{id}",
  summary: "What a student has left, and with whom it can be booked",
  permission: "coaching:read",
  params: z.object({ id: recordId }),
  reply: z.object({
    allowance: Allowance.nullable(),
    coaches: z.array(z.object({ id: z.string(), name: z.string() })).describe("Those who offer sessions"),
  }),
});
