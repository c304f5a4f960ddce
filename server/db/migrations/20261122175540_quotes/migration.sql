CREATE TABLE "quotes" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"plan_id" text NOT NULL,
	"basis" json NOT NULL,
	"total" numeric(10,2) NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "grant_ends" ADD COLUMN "replaced_by" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "credit" numeric(10,2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "credit_from" jsonb DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "quote_id" text;--> statement-breakpoint
CREATE INDEX "grant_ends_replaced_by" ON "grant_ends" ("replaced_by");--> statement-breakpoint
CREATE UNIQUE INDEX "purchases_quote_id_unique" ON "purchases" ("quote_id") WHERE "status" in ('pending', 'completed', 'refunded');--> statement-breakpoint
CREATE INDEX "quotes_expires_at" ON "quotes" ("expires_at");--> statement-breakpoint
CREATE INDEX "quotes_user_id" ON "quotes" ("user_id");--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "grants" DROP CONSTRAINT "grants_source", ADD CONSTRAINT "grants_source" CHECK ("source" in ('purchase', 'renewal', 'grace', 'administrator', 'credit-returned'));