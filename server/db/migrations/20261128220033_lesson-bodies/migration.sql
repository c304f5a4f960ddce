ALTER TABLE "lessons" ADD COLUMN "kind" text DEFAULT 'video' NOT NULL;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "body" text;--> statement-breakpoint
UPDATE "content_drafts" SET "content" = ('{"kind": "video", "body": null}'::jsonb || "content"::jsonb)::json WHERE "kind" = 'lesson';
