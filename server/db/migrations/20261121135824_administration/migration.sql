CREATE TABLE "resource_downloads" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"resource_id" text NOT NULL,
	"downloaded_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "resource_downloads_user_id" ON "resource_downloads" ("user_id","downloaded_at");--> statement-breakpoint
CREATE INDEX "resource_downloads_resource_id" ON "resource_downloads" ("resource_id");--> statement-breakpoint
ALTER TABLE "resource_downloads" ADD CONSTRAINT "resource_downloads_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "resource_downloads" ADD CONSTRAINT "resource_downloads_resource_id_course_resources_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "course_resources"("id") ON DELETE CASCADE;