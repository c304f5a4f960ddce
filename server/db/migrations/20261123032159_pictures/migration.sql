CREATE TABLE "pictures" (
	"id" text PRIMARY KEY,
	"png" bytea NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"published_at" timestamp with time zone
);
