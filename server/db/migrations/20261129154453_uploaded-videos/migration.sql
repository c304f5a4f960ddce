CREATE TABLE "video_pieces" (
	"video_id" text,
	"start" bigint,
	"size" integer NOT NULL,
	"key" text NOT NULL UNIQUE,
	CONSTRAINT "video_pieces_pkey" PRIMARY KEY("video_id","start")
);
--> statement-breakpoint
CREATE TABLE "videos" (
	"id" text PRIMARY KEY,
	"file_name" text NOT NULL,
	"uploaded_by" text,
	"size" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"sha256" text,
	"state" text DEFAULT 'uploading' NOT NULL,
	"reason" text,
	"log" text[] DEFAULT '{}'::text[] NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"progress_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"source_key" text UNIQUE,
	"poster_key" text UNIQUE,
	"length_seconds" integer,
	"renditions" json DEFAULT '[]' NOT NULL,
	"locked_by" text,
	"locked_until" timestamp with time zone,
	"lock_number" integer DEFAULT 0 NOT NULL,
	"lock_wanted" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"uploaded_at" timestamp with time zone,
	"ready_at" timestamp with time zone,
	CONSTRAINT "videos_state" CHECK ("state" in ('uploading', 'checking', 'waiting', 'converting', 'ready', 'failed'))
);
--> statement-breakpoint
CREATE INDEX "videos_uploaded_by" ON "videos" ("uploaded_by");--> statement-breakpoint
ALTER TABLE "video_pieces" ADD CONSTRAINT "video_pieces_video_id_videos_id_fkey" FOREIGN KEY ("video_id") REFERENCES "videos"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_uploaded_by_users_id_fkey" FOREIGN KEY ("uploaded_by") REFERENCES "users"("id") ON DELETE SET NULL;