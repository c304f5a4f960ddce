ALTER TABLE "certificates" ADD COLUMN "withdrawal_told_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "refunds_user_id" ON "refunds" ("user_id");