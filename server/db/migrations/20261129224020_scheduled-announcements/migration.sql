ALTER TABLE "announcements" ADD COLUMN "send_at" json;--> statement-breakpoint
ALTER TABLE "announcements" ADD COLUMN "begins_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_begins_at" CHECK ("state" <> 'scheduled' or "begins_at" is not null);--> statement-breakpoint
ALTER TABLE "announcements" DROP CONSTRAINT "announcements_state", ADD CONSTRAINT "announcements_state" CHECK ("state" in ('draft', 'scheduled', 'running', 'paused', 'stopped', 'done'));