CREATE TABLE "check_questions" (
	"lesson_id" text,
	"question_id" text,
	"version" text,
	"position" integer,
	"content" json NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	CONSTRAINT "check_questions_pkey" PRIMARY KEY("lesson_id","question_id","version")
);
--> statement-breakpoint
CREATE TABLE "check_answers" (
	"user_id" text,
	"lesson_id" text,
	"question_id" text,
	"version" text,
	"given" text[],
	"is_right" boolean NOT NULL,
	"was_shown" boolean NOT NULL,
	"first_given" text[],
	"is_first_right" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "check_answers_pkey" PRIMARY KEY("user_id","lesson_id","question_id","version")
);
--> statement-breakpoint
CREATE TABLE "check_passes" (
	"user_id" text,
	"lesson_id" text,
	"version" text NOT NULL,
	"is_unaided" boolean NOT NULL,
	"passed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "check_passes_pkey" PRIMARY KEY("user_id","lesson_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "check_questions_asked_unique" ON "check_questions" ("lesson_id","question_id") WHERE "position" is not null;--> statement-breakpoint
CREATE INDEX "check_answers_question" ON "check_answers" ("lesson_id","question_id","version","is_first_right");--> statement-breakpoint
ALTER TABLE "check_questions" ADD CONSTRAINT "check_questions_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
ALTER TABLE "check_answers" ADD CONSTRAINT "check_answers_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "check_answers" ADD CONSTRAINT "check_answers_question_fk" FOREIGN KEY ("lesson_id","question_id","version") REFERENCES "check_questions"("lesson_id","question_id","version");--> statement-breakpoint
ALTER TABLE "check_passes" ADD CONSTRAINT "check_passes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "check_passes" ADD CONSTRAINT "check_passes_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
UPDATE "content_drafts" SET "content" = ('{"check": null}'::jsonb || "content"::jsonb)::json WHERE "kind" = 'lesson';
