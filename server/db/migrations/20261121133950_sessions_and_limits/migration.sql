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
CREATE TABLE "limits" (
	"key" text PRIMARY KEY,
	"uses" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "lesson_cues_search" ON "lesson_cues" USING gin ("search");--> statement-breakpoint
CREATE INDEX "limits_ends_at" ON "limits" ("ends_at");--> statement-breakpoint
ALTER TABLE "lesson_cues" ADD CONSTRAINT "lesson_cues_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id") ON DELETE CASCADE;