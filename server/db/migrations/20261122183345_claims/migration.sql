CREATE TABLE "claim_records" (
	"id" text PRIMARY KEY,
	"claim_id" text NOT NULL,
	"claim_text" text NOT NULL,
	"note" text NOT NULL,
	"link" text,
	"date" date NOT NULL,
	"recorded_by" text NOT NULL,
	"recorded_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plan_prices" (
	"plan_id" text,
	"price" numeric(10,2) NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	CONSTRAINT "plan_prices_pkey" PRIMARY KEY("plan_id","starts_at"),
	CONSTRAINT "plan_prices_order" CHECK ("starts_at" < "ends_at")
);
--> statement-breakpoint
CREATE TABLE "withdrawn_claims" (
	"claim_id" text PRIMARY KEY,
	"withdrawn_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "claim_records_claim_id" ON "claim_records" ("claim_id","recorded_at");--> statement-breakpoint
ALTER TABLE "plan_prices" ADD CONSTRAINT "plan_prices_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
-- What is on sale today costs what it does since it was changed last, at the least.
insert into plan_prices (plan_id, price, starts_at) select id, price, updated_at from plans where is_active;--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on withdrawn_claims for each statement execute function raise_content_version();
