CREATE TABLE "card_links" (
	"token_hash" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "letters" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"attempt_id" text NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(10,2) NOT NULL,
	"ends_access" boolean NOT NULL,
	"reference" text NOT NULL,
	"state" text NOT NULL,
	"transaction_id" text,
	"actor" text NOT NULL,
	"reason" text,
	"note" text,
	"sent_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "purchase_id" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "sessions_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "course_progress" ADD COLUMN "watched" int4multirange DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "course_progress" ADD COLUMN "credit_since" timestamp with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "course_progress" ADD COLUMN "position_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "renews_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "paid_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "declined_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "declined_for_good" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "card_links_purchase_id" ON "card_links" ("purchase_id");--> statement-breakpoint
CREATE INDEX "letters_user_id" ON "letters" ("user_id","sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_one_per_period" ON "payment_attempts" ("purchase_id","renews_from") WHERE "state" in ('sent', 'unknown', 'held', 'approved');--> statement-breakpoint
CREATE INDEX "purchases_next_billing_date" ON "purchases" ("next_billing_date") WHERE "next_billing_date" is not null;--> statement-breakpoint
CREATE INDEX "refunds_purchase_id" ON "refunds" ("purchase_id");--> statement-breakpoint
CREATE INDEX "refunds_transaction_id" ON "refunds" ("transaction_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_reference_unique" ON "refunds" ("reference");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_open" ON "refunds" ("attempt_id") WHERE "state" in ('sent', 'unknown');--> statement-breakpoint
ALTER TABLE "card_links" ADD CONSTRAINT "card_links_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");--> statement-breakpoint
ALTER TABLE "letters" ADD CONSTRAINT "letters_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_attempt_id_payment_attempts_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "payment_attempts"("id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");