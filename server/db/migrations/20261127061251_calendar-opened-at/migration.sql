ALTER TABLE "coaching_calendars" ADD COLUMN "opened_at" timestamp with time zone;--> statement-breakpoint
UPDATE "coaching_calendars" SET "opened_at" = "updated_at" WHERE "token_hash" IS NOT NULL;