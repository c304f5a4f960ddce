CREATE INDEX "purchases_completed_user_id" ON "purchases" ("user_id") WHERE "status" = 'completed';--> statement-breakpoint
CREATE INDEX "purchases_completed_at" ON "purchases" ("completed_at");