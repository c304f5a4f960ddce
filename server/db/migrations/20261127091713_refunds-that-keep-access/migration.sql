ALTER TABLE "purchases" ADD COLUMN "gives_access" boolean;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "access_kept_until" timestamp with time zone;--> statement-breakpoint
create or replace function follow_purchase() returns trigger language plpgsql as $$
begin
  update subscriptions set begun_at = new.completed_at, is_paid = coalesce(new.gives_access, new.status = 'completed')
  where purchase_id = new.id;
  if new.plan_id <> old.plan_id then
    update counted_charges set plan_id = new.plan_id
    where attempt_id in (select id from payment_attempts where purchase_id = new.id);
  end if;
  return null;
end
$$;--> statement-breakpoint
create or replace trigger follow_purchase after update of status, gives_access, completed_at, plan_id on purchases
  for each row
  when ((new.status, new.gives_access, new.completed_at, new.plan_id)
    is distinct from (old.status, old.gives_access, old.completed_at, old.plan_id))
  execute function follow_purchase();--> statement-breakpoint
create or replace function copy_purchase() returns trigger language plpgsql as $$
begin
  select completed_at, coalesce(gives_access, status = 'completed') into new.begun_at, new.is_paid
  from purchases where id = new.purchase_id
  for share;
  return new;
end
$$;--> statement-breakpoint
-- From now on a purchase is refunded when all of its charges went back. Those of which one is kept have ended.
update purchases set status = 'completed', gives_access = false
where status = 'refunded' and
  (select sum(amount) from payment_attempts where purchase_id = purchases.id and state = 'approved') >
  (select coalesce(sum(amount), 0) from refunds where purchase_id = purchases.id and state = 'returned');
