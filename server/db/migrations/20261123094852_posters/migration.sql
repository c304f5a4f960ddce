ALTER TABLE "video_facts" ADD COLUMN "poster_key" text;--> statement-breakpoint
ALTER TABLE "video_facts" ADD COLUMN "poster_reason" text;--> statement-breakpoint
create trigger content_version after update of poster_key or delete or truncate on video_facts for each statement execute function raise_content_version();
