CREATE TABLE "video_facts" (
	"video_id" text PRIMARY KEY,
	"requested_at" timestamp with time zone NOT NULL,
	"checked_at" timestamp with time zone,
	"is_playable" boolean,
	"reason" text,
	"title" text,
	"duration_seconds" integer
);
