CREATE TABLE "counted_charges" (
	"attempt_id" text PRIMARY KEY,
	"user_id" text NOT NULL,
	"plan_id" text NOT NULL,
	"is_first" boolean NOT NULL,
	"cents" integer NOT NULL,
	"charged_at" timestamp with time zone
);
--> statement-breakpoint
-- What figures read is written in the statement that changes it, whichever release makes it.
create function count_charge() returns trigger language plpgsql as $$
begin
  delete from counted_charges where attempt_id = coalesce(new.id, old.id);
  insert into counted_charges (attempt_id, user_id, plan_id, is_first, cents, charged_at)
  select new.id, new.user_id, plan_id, new.kind = 'initial', new.amount * 100, new.resolved_at
  from purchases where id = new.purchase_id and new.state = 'approved';
  return null;
end
$$;--> statement-breakpoint
create trigger count_charge after insert or delete or update of state, user_id, purchase_id, kind, amount, resolved_at
  on payment_attempts for each row execute function count_charge();--> statement-breakpoint
create function follow_purchase() returns trigger language plpgsql as $$
begin
  update subscriptions set begun_at = new.completed_at, is_paid = new.status = 'completed' where purchase_id = new.id;
  if new.plan_id <> old.plan_id then
    update counted_charges set plan_id = new.plan_id
    where attempt_id in (select id from payment_attempts where purchase_id = new.id);
  end if;
  return null;
end
$$;--> statement-breakpoint
create trigger follow_purchase after update of status, completed_at, plan_id on purchases for each row
  when ((new.status, new.completed_at, new.plan_id) is distinct from (old.status, old.completed_at, old.plan_id))
  execute function follow_purchase();--> statement-breakpoint
create function copy_purchase() returns trigger language plpgsql as $$
begin
  select completed_at, status = 'completed' into new.begun_at, new.is_paid from purchases where id = new.purchase_id
  for share;
  return new;
end
$$;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "begun_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "is_paid" boolean DEFAULT false NOT NULL;--> statement-breakpoint
create trigger copy_purchase before insert or update of purchase_id on subscriptions
  for each row execute function copy_purchase();--> statement-breakpoint
insert into counted_charges (attempt_id, user_id, plan_id, is_first, cents, charged_at)
select attempt.id, attempt.user_id, plan_id, kind = 'initial', attempt.amount * 100, resolved_at
from payment_attempts as attempt join purchases on purchases.id = attempt.purchase_id where state = 'approved';--> statement-breakpoint
update subscriptions set begun_at = completed_at, is_paid = purchases.status = 'completed'
from purchases where purchases.id = purchase_id;--> statement-breakpoint
CREATE INDEX "counted_charges_charged_at" ON "counted_charges" ("charged_at","plan_id","cents","is_first");--> statement-breakpoint
CREATE INDEX "counted_charges_user_id" ON "counted_charges" ("user_id","charged_at","plan_id","cents");--> statement-breakpoint
DROP INDEX "payment_attempts_of_students";--> statement-breakpoint
DROP INDEX "payment_attempts_approved";--> statement-breakpoint
CREATE INDEX "payment_attempts_approved" ON "payment_attempts" ("resolved_at","purchase_id","renews_from") WHERE "state" = 'approved';
