CREATE TABLE "card_validations" (
	"id" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"user_id" text NOT NULL,
	"state" text NOT NULL,
	"token_hash" text NOT NULL,
	"client_hash" text,
	"reason_code" text,
	"sent_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "card_validations_token_hash_unique" ON "card_validations" ("token_hash");--> statement-breakpoint
CREATE INDEX "card_validations_sent_at" ON "card_validations" ("sent_at");--> statement-breakpoint
ALTER TABLE "card_validations" ADD CONSTRAINT "card_validations_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");--> statement-breakpoint
ALTER TABLE "card_validations" ADD CONSTRAINT "card_validations_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");