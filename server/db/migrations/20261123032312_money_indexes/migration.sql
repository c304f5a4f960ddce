DROP INDEX "payment_attempts_declined";--> statement-breakpoint
CREATE INDEX "payment_attempts_declined" ON "payment_attempts" ("sent_at","purchase_id","renews_from","kind") WHERE "state" = 'declined';--> statement-breakpoint
DROP INDEX "payment_attempts_approved";--> statement-breakpoint
CREATE INDEX "payment_attempts_approved" ON "payment_attempts" ("resolved_at","purchase_id","amount","kind","renews_from") WHERE "state" = 'approved';--> statement-breakpoint
CREATE INDEX "purchases_amount" ON "purchases" ("amount","id");