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
CREATE TABLE "announcements" (
	"id" text PRIMARY KEY,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"button_label" text,
	"button_url" text,
	"audience" text NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"recipients" integer DEFAULT 0 NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"left_out" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	CONSTRAINT "announcements_state" CHECK ("state" in ('draft', 'sending', 'paused', 'stopped', 'sent')),
	CONSTRAINT "announcements_button" CHECK (("button_label" is null) = ("button_url" is null))
);
--> statement-breakpoint
CREATE INDEX "announcement_recipients_due" ON "announcement_recipients" ("announcement_id","due_at") WHERE "outcome" is null;--> statement-breakpoint
CREATE INDEX "announcement_recipients_user_id" ON "announcement_recipients" ("user_id");--> statement-breakpoint
CREATE INDEX "announcement_recipients_closed_at" ON "announcement_recipients" ("closed_at");--> statement-breakpoint
CREATE INDEX "announcements_created_at" ON "announcements" ("created_at","id");--> statement-breakpoint
ALTER TABLE "announcement_choices" ADD CONSTRAINT "announcement_choices_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "announcement_recipients" ADD CONSTRAINT "announcement_recipients_announcement_id_announcements_id_fkey" FOREIGN KEY ("announcement_id") REFERENCES "announcements"("id");--> statement-breakpoint
ALTER TABLE "announcement_recipients" ADD CONSTRAINT "announcement_recipients_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");