CREATE TABLE "person_mails" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"author_id" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "person_notes" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"author_id" text NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "person_mails_user_id" ON "person_mails" ("user_id","written_at");--> statement-breakpoint
CREATE INDEX "person_mails_written_at" ON "person_mails" ("written_at");--> statement-breakpoint
CREATE INDEX "person_notes_user_id" ON "person_notes" ("user_id","written_at");--> statement-breakpoint
ALTER TABLE "person_mails" ADD CONSTRAINT "person_mails_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "person_notes" ADD CONSTRAINT "person_notes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");