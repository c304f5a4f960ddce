CREATE TABLE "visit_counts" (
	"day" date,
	"step" text,
	"visits" integer NOT NULL,
	CONSTRAINT "visit_counts_pkey" PRIMARY KEY("day","step"),
	CONSTRAINT "visit_counts_step" CHECK ("step" in ('landing', 'plan', 'sign-in'))
);
--> statement-breakpoint
CREATE INDEX "payment_attempts_of_students" ON "payment_attempts" ("user_id","resolved_at","purchase_id","amount") WHERE "state" = 'approved';