ALTER TABLE "refunds" ADD COLUMN "invoice_number" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "cause" text;