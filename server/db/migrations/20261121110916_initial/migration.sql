CREATE SCHEMA "issuer";
--> statement-breakpoint
CREATE TABLE "grant_ends" (
	"id" text PRIMARY KEY,
	"grant_id" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"tier" text NOT NULL,
	"source" text NOT NULL,
	"source_id" text NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL
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
CREATE TABLE "lessons" (
	"id" text PRIMARY KEY,
	"module_id" text NOT NULL,
	"position" integer NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"duration_seconds" integer NOT NULL,
	"video_id" text NOT NULL,
	"free_preview" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "modules" (
	"id" text PRIMARY KEY,
	"position" integer NOT NULL UNIQUE,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"required_tier" text NOT NULL,
	"coming_soon" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" text PRIMARY KEY,
	"name" text NOT NULL,
	"price" numeric(10,2) NOT NULL,
	"tier" text NOT NULL,
	"billing" text NOT NULL,
	"description" text NOT NULL,
	"features" text[] NOT NULL,
	"button_label" text NOT NULL,
	"popular" boolean DEFAULT false NOT NULL,
	"position" integer NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" text PRIMARY KEY,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"message" text NOT NULL,
	"client_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY,
	"value" json NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text,
	"subject" text,
	"user_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_sign_in_at" timestamp with time zone NOT NULL,
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
	"first_name" text,
	"last_name" text,
	"profile_image_url" text,
	"phone" text,
	"location" text,
	"bio" text,
	"has_purchased_course" boolean DEFAULT false NOT NULL,
	"purchased_tier" text,
	"account_status" text DEFAULT 'active' NOT NULL,
	"suspension_reason" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
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
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "course_progress" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"lesson_id" text NOT NULL,
	"module_id" text NOT NULL,
	"is_completed" boolean DEFAULT false NOT NULL,
	"watch_time" numeric(10,2) DEFAULT '0' NOT NULL,
	"position" numeric(10,2) DEFAULT '0' NOT NULL,
	"completed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_attempts" (
	"id" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"reference" text NOT NULL,
	"invoice_number" text NOT NULL,
	"amount" numeric(10,2) NOT NULL,
	"state" text NOT NULL,
	"transaction_id" text,
	"response_code" text,
	"reason_code" text,
	"avs" text,
	"cvv" text,
	"last4" text,
	"brand" text,
	"client_hash" text,
	"note" text,
	"sent_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"plan_id" text NOT NULL,
	"tier" text NOT NULL,
	"amount" numeric(10,2) NOT NULL,
	"transaction_id" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"status_message" text,
	"subscription_id" text,
	"is_recurring" boolean DEFAULT false NOT NULL,
	"next_billing_date" timestamp with time zone,
	"subscription_status" text DEFAULT 'active' NOT NULL,
	"payment_declined" boolean DEFAULT false NOT NULL,
	"last_payment_attempt" timestamp with time zone,
	"customer_profile_id" text,
	"payment_profile_id" text,
	"network_transaction_id" text,
	"consent" json,
	"completed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gateway_notifications" (
	"id" text PRIMARY KEY,
	"event" text NOT NULL,
	"transaction_id" text,
	"body" text NOT NULL,
	"is_conflicting" boolean DEFAULT false NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"applied_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "reconciliation_breaks" (
	"id" text PRIMARY KEY,
	"key" text NOT NULL UNIQUE,
	"kind" text NOT NULL,
	"transaction_id" text,
	"attempt_id" text,
	"purchase_id" text,
	"expected" numeric(10,2),
	"found" numeric(10,2),
	"found_at" timestamp with time zone NOT NULL,
	"claimed_at" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	"resolution" text,
	"resolved_by" text
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
CREATE TABLE "course_resources" (
	"id" text PRIMARY KEY,
	"module_id" text NOT NULL,
	"lesson_id" text,
	"title" text NOT NULL,
	"description" text,
	"file_url" text NOT NULL,
	"file_name" text NOT NULL,
	"file_type" text NOT NULL,
	"file_size" bigint,
	"required_tier" text NOT NULL,
	"download_count" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuer"."accounts" (
	"subject" text PRIMARY KEY,
	"email" text NOT NULL,
	"email_verified_at" timestamp with time zone,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"password_hash" text NOT NULL,
	"password_changed_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuer"."keys" (
	"id" text PRIMARY KEY,
	"jwks" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuer"."links" (
	"token_hash" text PRIMARY KEY,
	"purpose" text NOT NULL,
	"subject" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
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
CREATE TABLE "issuer"."throttle" (
	"key" text PRIMARY KEY,
	"attempts" integer NOT NULL,
	"window_ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "grant_ends_grant_id" ON "grant_ends" ("grant_id");--> statement-breakpoint
CREATE INDEX "grants_user_id" ON "grants" ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "grants_source_unique" ON "grants" ("source","source_id");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" ("subject","created_at");--> statement-breakpoint
CREATE INDEX "lessons_module_id" ON "lessons" ("module_id","position");--> statement-breakpoint
CREATE INDEX "contacts_created_at" ON "contacts" ("created_at");--> statement-breakpoint
CREATE INDEX "identities_user_id" ON "identities" ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expire" ON "sessions" ("expire");--> statement-breakpoint
CREATE INDEX "sessions_user_id" ON "sessions" (("sess" ->> 'userId'));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" (lower("email"));--> statement-breakpoint
CREATE INDEX "jobs_run_at" ON "jobs" ("run_at");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_name_key_unique" ON "jobs" ("name","key");--> statement-breakpoint
CREATE UNIQUE INDEX "course_progress_user_lesson_unique" ON "course_progress" ("user_id","lesson_id");--> statement-breakpoint
CREATE INDEX "payment_attempts_purchase_id" ON "payment_attempts" ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_idempotency_key_unique" ON "payment_attempts" ("idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_reference_unique" ON "payment_attempts" ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_transaction_id_unique" ON "payment_attempts" ("transaction_id");--> statement-breakpoint
CREATE INDEX "payment_attempts_declined" ON "payment_attempts" ("sent_at") WHERE "state" = 'declined';--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_one_open" ON "payment_attempts" ("user_id") WHERE "state" in ('sent', 'unknown', 'held');--> statement-breakpoint
CREATE INDEX "purchases_user_id" ON "purchases" ("user_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_transaction_id_unique" ON "purchases" ("transaction_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_subscription_id_unique" ON "purchases" ("subscription_id");--> statement-breakpoint
CREATE INDEX "gateway_notifications_received_at" ON "gateway_notifications" ("received_at");--> statement-breakpoint
CREATE INDEX "reconciliation_breaks_found_at" ON "reconciliation_breaks" ("found_at");--> statement-breakpoint
CREATE INDEX "reconciliation_runs_started_at" ON "reconciliation_runs" ("started_at");--> statement-breakpoint
CREATE INDEX "course_resources_module_id" ON "course_resources" ("module_id","lesson_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email_key" ON "issuer"."accounts" (lower("email"));--> statement-breakpoint
CREATE INDEX "links_subject_index" ON "issuer"."links" ("subject");--> statement-breakpoint
CREATE INDEX "links_expires_at_index" ON "issuer"."links" ("expires_at");--> statement-breakpoint
CREATE INDEX "payloads_grant_id_index" ON "issuer"."payloads" ("grant_id");--> statement-breakpoint
CREATE INDEX "payloads_uid_index" ON "issuer"."payloads" ("uid");--> statement-breakpoint
CREATE INDEX "payloads_account_id_index" ON "issuer"."payloads" ("account_id");--> statement-breakpoint
CREATE INDEX "payloads_expires_at_index" ON "issuer"."payloads" ("expires_at");--> statement-breakpoint
CREATE INDEX "throttle_window_ends_at_index" ON "issuer"."throttle" ("window_ends_at");--> statement-breakpoint
ALTER TABLE "grant_ends" ADD CONSTRAINT "grant_ends_grant_id_grants_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "grants"("id");--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "lessons" ADD CONSTRAINT "lessons_module_id_modules_id_fkey" FOREIGN KEY ("module_id") REFERENCES "modules"("id");--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "course_progress" ADD CONSTRAINT "course_progress_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "course_progress" ADD CONSTRAINT "course_progress_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
ALTER TABLE "course_progress" ADD CONSTRAINT "course_progress_module_id_modules_id_fkey" FOREIGN KEY ("module_id") REFERENCES "modules"("id");--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "course_resources" ADD CONSTRAINT "course_resources_module_id_modules_id_fkey" FOREIGN KEY ("module_id") REFERENCES "modules"("id");--> statement-breakpoint
ALTER TABLE "course_resources" ADD CONSTRAINT "course_resources_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
ALTER TABLE "issuer"."links" ADD CONSTRAINT "links_subject_accounts_subject_fkey" FOREIGN KEY ("subject") REFERENCES "issuer"."accounts"("subject") ON DELETE CASCADE;