ALTER TABLE "grants" ADD CONSTRAINT "grants_source" CHECK ("source" in ('purchase', 'renewal', 'grace', 'administrator'));--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_state" CHECK ("state" in ('new', 'open', 'answered'));--> statement-breakpoint
ALTER TABLE "card_validations" ADD CONSTRAINT "card_validations_state" CHECK ("state" in ('sent', 'kept', 'declined', 'failed'));--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_kind" CHECK ("kind" in ('initial', 'renewal'));--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_state" CHECK ("state" in ('sent', 'unknown', 'held', 'approved', 'declined', 'not-processed'));--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_status" CHECK ("status" in ('pending', 'completed', 'declined', 'failed', 'refunded'));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_kind" CHECK ("kind" in ('void', 'refund'));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_state" CHECK ("state" in ('sent', 'unknown', 'returned', 'refused'));