CREATE TABLE "unnamed_files" (
	"key" text PRIMARY KEY,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"sweeps" integer DEFAULT 1 NOT NULL,
	"trashed_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "course_resources" ADD COLUMN "file_missing_since" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "unnamed_files_trashed_at" ON "unnamed_files" ("trashed_at");--> statement-breakpoint
-- Nothing but the sweep of files has ever cleared is_active: each such resource waits for its file, and heals by itself.
UPDATE "course_resources" SET "is_active" = true, "file_missing_since" = "updated_at" WHERE NOT "is_active";
