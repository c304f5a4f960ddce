CREATE TABLE "import_rows" (
	"id" text PRIMARY KEY,
	"import_id" text NOT NULL,
	"line" integer NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"tier" text,
	"ends_at" timestamp with time zone,
	"completed" json NOT NULL,
	"may_email" boolean NOT NULL,
	"fate" text NOT NULL,
	"reason" text,
	"cells" json NOT NULL,
	"outcome" text,
	"closed_at" timestamp with time zone,
	"user_id" text,
	"sent_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"deletes_at" timestamp with time zone NOT NULL,
	CONSTRAINT "import_rows_fate" CHECK ("fate" in ('new', 'changed', 'same', 'refused')),
	CONSTRAINT "import_rows_outcome" CHECK ("outcome" in ('given', 'invited', 'claimed', 'same', 'refused', 'withdrawn', 'stopped')),
	CONSTRAINT "import_rows_tier" CHECK ("tier" in ('basic', 'premium', 'vip'))
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" text PRIMARY KEY,
	"author_id" text NOT NULL,
	"file_name" text NOT NULL,
	"source" text,
	"columns" json NOT NULL,
	"new" integer NOT NULL,
	"changed" integer NOT NULL,
	"same" integer NOT NULL,
	"refused" integer NOT NULL,
	"state" text DEFAULT 'checked' NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"people" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"sending" text DEFAULT 'none' NOT NULL,
	"sending_turn" integer DEFAULT 0 NOT NULL,
	"invitations_per_hour" integer NOT NULL,
	"unused_until" timestamp with time zone,
	CONSTRAINT "imports_state" CHECK ("state" in ('checked', 'running', 'stopped', 'done')),
	CONSTRAINT "imports_sending" CHECK ("sending" in ('none', 'sending', 'stopped', 'done'))
);
--> statement-breakpoint
CREATE TABLE "lessons_completed_elsewhere" (
	"user_id" text,
	"lesson_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "lessons_completed_elsewhere_pkey" PRIMARY KEY("user_id","lesson_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "import_rows_line" ON "import_rows" ("import_id","line");--> statement-breakpoint
CREATE UNIQUE INDEX "import_rows_invited" ON "import_rows" ("email") WHERE "outcome" = 'invited';--> statement-breakpoint
CREATE INDEX "import_rows_email" ON "import_rows" ("email");--> statement-breakpoint
CREATE INDEX "import_rows_user_id" ON "import_rows" ("user_id");--> statement-breakpoint
CREATE INDEX "import_rows_sent_at" ON "import_rows" ("sent_at");--> statement-breakpoint
CREATE INDEX "import_rows_deletes_at" ON "import_rows" ("deletes_at");--> statement-breakpoint
CREATE INDEX "imports_created_at" ON "imports" ("created_at","id");--> statement-breakpoint
ALTER TABLE "import_rows" ADD CONSTRAINT "import_rows_import_id_imports_id_fkey" FOREIGN KEY ("import_id") REFERENCES "imports"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "lessons_completed_elsewhere" ADD CONSTRAINT "lessons_completed_elsewhere_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "lessons_completed_elsewhere" ADD CONSTRAINT "lessons_completed_elsewhere_lesson_id_lessons_id_fkey" FOREIGN KEY ("lesson_id") REFERENCES "lessons"("id");--> statement-breakpoint
ALTER TABLE "grants" DROP CONSTRAINT "grants_source", ADD CONSTRAINT "grants_source" CHECK ("source" in ('purchase', 'renewal', 'grace', 'administrator', 'credit-returned', 'import'));