CREATE TABLE "past_plan_names" (
	"plan_id" text,
	"name" text NOT NULL,
	"until" timestamp with time zone,
	CONSTRAINT "past_plan_names_pkey" PRIMARY KEY("plan_id","until")
);
--> statement-breakpoint
CREATE TABLE "past_sellers" (
	"until" timestamp with time zone PRIMARY KEY,
	"value" json NOT NULL
);
--> statement-breakpoint
ALTER TABLE "past_plan_names" ADD CONSTRAINT "past_plan_names_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");