ALTER TABLE "coupons" ADD COLUMN "batch_id" text;--> statement-breakpoint
CREATE INDEX "coupons_batch_id" ON "coupons" ("batch_id") WHERE ("batch_id" is not null);