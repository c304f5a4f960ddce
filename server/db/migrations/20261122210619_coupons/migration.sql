CREATE TABLE "coupon_uses" (
	"coupon_code" text,
	"user_id" text,
	"state" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "coupon_uses_pkey" PRIMARY KEY("coupon_code","user_id"),
	CONSTRAINT "coupon_uses_state" CHECK ("state" in ('reserved', 'used', 'released'))
);
--> statement-breakpoint
CREATE TABLE "coupons" (
	"code" text PRIMARY KEY,
	"kind" text NOT NULL,
	"percent" integer,
	"off" numeric(10,2),
	"plans" text[] NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"max_uses" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"first_purchase_only" boolean NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "coupons_code" CHECK ("code" ~ '^[A-Z0-9-]{4,24}$'),
	CONSTRAINT "coupons_kind" CHECK ("kind" in ('percent', 'fixed')),
	CONSTRAINT "coupons_worth" CHECK (case "kind" when 'percent' then coalesce("percent", 0) between 1 and 90 and "off" is null
        else coalesce("off", 0) > 0 and "percent" is null end),
	CONSTRAINT "coupons_plans" CHECK (cardinality("plans") > 0 and "plans" <@ array['basic', 'premium', 'vip']),
	CONSTRAINT "coupons_dates" CHECK ("starts_at" < "ends_at"),
	CONSTRAINT "coupons_uses" CHECK ("uses" >= 0 and "max_uses" > 0)
);
--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "charged_amount" numeric(10,2);--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "discount" numeric(10,2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "coupon_code" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "renewal_amount" numeric(10,2);--> statement-breakpoint
CREATE INDEX "coupon_uses_user_id" ON "coupon_uses" ("user_id");--> statement-breakpoint
CREATE INDEX "coupons_created_at" ON "coupons" ("created_at");--> statement-breakpoint
CREATE INDEX "purchases_coupon_code" ON "purchases" ("coupon_code") WHERE "coupon_code" is not null;--> statement-breakpoint
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_coupon_code_coupons_code_fkey" FOREIGN KEY ("coupon_code") REFERENCES "coupons"("code");--> statement-breakpoint
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_coupon_use_fkey" FOREIGN KEY ("coupon_code","user_id") REFERENCES "coupon_uses"("coupon_code","user_id");--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_discount" CHECK (case when "coupon_code" is null then "discount" = 0 else "discount" > 0 end);