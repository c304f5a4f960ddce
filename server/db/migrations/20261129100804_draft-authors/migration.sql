ALTER TABLE "content_drafts" ADD COLUMN "updated_by" text;--> statement-breakpoint
-- Orders are drafts of their own now.
UPDATE "content_drafts" SET "content" = ("content"::jsonb - 'position')::json WHERE "kind" IN ('module', 'lesson');
