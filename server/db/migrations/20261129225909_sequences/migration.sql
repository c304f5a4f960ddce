CREATE TABLE "sequence_emails" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"sequence" text NOT NULL,
	"step" integer NOT NULL,
	"occasion" text NOT NULL,
	"is_control" boolean NOT NULL,
	"decided_at" timestamp with time zone NOT NULL,
	"has_returned" boolean,
	"has_bought" boolean,
	CONSTRAINT "sequence_emails_sequence" CHECK ("sequence" in ('unfinished-checkout', 'paying-for-nothing', 'new-lesson', 'welcome', 'stalled'))
);
--> statement-breakpoint
CREATE INDEX "grants_starts_at" ON "grants" ("starts_at");--> statement-breakpoint
CREATE INDEX "sequence_emails_user_id" ON "sequence_emails" ("user_id","decided_at");--> statement-breakpoint
CREATE INDEX "sequence_emails_decided_at" ON "sequence_emails" ("decided_at");--> statement-breakpoint
CREATE INDEX "sequence_emails_returning" ON "sequence_emails" ("decided_at") WHERE ("has_returned" is null);--> statement-breakpoint
CREATE INDEX "sequence_emails_buying" ON "sequence_emails" ("decided_at") WHERE ("has_bought" is null);--> statement-breakpoint
ALTER TABLE "sequence_emails" ADD CONSTRAINT "sequence_emails_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");