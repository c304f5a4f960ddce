CREATE SCHEMA "issuer";
--> statement-breakpoint
CREATE TABLE "issuer"."accounts" (
	"subject" text PRIMARY KEY,
	"email" text NOT NULL,
	"email_verified_at" timestamp with time zone,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"password_hash" text NOT NULL,
	"password_changed_at" timestamp with time zone NOT NULL,
	"last_sign_in_at" timestamp with time zone,
	"sign_ins_ended_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuer"."keys" (
	"id" text PRIMARY KEY,
	"sealed" text NOT NULL,
	"signs_from" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuer"."links" (
	"token_hash" text PRIMARY KEY,
	"purpose" text NOT NULL,
	"subject" text NOT NULL,
	"new_email" text,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuer"."logouts" (
	"subject" text PRIMARY KEY,
	"ended_at" timestamp with time zone NOT NULL,
	"kept_sid" text
);
--> statement-breakpoint
CREATE TABLE "issuer"."payloads" (
	"kind" text,
	"id" text,
	"payload" jsonb NOT NULL,
	"grant_id" text,
	"user_code" text,
	"uid" text,
	"account_id" text,
	"expires_at" timestamp with time zone,
	"consumed_at" timestamp with time zone,
	CONSTRAINT "payloads_pkey" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE TABLE "issuer"."recovery_codes" (
	"code_hash" text PRIMARY KEY,
	"subject" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuer"."second_factors" (
	"subject" text PRIMARY KEY,
	"secret" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grant_ends" (
	"id" text PRIMARY KEY,
	"grant_id" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"replaced_by" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"tier" text NOT NULL,
	"source" text NOT NULL,
	"source_id" text NOT NULL,
	"purchase_id" text,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "grants_source" CHECK ("source" in ('purchase', 'renewal', 'grace', 'administrator', 'credit-returned'))
);
--> statement-breakpoint
CREATE TABLE "announcement_choices" (
	"user_id" text PRIMARY KEY,
	"wanted" boolean DEFAULT true NOT NULL,
	"token" text DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') NOT NULL UNIQUE,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "announcement_recipients" (
	"announcement_id" text,
	"user_id" text,
	"due_at" timestamp with time zone NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"outcome" text,
	"closed_at" timestamp with time zone,
	CONSTRAINT "announcement_recipients_pkey" PRIMARY KEY("announcement_id","user_id"),
	CONSTRAINT "announcement_recipients_outcome" CHECK ("outcome" in ('sent', 'left-out', 'failed', 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "announcement_selections" (
	"selection_id" text,
	"user_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "announcement_selections_pkey" PRIMARY KEY("selection_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "announcements" (
	"id" text PRIMARY KEY,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"button_label" text,
	"button_url" text,
	"audience" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"people" integer DEFAULT 0 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "announcements_state" CHECK ("state" in ('draft', 'running', 'paused', 'stopped', 'done')),
	CONSTRAINT "announcements_button" CHECK (("button_label" is null) = ("button_url" is null))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" text PRIMARY KEY,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"before" json,
	"after" json,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bookmarks" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"lesson_id" text NOT NULL,
	"at" integer NOT NULL,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "claim_records" (
	"id" text PRIMARY KEY,
	"claim_id" text NOT NULL,
	"claim_text" text NOT NULL,
	"note" text NOT NULL,
	"link" text,
	"date" date NOT NULL,
	"recorded_by" text NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_drafts" (
	"kind" text,
	"id" text,
	"content" json NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "content_drafts_pkey" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE TABLE "content_version" (
	"id" boolean PRIMARY KEY DEFAULT true,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lesson_cues" (
	"lesson_id" text,
	"position" integer,
	"starts_at" integer NOT NULL,
	"ends_at" integer NOT NULL,
	"text" text NOT NULL,
	"search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', text) || to_tsvector('english', text)) STORED,
	CONSTRAINT "lesson_cues_pkey" PRIMARY KEY("lesson_id","position")
);
--> statement-breakpoint
CREATE TABLE "lessons" (
	"id" text PRIMARY KEY,
	"module_id" text NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"duration_seconds" integer NOT NULL,
	"video_id" text NOT NULL,
	"free_preview" boolean DEFAULT false NOT NULL,
	"coming_soon" boolean DEFAULT false NOT NULL,
	"released" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "modules" (
	"id" text PRIMARY KEY,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"required_tier" text NOT NULL,
	"coming_soon" boolean DEFAULT false NOT NULL,
	"intro_video" text,
	"released" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "past_plan_names" (
	"plan_id" text,
	"name" text NOT NULL,
	"until" timestamp with time zone,
	CONSTRAINT "past_plan_names_pkey" PRIMARY KEY("plan_id","until")
);
--> statement-breakpoint
CREATE TABLE "plan_prices" (
	"plan_id" text,
	"price" numeric(10,2) NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	CONSTRAINT "plan_prices_pkey" PRIMARY KEY("plan_id","starts_at"),
	CONSTRAINT "plan_prices_order" CHECK ("starts_at" < "ends_at")
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" text PRIMARY KEY,
	"name" text NOT NULL,
	"price" numeric(10,2) NOT NULL,
	"original_price" numeric(10,2),
	"tier" text NOT NULL,
	"billing" text NOT NULL,
	"description" text NOT NULL,
	"features" text[] NOT NULL,
	"coaching" json DEFAULT '{"sessions":0,"everyDays":30,"minutes":30}' NOT NULL,
	"button_label" text NOT NULL,
	"popular" boolean DEFAULT false NOT NULL,
	"position" integer NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "video_facts" (
	"video_id" text PRIMARY KEY,
	"requested_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone,
	"is_playable" boolean,
	"reason" text,
	"title" text,
	"duration_seconds" integer,
	"poster_key" text,
	"poster_reason" text
);
--> statement-breakpoint
CREATE TABLE "withdrawn_claims" (
	"claim_id" text PRIMARY KEY,
	"withdrawn_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
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
	"contested_at" timestamp with time zone,
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
	"public_id" text DEFAULT replace(gen_random_uuid()::text, '-', '') NOT NULL UNIQUE,
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
	"opened_at" timestamp with time zone,
	"updated_at" timestamp with time zone NOT NULL
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
	"changes" integer DEFAULT 0 NOT NULL,
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
CREATE TABLE "contact_replies" (
	"id" text PRIMARY KEY,
	"contact_id" text NOT NULL,
	"author_id" text NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" text PRIMARY KEY,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"message" text NOT NULL,
	"client_hash" text NOT NULL,
	"is_suspected" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'new' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"search_text" text GENERATED ALWAYS AS (search_form(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(message, ''))) STORED,
	CONSTRAINT "contacts_state" CHECK ("state" in ('new', 'open', 'answered'))
);
--> statement-breakpoint
CREATE TABLE "coupon_uses" (
	"coupon_code" text,
	"user_id" text,
	"state" text NOT NULL,
	"address_hash" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "coupon_uses_pkey" PRIMARY KEY("coupon_code","user_id"),
	CONSTRAINT "coupon_uses_state" CHECK ("state" in ('reserved', 'used', 'released'))
);
--> statement-breakpoint
CREATE TABLE "coupons" (
	"code" text PRIMARY KEY,
	"kind" text NOT NULL,
	"percent" integer,
	"off" numeric(10,2),
	"plans" text[] NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"max_uses" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"first_purchase_only" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "coupons_code" CHECK ("code" ~ '^[A-Z0-9-]{4,24}$'),
	CONSTRAINT "coupons_kind" CHECK ("kind" in ('percent', 'fixed')),
	CONSTRAINT "coupons_worth" CHECK (case "kind" when 'percent' then coalesce("percent", 0) between 1 and 90 and "off" is null
        else coalesce("off", 0) > 0 and "percent" is null end),
	CONSTRAINT "coupons_plans" CHECK (cardinality("plans") > 0 and "plans" <@ array['basic', 'premium', 'vip']),
	CONSTRAINT "coupons_dates" CHECK ("starts_at" < "ends_at"),
	CONSTRAINT "coupons_uses" CHECK ("uses" >= 0 and "max_uses" > 0)
);
--> statement-breakpoint
CREATE TABLE "limits" (
	"key" text PRIMARY KEY,
	"uses" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operational_marks" (
	"name" text PRIMARY KEY,
	"value" json NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "discrepancies" (
	"id" text PRIMARY KEY,
	"key" text NOT NULL UNIQUE,
	"kind" text NOT NULL,
	"transaction_id" text,
	"attempt_id" text,
	"purchase_id" text,
	"user_id" text,
	"subject_id" text,
	"detail" text,
	"expected" numeric(10,2),
	"found" numeric(10,2),
	"found_at" timestamp with time zone NOT NULL,
	"claimed_at" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	"resolution" text,
	"resolved_by" text
);
--> statement-breakpoint
CREATE TABLE "unnamed_files" (
	"key" text PRIMARY KEY,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"sweeps" integer DEFAULT 1 NOT NULL,
	"trashed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "ended_sign_ins" (
	"issuer" text,
	"subject" text,
	"ended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ended_sign_ins_pkey" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text,
	"subject" text,
	"user_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_sign_in_at" timestamp with time zone NOT NULL,
	"used_second_factor" boolean,
	CONSTRAINT "identities_pkey" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"sid" text PRIMARY KEY,
	"sess" json NOT NULL,
	"expire" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"email_verified_at" timestamp with time zone,
	"first_name" text,
	"last_name" text,
	"profile_image_url" text,
	"phone" text,
	"location" text,
	"bio" text,
	"has_purchased_course" boolean DEFAULT false NOT NULL,
	"purchased_tier" text,
	"account_status" text DEFAULT 'active' NOT NULL,
	"role" text,
	"suspension_reason" text,
	"sessions_ended_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"search_text" text GENERATED ALWAYS AS (search_form(coalesce(email, '') || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) STORED,
	CONSTRAINT "users_role_known" CHECK ("role" in ('owner', 'administrator', 'support'))
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY,
	"name" text NOT NULL,
	"data" json NOT NULL,
	"key" text,
	"run_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp with time zone,
	"last_error" text,
	"failed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"traceparent" text
);
--> statement-breakpoint
CREATE TABLE "sent_emails" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_validations" (
	"id" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"user_id" text NOT NULL,
	"state" text NOT NULL,
	"token_hash" text NOT NULL,
	"client_hash" text,
	"reason_code" text,
	"sent_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "card_validations_state" CHECK ("state" in ('sent', 'kept', 'declined', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "counted_charges" (
	"attempt_id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"plan_id" text NOT NULL,
	"is_first" boolean NOT NULL,
	"cents" integer NOT NULL,
	"charged_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payment_attempts" (
	"id" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"initiated_by" text DEFAULT 'student' NOT NULL,
	"renews_from" timestamp with time zone,
	"idempotency_key" text NOT NULL,
	"reference" text NOT NULL,
	"invoice_number" text NOT NULL,
	"amount" numeric(10,2) NOT NULL,
	"state" text NOT NULL,
	"payment_profile_id" text,
	"transaction_id" text,
	"cause" text,
	"response_code" text,
	"reason_code" text,
	"avs" text,
	"cvv" text,
	"last4" text,
	"brand" text,
	"client_hash" text,
	"note" text,
	"sent_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	CONSTRAINT "payment_attempts_kind" CHECK ("kind" in ('initial', 'renewal')),
	CONSTRAINT "payment_attempts_initiated_by" CHECK ("initiated_by" in ('student', 'renewal')),
	CONSTRAINT "payment_attempts_state" CHECK ("state" in ('sent', 'unknown', 'held', 'approved', 'declined', 'not-processed'))
);
--> statement-breakpoint
CREATE TABLE "payment_methods" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"customer_profile_id" text,
	"payment_profile_id" text,
	"network_transaction_id" text,
	"charged_amount" numeric(10,2),
	"brand" text,
	"last4" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bulk_action_people" (
	"bulk_action_id" text,
	"user_id" text,
	"number" integer NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"outcome" text,
	"skipped_because" text,
	"action_id" text NOT NULL,
	"before" json,
	"closed_at" timestamp with time zone,
	CONSTRAINT "bulk_action_people_pkey" PRIMARY KEY("bulk_action_id","user_id"),
	CONSTRAINT "bulk_action_people_outcome" CHECK ("outcome" in ('done', 'skipped')),
	CONSTRAINT "bulk_action_people_skipped_because" CHECK ("skipped_because" in ('team', 'left', 'has-it', 'higher-plan', 'nothing-renews', 'declined', 'blocked', 'suspended', 'not-blocked', 'changed', 'unpaid', 'failed', 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "bulk_actions" (
	"id" text PRIMARY KEY,
	"actor_id" text NOT NULL,
	"kind" text NOT NULL,
	"tier" text,
	"ends_at" timestamp with time zone,
	"reason" text,
	"undoes" text UNIQUE,
	"state" text DEFAULT 'running' NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"people" integer DEFAULT 0 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "bulk_actions_kind" CHECK ("kind" in ('grant', 'hold', 'suspend', 'reactivate')),
	CONSTRAINT "bulk_actions_tier" CHECK ("tier" in ('basic', 'premium', 'vip')),
	CONSTRAINT "bulk_actions_state" CHECK ("state" in ('running', 'paused', 'stopped', 'done'))
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY,
	"email" text NOT NULL UNIQUE,
	"tier" text,
	"role" text,
	"author_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"accepted_at" timestamp with time zone,
	CONSTRAINT "invitations_tier" CHECK ("tier" in ('basic', 'premium', 'vip')),
	CONSTRAINT "invitations_role" CHECK ("role" in ('owner', 'administrator', 'support'))
);
--> statement-breakpoint
CREATE TABLE "person_mails" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"author_id" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "person_notes" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"author_id" text NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_progress" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"lesson_id" text NOT NULL,
	"module_id" text NOT NULL,
	"is_completed" boolean DEFAULT false NOT NULL,
	"watched" int4multirange DEFAULT '{}' NOT NULL,
	"watch_time" numeric(10,2) DEFAULT '0' NOT NULL,
	"credit_since" timestamp with time zone NOT NULL,
	"position" numeric(10,2) DEFAULT '0' NOT NULL,
	"position_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "player_choices" (
	"user_id" text PRIMARY KEY,
	"plays_next" boolean NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"address_hash" text,
	"plan_id" text NOT NULL,
	"tier" text NOT NULL,
	"amount" numeric(10,2) NOT NULL,
	"credit" numeric(10,2) DEFAULT '0' NOT NULL,
	"credit_from" jsonb DEFAULT '[]' NOT NULL,
	"discount" numeric(10,2) DEFAULT '0' NOT NULL,
	"coupon_code" text,
	"renewal_amount" numeric(10,2),
	"quote_id" text,
	"transaction_id" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"gives_access" boolean,
	"status_message" text,
	"last_payment_attempt" timestamp with time zone,
	"consent" json,
	"coaching" json NOT NULL,
	"refund_days" integer DEFAULT 7 NOT NULL,
	"completed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "purchases_status" CHECK ("status" in ('pending', 'completed', 'declined', 'failed', 'refunded')),
	CONSTRAINT "purchases_discount" CHECK (case when "coupon_code" is null then "discount" = 0 else "discount" > 0 end)
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"plan_id" text NOT NULL,
	"basis" json NOT NULL,
	"total" numeric(10,2) NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliation_runs" (
	"id" text PRIMARY KEY,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"checked" integer NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY,
	"event" text NOT NULL,
	"transaction_id" text,
	"body" text NOT NULL,
	"is_conflicting" boolean DEFAULT false NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"applied_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"attempt_id" text NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(10,2) NOT NULL,
	"ends_access" boolean NOT NULL,
	"access_kept_until" timestamp with time zone,
	"reference" text NOT NULL,
	"invoice_number" text,
	"replaces" text,
	"state" text NOT NULL,
	"cause" text,
	"transaction_id" text,
	"actor" text NOT NULL,
	"reason" text,
	"note" text,
	"sent_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	CONSTRAINT "refunds_kind" CHECK ("kind" in ('void', 'refund')),
	CONSTRAINT "refunds_state" CHECK ("state" in ('sent', 'unknown', 'returned', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "course_resources" (
	"id" text PRIMARY KEY,
	"module_id" text NOT NULL,
	"lesson_id" text,
	"title" text NOT NULL,
	"description" text,
	"file_url" text GENERATED ALWAYS AS ('/api/download/' || id) STORED NOT NULL,
	"storage_key" text NOT NULL UNIQUE,
	"file_name" text NOT NULL,
	"format" text NOT NULL,
	"file_type" text GENERATED ALWAYS AS (case when format in ('xlsx', 'xls') then 'excel' when format in ('docx', 'doc') then 'doc' when format = 'pdf' then 'pdf' else 'other' end) STORED NOT NULL,
	"file_size" bigint NOT NULL,
	"sha256" text NOT NULL,
	"required_tier" text NOT NULL,
	"download_count" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"file_missing_since" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "resource_downloads" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"resource_id" text NOT NULL,
	"downloaded_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "past_sellers" (
	"until" timestamp with time zone PRIMARY KEY,
	"value" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"id" text PRIMARY KEY,
	"png" bytea NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"published_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY,
	"value" json NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_links" (
	"token_hash" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"user_id" text NOT NULL,
	"plan_id" text NOT NULL,
	"tier" text NOT NULL,
	"begun_at" timestamp with time zone,
	"is_paid" boolean DEFAULT false NOT NULL,
	"price" numeric(10,2) NOT NULL,
	"payment_method_id" text NOT NULL,
	"status" text NOT NULL,
	"current_period_start" timestamp with time zone NOT NULL,
	"current_period_end" timestamp with time zone NOT NULL,
	"next_charge_at" timestamp with time zone,
	"grace_from" timestamp with time zone,
	"dunning_since" timestamp with time zone,
	"reopened_until" timestamp with time zone,
	"declined_for_good" boolean DEFAULT false NOT NULL,
	"cancelled_at" timestamp with time zone,
	"last_attempt_at" timestamp with time zone,
	"unpaid_told_for" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "subscriptions_status" CHECK ("status" in ('active', 'retrying', 'declined', 'on_hold', 'held', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "visit_counts" (
	"day" date,
	"step" text,
	"visits" integer NOT NULL,
	CONSTRAINT "visit_counts_pkey" PRIMARY KEY("day","step"),
	CONSTRAINT "visit_counts_step" CHECK ("step" in ('landing', 'plan', 'sign-in'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email_key" ON "issuer"."accounts" (lower("email"));--> statement-breakpoint
CREATE INDEX "links_subject_index" ON "issuer"."links" ("subject");--> statement-breakpoint
CREATE INDEX "links_expires_at_index" ON "issuer"."links" ("expires_at");--> statement-breakpoint
CREATE INDEX "payloads_grant_id_index" ON "issuer"."payloads" ("grant_id");--> statement-breakpoint
CREATE INDEX "payloads_uid_index" ON "issuer"."payloads" ("uid");--> statement-breakpoint
CREATE INDEX "payloads_account_id_index" ON "issuer"."payloads" ("account_id");--> statement-breakpoint
CREATE INDEX "payloads_expires_at_index" ON "issuer"."payloads" ("expires_at");--> statement-breakpoint
CREATE INDEX "recovery_codes_subject_index" ON "issuer"."recovery_codes" ("subject");--> statement-breakpoint
CREATE INDEX "grant_ends_grant_id" ON "grant_ends" ("grant_id");--> statement-breakpoint
CREATE INDEX "grant_ends_replaced_by" ON "grant_ends" ("replaced_by");--> statement-breakpoint
CREATE INDEX "grants_user_id" ON "grants" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "grants_source_unique" ON "grants" ("source","source_id");--> statement-breakpoint
CREATE INDEX "announcement_recipients_due" ON "announcement_recipients" ("announcement_id","due_at") WHERE "outcome" is null;--> statement-breakpoint
CREATE INDEX "announcement_recipients_user_id" ON "announcement_recipients" ("user_id");--> statement-breakpoint
CREATE INDEX "announcement_recipients_closed_at" ON "announcement_recipients" ("closed_at");--> statement-breakpoint
CREATE INDEX "announcement_selections_user_id" ON "announcement_selections" ("user_id");--> statement-breakpoint
CREATE INDEX "announcement_selections_created_at" ON "announcement_selections" ("created_at");--> statement-breakpoint
CREATE INDEX "announcements_created_at" ON "announcements" ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" ("subject","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_created_at" ON "audit_log" ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "bookmarks_user_lesson_at_unique" ON "bookmarks" ("user_id","lesson_id","at");--> statement-breakpoint
CREATE INDEX "claim_records_claim_id" ON "claim_records" ("claim_id","recorded_at");--> statement-breakpoint
CREATE INDEX "lesson_cues_search" ON "lesson_cues" USING gin ("search");--> statement-breakpoint
CREATE INDEX "lessons_module_id" ON "lessons" ("module_id","position");--> statement-breakpoint
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
CREATE INDEX "contact_replies_contact_id" ON "contact_replies" ("contact_id","written_at");--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contacts_created_at" ON "contacts" ("created_at","id");--> statement-breakpoint
CREATE INDEX "contacts_email" ON "contacts" (lower("email"));--> statement-breakpoint
CREATE INDEX "coupon_uses_user_id" ON "coupon_uses" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "coupon_uses_address_hash_unique" ON "coupon_uses" ("coupon_code","address_hash") WHERE "state" in ('reserved', 'used');--> statement-breakpoint
CREATE INDEX "coupons_created_at" ON "coupons" ("created_at");--> statement-breakpoint
CREATE INDEX "limits_ends_at" ON "limits" ("ends_at");--> statement-breakpoint
CREATE INDEX "discrepancies_found_at" ON "discrepancies" ("found_at");--> statement-breakpoint
CREATE INDEX "discrepancies_open" ON "discrepancies" ("user_id") WHERE ("resolved_at" is null);--> statement-breakpoint
CREATE INDEX "unnamed_files_trashed_at" ON "unnamed_files" ("trashed_at");--> statement-breakpoint
CREATE INDEX "ended_sign_ins_ended_at" ON "ended_sign_ins" ("ended_at");--> statement-breakpoint
CREATE INDEX "identities_user_id" ON "identities" ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expire" ON "sessions" ("expire");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" (("sess" ->> 'userId'));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_profile_image_url_unique" ON "users" ("profile_image_url");--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_created_at" ON "users" ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_role" ON "users" ("role") WHERE ("role" is not null);--> statement-breakpoint
CREATE INDEX "jobs_run_at" ON "jobs" ("run_at");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_name_key_unique" ON "jobs" ("name","key");--> statement-breakpoint
CREATE INDEX "sent_emails_user_id" ON "sent_emails" ("user_id","sent_at");--> statement-breakpoint
CREATE INDEX "sent_emails_sent_at" ON "sent_emails" ("sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "card_validations_token_hash_unique" ON "card_validations" ("token_hash");--> statement-breakpoint
CREATE INDEX "card_validations_sent_at" ON "card_validations" ("sent_at");--> statement-breakpoint
CREATE INDEX "counted_charges_charged_at" ON "counted_charges" ("charged_at","plan_id","cents","is_first");--> statement-breakpoint
CREATE INDEX "counted_charges_user_id" ON "counted_charges" ("user_id","charged_at","plan_id","cents");--> statement-breakpoint
CREATE INDEX "payment_attempts_purchase_id" ON "payment_attempts" ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_idempotency_key_unique" ON "payment_attempts" ("idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_reference_unique" ON "payment_attempts" ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_transaction_id_unique" ON "payment_attempts" ("transaction_id");--> statement-breakpoint
CREATE INDEX "payment_attempts_approved" ON "payment_attempts" ("resolved_at","purchase_id","renews_from") WHERE "state" = 'approved';--> statement-breakpoint
CREATE INDEX "payment_attempts_card" ON "payment_attempts" ("last4","brand","user_id") WHERE "state" = 'approved';--> statement-breakpoint
CREATE INDEX "payment_attempts_recheck" ON "payment_attempts" (coalesce("checked_at", "resolved_at")) WHERE "state" = 'approved';--> statement-breakpoint
CREATE INDEX "payment_attempts_declined" ON "payment_attempts" ("sent_at","purchase_id","renews_from","kind") WHERE "state" = 'declined';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_one_open" ON "payment_attempts" ("user_id") WHERE "state" in ('sent', 'unknown', 'held');--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_one_per_period" ON "payment_attempts" ("purchase_id","renews_from") WHERE "state" in ('sent', 'unknown', 'held', 'approved');--> statement-breakpoint
CREATE INDEX "payment_methods_user_id" ON "payment_methods" ("user_id");--> statement-breakpoint
CREATE INDEX "payment_methods_payment_profile_id" ON "payment_methods" ("payment_profile_id");--> statement-breakpoint
CREATE INDEX "bulk_action_people_waiting" ON "bulk_action_people" ("bulk_action_id","tries","number") WHERE "outcome" is null;--> statement-breakpoint
CREATE INDEX "bulk_action_people_user_id" ON "bulk_action_people" ("user_id");--> statement-breakpoint
CREATE INDEX "bulk_action_people_closed_at" ON "bulk_action_people" ("closed_at");--> statement-breakpoint
CREATE INDEX "bulk_actions_created_at" ON "bulk_actions" ("created_at","id");--> statement-breakpoint
CREATE INDEX "invitations_expires_at" ON "invitations" ("expires_at");--> statement-breakpoint
CREATE INDEX "person_mails_user_id" ON "person_mails" ("user_id","written_at");--> statement-breakpoint
CREATE INDEX "person_mails_written_at" ON "person_mails" ("written_at");--> statement-breakpoint
CREATE INDEX "person_notes_user_id" ON "person_notes" ("user_id","written_at");--> statement-breakpoint
CREATE UNIQUE INDEX "course_progress_user_lesson_unique" ON "course_progress" ("user_id","lesson_id");--> statement-breakpoint
CREATE INDEX "course_progress_unfinished" ON "course_progress" ("lesson_id","user_id") WHERE not "is_completed";--> statement-breakpoint
CREATE INDEX "purchases_coupon_code" ON "purchases" ("coupon_code") WHERE "coupon_code" is not null;--> statement-breakpoint
CREATE INDEX "purchases_address_hash" ON "purchases" ("address_hash") WHERE ("address_hash" is not null);--> statement-breakpoint
CREATE INDEX "purchases_user_id" ON "purchases" ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "purchases_completed_user_id" ON "purchases" ("user_id") WHERE "status" = 'completed';--> statement-breakpoint
CREATE INDEX "purchases_completed_at" ON "purchases" ("completed_at");--> statement-breakpoint
CREATE INDEX "purchases_created_at" ON "purchases" ("created_at","id");--> statement-breakpoint
CREATE INDEX "purchases_amount" ON "purchases" ("amount","id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_transaction_id_unique" ON "purchases" ("transaction_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_quote_id_unique" ON "purchases" ("quote_id") WHERE "status" in ('pending', 'completed', 'refunded');--> statement-breakpoint
CREATE INDEX "quotes_expires_at" ON "quotes" ("expires_at");--> statement-breakpoint
CREATE INDEX "quotes_user_id" ON "quotes" ("user_id");--> statement-breakpoint
CREATE INDEX "reconciliation_runs_started_at" ON "reconciliation_runs" ("started_at");--> statement-breakpoint
CREATE INDEX "webhooks_received_at" ON "webhooks" ("received_at");--> statement-breakpoint
CREATE INDEX "refunds_purchase_id" ON "refunds" ("purchase_id");--> statement-breakpoint
CREATE INDEX "refunds_transaction_id" ON "refunds" ("transaction_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_reference_unique" ON "refunds" ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_open" ON "refunds" ("attempt_id") WHERE "state" in ('sent', 'unknown');--> statement-breakpoint
CREATE INDEX "course_resources_module_id" ON "course_resources" ("module_id","lesson_id");--> statement-breakpoint
CREATE INDEX "resource_downloads_user_id" ON "resource_downloads" ("user_id","downloaded_at");--> statement-breakpoint
CREATE INDEX "resource_downloads_resource_id" ON "resource_downloads" ("resource_id");--> statement-breakpoint
CREATE INDEX "card_links_purchase_id" ON "card_links" ("purchase_id");--> statement-breakpoint
CREATE INDEX "card_links_expires_at" ON "card_links" ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_purchase_id_unique" ON "subscriptions" ("purchase_id");--> statement-breakpoint
CREATE INDEX "subscriptions_user_id" ON "subscriptions" ("user_id");--> statement-breakpoint
CREATE INDEX "subscriptions_payment_method_id" ON "subscriptions" ("payment_method_id");--> statement-breakpoint
CREATE INDEX "subscriptions_next_charge_at" ON "subscriptions" ("next_charge_at") WHERE "next_charge_at" is not null;--> statement-breakpoint
ALTER TABLE "issuer"."links" ADD CONSTRAINT "links_subject_accounts_subject_fkey" FOREIGN KEY ("subject") REFERENCES "issuer"."accounts"("subject") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "issuer"."recovery_codes" ADD CONSTRAINT "recovery_codes_subject_accounts_subject_fkey" FOREIGN KEY ("subject") REFERENCES "issuer"."accounts"("subject") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "issuer"."second_factors" ADD CONSTRAINT "second_factors_subject_accounts_subject_fkey" FOREIGN KEY ("subject") REFERENCES "issuer"."accounts"("subject") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "grant_ends" ADD CONSTRAINT "grant_ends_grant_id_grants_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id");--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "announcement_choices" ADD CONSTRAINT "announcement_choices_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "announcement_recipients" ADD CONSTRAINT "announcement_recipients_announcement_id_announcements_id_fkey" FOREIGN KEY ("announcement_id") REFERENCES "announcements"("id");--> statement-breakpoint
ALTER TABLE "announcement_recipients" ADD CONSTRAINT "announcement_recipients_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "announcement_selections" ADD CONSTRAINT "announcement_selections_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "bookmarks" ADD CONSTRAINT "bookmarks_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "bookmarks" ADD CONSTRAINT "bookmarks_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
ALTER TABLE "lesson_cues" ADD CONSTRAINT "lesson_cues_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_module_id_modules_id_fkey" FOREIGN KEY ("module_id") REFERENCES "modules"("id");--> statement-breakpoint
ALTER TABLE "past_plan_names" ADD CONSTRAINT "past_plan_names_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "plan_prices" ADD CONSTRAINT "plan_prices_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_coach_id_coaches_user_id_fkey" FOREIGN KEY ("coach_id") REFERENCES "coaches"("user_id");--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "coach_days" ADD CONSTRAINT "coach_days_coach_id_coaches_user_id_fkey" FOREIGN KEY ("coach_id") REFERENCES "coaches"("user_id");--> statement-breakpoint
ALTER TABLE "coach_hours" ADD CONSTRAINT "coach_hours_coach_id_coaches_user_id_fkey" FOREIGN KEY ("coach_id") REFERENCES "coaches"("user_id");--> statement-breakpoint
ALTER TABLE "coaches" ADD CONSTRAINT "coaches_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "coaching_calendars" ADD CONSTRAINT "coaching_calendars_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "extra_sessions" ADD CONSTRAINT "extra_sessions_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "extra_sessions" ADD CONSTRAINT "extra_sessions_booking_id_bookings_id_fkey" FOREIGN KEY ("booking_id") REFERENCES "bookings"("id");--> statement-breakpoint
ALTER TABLE "live_seats" ADD CONSTRAINT "live_seats_session_id_live_sessions_id_fkey" FOREIGN KEY ("session_id") REFERENCES "live_sessions"("id");--> statement-breakpoint
ALTER TABLE "live_seats" ADD CONSTRAINT "live_seats_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "live_sessions" ADD CONSTRAINT "live_sessions_coach_id_coaches_user_id_fkey" FOREIGN KEY ("coach_id") REFERENCES "coaches"("user_id");--> statement-breakpoint
ALTER TABLE "contact_replies" ADD CONSTRAINT "contact_replies_contact_id_contacts_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_coupon_code_coupons_code_fkey" FOREIGN KEY ("coupon_code") REFERENCES "coupons"("code");--> statement-breakpoint
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "card_validations" ADD CONSTRAINT "card_validations_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "bulk_action_people" ADD CONSTRAINT "bulk_action_people_bulk_action_id_bulk_actions_id_fkey" FOREIGN KEY ("bulk_action_id") REFERENCES "bulk_actions"("id");--> statement-breakpoint
ALTER TABLE "bulk_action_people" ADD CONSTRAINT "bulk_action_people_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "person_mails" ADD CONSTRAINT "person_mails_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "person_notes" ADD CONSTRAINT "person_notes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "course_progress" ADD CONSTRAINT "course_progress_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "course_progress" ADD CONSTRAINT "course_progress_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
ALTER TABLE "course_progress" ADD CONSTRAINT "course_progress_module_id_modules_id_fkey" FOREIGN KEY ("module_id") REFERENCES "modules"("id");--> statement-breakpoint
ALTER TABLE "player_choices" ADD CONSTRAINT "player_choices_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_coupon_use_fkey" FOREIGN KEY ("coupon_code","user_id") REFERENCES "coupon_uses"("coupon_code","user_id");--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_attempt_id_payment_attempts_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "payment_attempts"("id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "course_resources" ADD CONSTRAINT "course_resources_module_id_modules_id_fkey" FOREIGN KEY ("module_id") REFERENCES "modules"("id");--> statement-breakpoint
ALTER TABLE "course_resources" ADD CONSTRAINT "course_resources_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
ALTER TABLE "resource_downloads" ADD CONSTRAINT "resource_downloads_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "resource_downloads" ADD CONSTRAINT "resource_downloads_resource_id_course_resources_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "course_resources"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "card_links" ADD CONSTRAINT "card_links_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_payment_method_id_payment_methods_id_fkey" FOREIGN KEY ("payment_method_id") REFERENCES "payment_methods"("id");--> statement-breakpoint
CREATE VIEW "purchases_with_subscriptions" AS (select "purchases"."id", "purchases"."user_id", "purchases"."tier", "purchases"."amount", "purchases"."transaction_id", "purchases"."status", "subscriptions"."id" as "subscription_id", "subscriptions"."id" is not null as "is_recurring", "subscriptions"."next_charge_at" as "next_billing_date", case
        when "subscriptions"."id" is null or "subscriptions"."status" in ('active', 'retrying', 'declined') then 'active'
        when "subscriptions"."status" in ('cancelled') then 'cancelled' else 'on_hold' end as "subscription_status", coalesce("subscriptions"."status" in ('declined', 'on_hold'), false) as "payment_declined", coalesce("subscriptions"."last_attempt_at", "purchases"."last_payment_attempt") as "last_payment_attempt", "purchases"."created_at" from "purchases" left join "subscriptions" on "subscriptions"."purchase_id" = "purchases"."id");