ALTER TABLE "coupons" ADD COLUMN "renewals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "discounted_renewals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "later_amount" numeric(10,2);--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "discounted_left" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "later_price" numeric(10,2);--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_renewals" CHECK ("renewals" between 0 and 11);--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_later_amount" CHECK (case when "later_amount" is null then "discounted_renewals" = 0
        else "discounted_renewals" > 0 and "renewal_amount" < "later_amount" end);--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_later_price" CHECK (("later_price" is null) = ("discounted_left" = 0) and "discounted_left" >= 0);