CREATE TABLE "lesson_changes" (
	"id" text PRIMARY KEY,
	"lesson_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"from_seconds" integer,
	"to_seconds" integer,
	"note" text NOT NULL,
	"title" text NOT NULL,
	CONSTRAINT "lesson_changes_kind" CHECK ("kind" in ('new', 'corrected', 'replaced', 'retired')),
	CONSTRAINT "lesson_changes_range" CHECK (("from_seconds" is null) = ("to_seconds" is null) and ("from_seconds" is null or "from_seconds" < "to_seconds"))
);
--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "verified_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "verified_by" text;--> statement-breakpoint
ALTER TABLE "course_progress" ADD COLUMN "changes_seen_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "lesson_changes_lesson" ON "lesson_changes" ("lesson_id","at");--> statement-breakpoint
CREATE INDEX "lesson_changes_at" ON "lesson_changes" ("at","id");--> statement-breakpoint
ALTER TABLE "lesson_changes" ADD CONSTRAINT "lesson_changes_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE;--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on lesson_changes for each statement execute function raise_content_version();
