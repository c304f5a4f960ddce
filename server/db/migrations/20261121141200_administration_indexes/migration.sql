CREATE INDEX "users_created_at" ON "users" ("created_at","id");--> statement-breakpoint
CREATE INDEX "payment_attempts_approved" ON "payment_attempts" ("resolved_at","purchase_id","amount") WHERE "state" = 'approved';--> statement-breakpoint
CREATE INDEX "purchases_created_at" ON "purchases" ("created_at","id");