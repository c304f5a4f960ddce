CREATE TABLE "bookings" (
	"id" text PRIMARY KEY,
	"coach_id" text NOT NULL,
	"user_id" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"student_zone" text NOT NULL,
	"state" text DEFAULT 'booked' NOT NULL,
	"is_over" boolean DEFAULT false NOT NULL,
	"cancelled_by" text,
	"is_late" boolean DEFAULT false NOT NULL,
	"is_forgiven" boolean DEFAULT false NOT NULL,
	"moves" integer DEFAULT 0 NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"room" text NOT NULL,
	"prep" text,
	"lesson_id" text,
	"joined_by_student_at" timestamp with time zone,
	"joined_by_coach_at" timestamp with time zone,
	"summary" text,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bookings_state" CHECK ("state" in ('booked', 'cancelled', 'held', 'missed-by-student', 'missed-by-coach')),
	CONSTRAINT "bookings_order" CHECK ("starts_at" < "ends_at")
);
--> statement-breakpoint
CREATE TABLE "coach_days" (
	"coach_id" text,
	"date" date,
	"from_time" text,
	"to_time" text,
	CONSTRAINT "coach_days_pkey" PRIMARY KEY("coach_id","date"),
	CONSTRAINT "coach_days_order" CHECK (("from_time" is null) = ("to_time" is null) and coalesce("from_time" < "to_time", true))
);
--> statement-breakpoint
CREATE TABLE "coach_hours" (
	"id" text PRIMARY KEY,
	"coach_id" text NOT NULL,
	"weekday" integer NOT NULL,
	"from_time" text NOT NULL,
	"to_time" text NOT NULL,
	CONSTRAINT "coach_hours_weekday" CHECK ("weekday" between 1 and 7),
	CONSTRAINT "coach_hours_order" CHECK ("from_time" < "to_time")
);
--> statement-breakpoint
CREATE TABLE "coaches" (
	"user_id" text PRIMARY KEY,
	"display_name" text NOT NULL,
	"time_zone" text NOT NULL,
	"meeting_url" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "coaching_calendars" (
	"user_id" text PRIMARY KEY,
	"time_zone" text,
	"token_hash" text,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "coaching_offers" (
	"date" date,
	"coach_id" text,
	"sessions" integer NOT NULL,
	CONSTRAINT "coaching_offers_pkey" PRIMARY KEY("date","coach_id")
);
--> statement-breakpoint
CREATE TABLE "extra_sessions" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"reason" text NOT NULL,
	"source_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"booking_id" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "live_seats" (
	"session_id" text,
	"user_id" text,
	"state" text DEFAULT 'taken' NOT NULL,
	"joined_at" timestamp with time zone,
	"question" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "live_seats_pkey" PRIMARY KEY("session_id","user_id"),
	CONSTRAINT "live_seats_state" CHECK ("state" in ('taken', 'given-up'))
);
--> statement-breakpoint
CREATE TABLE "live_sessions" (
	"id" text PRIMARY KEY,
	"title" text NOT NULL,
	"about" text NOT NULL,
	"coach_id" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"required_tier" text NOT NULL,
	"seats" integer,
	"meeting_url" text,
	"room" text NOT NULL,
	"state" text DEFAULT 'scheduled' NOT NULL,
	"recording_video_id" text,
	"recording_seconds" integer,
	"sequence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "live_sessions_state" CHECK ("state" in ('scheduled', 'cancelled', 'held')),
	CONSTRAINT "live_sessions_order" CHECK ("starts_at" < "ends_at")
);
--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "coaching" json DEFAULT '{"sessions":0,"everyDays":30,"minutes":30}' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "coaching" json;--> statement-breakpoint
CREATE INDEX "bookings_coach_id" ON "bookings" ("coach_id","starts_at");--> statement-breakpoint
CREATE INDEX "bookings_user_id" ON "bookings" ("user_id","starts_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_one_open" ON "bookings" ("user_id") WHERE "state" = 'booked' and not "is_over";--> statement-breakpoint
CREATE INDEX "coach_hours_coach_id" ON "coach_hours" ("coach_id");--> statement-breakpoint
CREATE UNIQUE INDEX "coaching_calendars_token_hash_unique" ON "coaching_calendars" ("token_hash");--> statement-breakpoint
CREATE INDEX "extra_sessions_user_id" ON "extra_sessions" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "extra_sessions_source_id_unique" ON "extra_sessions" ("source_id");--> statement-breakpoint
CREATE UNIQUE INDEX "extra_sessions_booking_id_unique" ON "extra_sessions" ("booking_id");--> statement-breakpoint
CREATE INDEX "live_seats_user_id" ON "live_seats" ("user_id");--> statement-breakpoint
CREATE INDEX "live_sessions_starts_at" ON "live_sessions" ("starts_at");--> statement-breakpoint
CREATE INDEX "live_sessions_coach_id" ON "live_sessions" ("coach_id","starts_at");--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_coach_id_coaches_user_id_fkey" FOREIGN KEY ("coach_id") REFERENCES "coaches"("user_id");--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "coach_days" ADD CONSTRAINT "coach_days_coach_id_coaches_user_id_fkey" FOREIGN KEY ("coach_id") REFERENCES "coaches"("user_id");--> statement-breakpoint
ALTER TABLE "coach_hours" ADD CONSTRAINT "coach_hours_coach_id_coaches_user_id_fkey" FOREIGN KEY ("coach_id") REFERENCES "coaches"("user_id");--> statement-breakpoint
ALTER TABLE "coaches" ADD CONSTRAINT "coaches_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "coaching_calendars" ADD CONSTRAINT "coaching_calendars_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "coaching_offers" ADD CONSTRAINT "coaching_offers_coach_id_coaches_user_id_fkey" FOREIGN KEY ("coach_id") REFERENCES "coaches"("user_id");--> statement-breakpoint
ALTER TABLE "extra_sessions" ADD CONSTRAINT "extra_sessions_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "extra_sessions" ADD CONSTRAINT "extra_sessions_booking_id_bookings_id_fkey" FOREIGN KEY ("booking_id") REFERENCES "bookings"("id");--> statement-breakpoint
ALTER TABLE "live_seats" ADD CONSTRAINT "live_seats_session_id_live_sessions_id_fkey" FOREIGN KEY ("session_id") REFERENCES "live_sessions"("id");--> statement-breakpoint
ALTER TABLE "live_seats" ADD CONSTRAINT "live_seats_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "live_sessions" ADD CONSTRAINT "live_sessions_coach_id_coaches_user_id_fkey" FOREIGN KEY ("coach_id") REFERENCES "coaches"("user_id");