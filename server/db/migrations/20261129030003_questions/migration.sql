CREATE TABLE "question_marks" (
	"post_id" text,
	"user_id" text,
	"kind" text,
	"reason" text,
	"dismissed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "question_marks_pkey" PRIMARY KEY("post_id","user_id","kind"),
	CONSTRAINT "question_marks_kind" CHECK ("kind" in ('helpful', 'report'))
);
--> statement-breakpoint
CREATE TABLE "question_posts" (
	"id" text PRIMARY KEY,
	"question_id" text,
	"lesson_id" text NOT NULL,
	"author_id" text,
	"is_of_team" boolean DEFAULT false NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"text" text NOT NULL,
	"at" integer,
	"created_at" timestamp with time zone NOT NULL,
	"edited_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"hidden_at" timestamp with time zone,
	"hidden_because" text,
	"helpful" integer DEFAULT 0 NOT NULL,
	"reports" integer DEFAULT 0 NOT NULL,
	"closed_at" timestamp with time zone,
	"duplicate_of" text,
	"accepted_id" text,
	"answers" integer DEFAULT 0 NOT NULL,
	"is_answered" boolean DEFAULT false NOT NULL,
	"first_answered_at" timestamp with time zone,
	"search" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('english', text), 'D')) STORED,
	CONSTRAINT "question_posts_accepted_question" CHECK ("question_id" is null or "accepted_id" is null)
);
--> statement-breakpoint
CREATE INDEX "question_marks_user" ON "question_marks" ("user_id");--> statement-breakpoint
CREATE INDEX "question_posts_lesson" ON "question_posts" ("lesson_id","created_at","id") WHERE ("question_id" is null);--> statement-breakpoint
CREATE INDEX "question_posts_answers" ON "question_posts" ("question_id","created_at","id") WHERE ("question_id" is not null);--> statement-breakpoint
CREATE INDEX "question_posts_author" ON "question_posts" ("author_id");--> statement-breakpoint
CREATE INDEX "question_posts_reports" ON "question_posts" ("id") WHERE "reports" > 0;--> statement-breakpoint
CREATE INDEX "question_posts_accepted" ON "question_posts" ("accepted_id") WHERE ("accepted_id" is not null);--> statement-breakpoint
CREATE INDEX "question_posts_duplicate_of" ON "question_posts" ("duplicate_of") WHERE ("duplicate_of" is not null);--> statement-breakpoint
CREATE INDEX "question_posts_search" ON "question_posts" USING gin ("search");--> statement-breakpoint
ALTER TABLE "question_marks" ADD CONSTRAINT "question_marks_post_id_question_posts_id_fkey" FOREIGN KEY ("post_id") REFERENCES "question_posts"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "question_marks" ADD CONSTRAINT "question_marks_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "question_posts" ADD CONSTRAINT "question_posts_question_id_question_posts_id_fkey" FOREIGN KEY ("question_id") REFERENCES "question_posts"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "question_posts" ADD CONSTRAINT "question_posts_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
ALTER TABLE "question_posts" ADD CONSTRAINT "question_posts_author_id_users_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "question_posts" ADD CONSTRAINT "question_posts_duplicate_of_question_posts_id_fkey" FOREIGN KEY ("duplicate_of") REFERENCES "question_posts"("id") ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE "question_posts" ADD CONSTRAINT "question_posts_accepted_id_question_posts_id_fkey" FOREIGN KEY ("accepted_id") REFERENCES "question_posts"("id") ON DELETE SET NULL;