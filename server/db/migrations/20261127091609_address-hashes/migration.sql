ALTER TABLE "coupon_uses" ADD COLUMN "address_hash" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "address_hash" text;--> statement-breakpoint
CREATE UNIQUE INDEX "coupon_uses_address_hash_unique" ON "coupon_uses" ("coupon_code","address_hash") WHERE "state" in ('reserved', 'used');--> statement-breakpoint
CREATE INDEX "payment_attempts_card" ON "payment_attempts" ("last4","brand","user_id") WHERE "state" = 'approved';--> statement-breakpoint
CREATE INDEX "purchases_address_hash" ON "purchases" ("address_hash") WHERE ("address_hash" is not null);