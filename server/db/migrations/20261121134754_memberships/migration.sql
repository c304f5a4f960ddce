CREATE TABLE "content_drafts" (
	"kind" text,
	"id" text,
	"content" json NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "content_drafts_pkey" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE TABLE "contact_replies" (
	"id" text PRIMARY KEY,
	"contact_id" text NOT NULL,
	"author_id" text NOT NULL,
	"text" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "modules" DROP CONSTRAINT "modules_position_key";--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "coming_soon" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "lessons" ADD COLUMN "released" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "modules" ADD COLUMN "released" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "original_price" numeric(10,2);--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "state" text DEFAULT 'new' NOT NULL;--> statement-breakpoint
DROP INDEX "contacts_created_at";--> statement-breakpoint
CREATE INDEX "contacts_created_at" ON "contacts" ("created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_created_at" ON "audit_log" ("created_at","id");--> statement-breakpoint
CREATE INDEX "contact_replies_contact_id" ON "contact_replies" ("contact_id","written_at");--> statement-breakpoint
CREATE INDEX "contacts_email" ON "contacts" (lower("email"));--> statement-breakpoint
ALTER TABLE "contact_replies" ADD CONSTRAINT "contact_replies_contact_id_contacts_id_fkey" FOREIGN KEY ("contact_id") REFERENCES "contacts"("id") ON DELETE CASCADE;