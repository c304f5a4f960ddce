ALTER TABLE "course_resources" RENAME COLUMN "file_url" TO "storage_key";--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "payment_profile_id" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "grace_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "card_brand" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "card_last4" text;--> statement-breakpoint
ALTER TABLE "course_resources" ADD COLUMN "format" text NOT NULL;--> statement-breakpoint
ALTER TABLE "course_resources" ADD COLUMN "sha256" text NOT NULL;--> statement-breakpoint
ALTER TABLE "course_resources" DROP COLUMN "file_type";--> statement-breakpoint
ALTER TABLE "course_resources" ALTER COLUMN "file_size" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "course_resources" ADD CONSTRAINT "course_resources_storage_key_key" UNIQUE("storage_key");--> statement-breakpoint
CREATE UNIQUE INDEX "users_profile_image_url_unique" ON "users" ("profile_image_url");