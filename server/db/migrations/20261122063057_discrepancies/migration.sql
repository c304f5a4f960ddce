ALTER TABLE "reconciliation_breaks" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "reconciliation_breaks" ADD COLUMN "subject_id" text;--> statement-breakpoint
ALTER TABLE "reconciliation_breaks" ADD COLUMN "detail" text;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "payment_attempts_recheck" ON "payment_attempts" (coalesce("checked_at", "resolved_at")) WHERE "state" = 'approved';