CREATE TABLE "opening_requests" (
	"user_id" text,
	"lesson_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "opening_requests_pkey" PRIMARY KEY("user_id","lesson_id")
);
--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "opens_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "modules" ADD COLUMN "opens_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "opening_requests" ADD CONSTRAINT "opening_requests_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "opening_requests" ADD CONSTRAINT "opening_requests_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
UPDATE "content_drafts" SET "content" = ('{"opensAt": null}'::jsonb || "content"::jsonb)::json WHERE "kind" IN ('module', 'lesson');
