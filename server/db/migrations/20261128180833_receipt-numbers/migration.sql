CREATE TABLE "receipt_counters" (
	"year" integer PRIMARY KEY,
	"last" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "receipt_number" text;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_receipt_number_unique" ON "payment_attempts" ("receipt_number");