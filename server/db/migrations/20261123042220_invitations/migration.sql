CREATE TABLE "invitations" (
	"id" text PRIMARY KEY,
	"email" text NOT NULL UNIQUE,
	"tier" text,
	"author_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"accepted_at" timestamp with time zone,
	CONSTRAINT "invitations_tier" CHECK ("tier" in ('basic', 'premium', 'vip'))
);
--> statement-breakpoint
CREATE INDEX "invitations_expires_at" ON "invitations" ("expires_at");--> statement-breakpoint
CREATE INDEX "course_progress_unfinished" ON "course_progress" ("lesson_id","user_id") WHERE not "is_completed";