CREATE TABLE "import_mails" (
	"address_hash" text PRIMARY KEY,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "import_rows_sent_at";--> statement-breakpoint
CREATE INDEX "import_mails_sent_at" ON "import_mails" ("sent_at");