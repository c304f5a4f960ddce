import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, primaryKey, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { BookingState, CancelledBy, LiveState } from "#contract/coaching/coaching.ts";
import type { Tier } from "#contract/tiers.ts";
import { id, instant } from "#server/db/columns.ts";
import { ofUser, users } from "#server/identity/tables.ts";

/** A user with a row here is a coach. */
export const coaches = snakeCase.table("coaches", {
  userId: text()
    .primaryKey()
    .references(() => users.id),
  /** Hides the user's id from students. */
  publicId: text().notNull().unique().default(sql`replace(gen_random_uuid()::text, '-', '')`),
  displayName: text().notNull(),
  /** IANA. Hours and days are in this zone. */
  timeZone: text().notNull(),
  /** Null: the academy's MEETING_URL. */
  meetingUrl: text(),
  isActive: boolean().notNull().default(true),
  createdAt: instant().notNull(),
  updatedAt: instant().notNull(),
});

export const coachHours = snakeCase.table(
  "coach_hours",
  {
    id: id(),
    coachId: text()
      .notNull()
      .references(() => coaches.userId),
    /** Monday is 1. */
    weekday: integer().notNull(),
    /** Wall-clock time, `13:00`. The end may be `24:00`. */
    fromTime: text().notNull(),
    toTime: text().notNull(),
  },
  (table) => [
    index("coach_hours_coach_id").on(table.coachId),
    check("coach_hours_weekday", sql`${table.weekday} between 1 and 7`),
    check("coach_hours_order", sql`${table.fromTime} < ${table.toTime}`),
  ],
);

/** Replaces the weekly hours on a date. Both times are null when the coach is away. */
export const coachDays = snakeCase.table(
  "coach_days",
  {
    coachId: text()
      .notNull()
      .references(() => coaches.userId),
    date: date({ mode: "string" }).notNull(),
    fromTime: text(),
    toTime: text(),
  },
  (table) => [
    primaryKey({ columns: [table.coachId, table.date] }),
    check(
      "coach_days_order",
      sql`(${table.fromTime} is null) = (${table.toTime} is null) and coalesce(${table.fromTime} < ${table.toTime}, true)`,
    ),
  ],
);

export const bookings = snakeCase.table(
  "bookings",
  {
    id: id(),
    coachId: text()
      .notNull()
      .references(() => coaches.userId),
    userId: ofUser(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    /** IANA, the student's zone when the time was chosen. */
    studentZone: text().notNull(),
    state: text().$type<BookingState>().notNull().default("booked"),
    /** True once the session has ended, marked or not: the student may book the next one. */
    isOver: boolean().notNull().default(false),
    cancelledBy: text().$type<CancelledBy>(),
    isLate: boolean().notNull().default(false),
    isForgiven: boolean().notNull().default(false),
    moves: integer().notNull().default(0),
    sequence: integer().notNull().default(0),
    /** Replaces `{id}` in a meeting URL; random. */
    room: text().notNull(),
    prep: text(),
    lessonId: text(),
    joinedByStudentAt: instant(),
    joinedByCoachAt: instant(),
    summary: text(),
    /** When it was cancelled, held or missed. */
    closedAt: instant(),
    contestedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("bookings_coach_id").on(table.coachId, table.startsAt),
    index("bookings_user_id").on(table.userId, table.startsAt),
    index("bookings_created_at").on(table.createdAt, table.id),
    uniqueIndex("bookings_one_open").on(table.userId).where(sql`${table.state} = 'booked' and not ${table.isOver}`),
    check(
      "bookings_state",
      sql`${table.state} in ('booked', 'cancelled', 'held', 'missed-by-student', 'missed-by-coach')`,
    ),
    check("bookings_order", sql`${table.startsAt} < ${table.endsAt}`),
  ],
);

/** Sessions beyond the plan's, one for each source id. */
export const extraSessions = snakeCase.table(
  "extra_sessions",
  {
    id: id(),
    userId: ofUser(),
    reason: text().notNull(),
    sourceId: text().notNull(),
    expiresAt: instant().notNull(),
    bookingId: text().references(() => bookings.id),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("extra_sessions_user_id").on(table.userId),
    uniqueIndex("extra_sessions_source_id_unique").on(table.sourceId),
    uniqueIndex("extra_sessions_booking_id_unique").on(table.bookingId),
  ],
);

/** Group sessions, for all students of a tier. */
export const liveSessions = snakeCase.table(
  "live_sessions",
  {
    id: id(),
    title: text().notNull(),
    about: text().notNull(),
    coachId: text()
      .notNull()
      .references(() => coaches.userId),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    requiredTier: text().$type<Tier>().notNull(),
    /** Null: unlimited. */
    seats: integer(),
    /** Null: the coach's URL, or the academy's. */
    meetingUrl: text(),
    room: text().notNull(),
    state: text().$type<LiveState>().notNull().default("scheduled"),
    recordingVideoId: text(),
    recordingSeconds: integer(),
    sequence: integer().notNull().default(0),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("live_sessions_starts_at").on(table.startsAt),
    index("live_sessions_coach_id").on(table.coachId, table.startsAt),
    check("live_sessions_state", sql`${table.state} in ('scheduled', 'cancelled', 'held')`),
    check("live_sessions_order", sql`${table.startsAt} < ${table.endsAt}`),
  ],
);

export const liveSeats = snakeCase.table(
  "live_seats",
  {
    sessionId: text()
      .notNull()
      .references(() => liveSessions.id),
    userId: ofUser(),
    state: text().$type<"taken" | "given-up">().notNull().default("taken"),
    /** Adds to the calendar entry's sequence. */
    changes: integer().notNull().default(0),
    joinedAt: instant(),
    question: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sessionId, table.userId] }),
    index("live_seats_user_id").on(table.userId),
    check("live_seats_state", sql`${table.state} in ('taken', 'given-up')`),
  ],
);

export const coachingCalendars = snakeCase.table(
  "coaching_calendars",
  {
    userId: text()
      .primaryKey()
      .references(() => users.id),
    timeZone: text(),
    /** SHA-256 of the token in the URL, so that a copy of the table opens nobody's calendar. */
    tokenHash: text(),
    /** When the token was made. */
    openedAt: instant(),
    updatedAt: instant().notNull(),
  },
  (table) => [uniqueIndex("coaching_calendars_token_hash_unique").on(table.tokenHash)],
);

/** A coach sees one student at a time. @internal */
export const addedByMigrations = ["constraint bookings.bookings_no_overlap", "index bookings_no_overlap"];
