-- The subscription moves out of its purchase into tables of its own. The columns that it leaves behind stay for the
-- release before, which may run beside this one for a while: it finds nothing in them that renews, so that it charges
-- nothing; what it sells meanwhile is moved as soon as it is paid (decision 35).
CREATE TABLE "payment_methods" (
	"id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"customer_profile_id" text,
	"payment_profile_id" text,
	"network_transaction_id" text,
	"brand" text,
	"last4" text,
	"created_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY,
	"purchase_id" text NOT NULL,
	"user_id" text NOT NULL,
	"plan_id" text NOT NULL,
	"tier" text NOT NULL,
	"price" numeric(10,2) NOT NULL,
	"payment_method_id" text NOT NULL,
	"status" text NOT NULL,
	"current_period_start" timestamp with time zone NOT NULL,
	"current_period_end" timestamp with time zone NOT NULL,
	"next_charge_at" timestamp with time zone,
	"grace_from" timestamp with time zone,
	"dunning_since" timestamp with time zone,
	"declined_for_good" boolean DEFAULT false NOT NULL,
	"cancelled_at" timestamp with time zone,
	"last_attempt_at" timestamp with time zone,
	"unpaid_told_for" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "subscriptions_status" CHECK ("status" in ('active', 'retrying', 'declined', 'on_hold', 'held', 'cancelled'))
);--> statement-breakpoint
DROP INDEX "purchases_subscription_id_unique";--> statement-breakpoint
DROP INDEX "purchases_next_billing_date";--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "initiated_by" text DEFAULT 'student' NOT NULL;--> statement-breakpoint
CREATE INDEX "payment_methods_user_id" ON "payment_methods" ("user_id");--> statement-breakpoint
CREATE INDEX "payment_methods_payment_profile_id" ON "payment_methods" ("payment_profile_id");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_purchase_id_unique" ON "subscriptions" ("purchase_id");--> statement-breakpoint
CREATE INDEX "subscriptions_user_id" ON "subscriptions" ("user_id");--> statement-breakpoint
CREATE INDEX "subscriptions_payment_method_id" ON "subscriptions" ("payment_method_id");--> statement-breakpoint
CREATE INDEX "subscriptions_next_charge_at" ON "subscriptions" ("next_charge_at") WHERE "next_charge_at" is not null;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_id_plans_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id");--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_payment_method_id_payment_methods_id_fkey" FOREIGN KEY ("payment_method_id") REFERENCES "payment_methods"("id");--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_initiated_by" CHECK ("initiated_by" in ('student', 'renewal'));--> statement-breakpoint
UPDATE "payment_attempts" SET "initiated_by" = 'renewal' WHERE "idempotency_key" LIKE 'renewal:%';--> statement-breakpoint
CREATE FUNCTION "move_subscription"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into payment_methods
    (id, user_id, customer_profile_id, payment_profile_id, network_transaction_id, brand, last4, created_at)
  values
    (new.id, new.user_id, new.customer_profile_id, new.payment_profile_id, new.network_transaction_id, new.card_brand,
      new.card_last4, coalesce(new.completed_at, new.created_at));
  insert into subscriptions
    (id, purchase_id, user_id, plan_id, tier, price, payment_method_id, status, current_period_start,
      current_period_end, next_charge_at, grace_from, dunning_since, declined_for_good, last_attempt_at,
      unpaid_told_for, created_at)
  values
    (new.subscription_id, new.id, new.user_id, new.plan_id, new.tier, new.amount, new.id,
      case
        when new.subscription_status = 'cancelled' then 'cancelled'
        when new.subscription_status = 'on_hold' and new.payment_declined then 'on_hold'
        when new.subscription_status = 'on_hold' then 'held'
        when new.payment_declined then 'declined'
        when new.declined_since is not null then 'retrying'
        else 'active'
      end,
      new.paid_until - interval '720 hours', new.paid_until, new.next_billing_date, new.grace_from, new.declined_since,
      new.declined_for_good, new.last_payment_attempt, new.unpaid_told_for, new.created_at);
  new.subscription_id := null;
  new.is_recurring := false;
  new.next_billing_date := null;
  new.paid_until := null;
  new.customer_profile_id := null;
  new.payment_profile_id := null;
  return new;
end
$$;--> statement-breakpoint
CREATE TRIGGER "move_subscription" BEFORE UPDATE ON "purchases" FOR EACH ROW
  WHEN (new.is_recurring AND new.subscription_id IS NOT NULL AND new.paid_until IS NOT NULL)
  EXECUTE FUNCTION "move_subscription"();--> statement-breakpoint
UPDATE "purchases" SET "is_recurring" = true WHERE "is_recurring";
