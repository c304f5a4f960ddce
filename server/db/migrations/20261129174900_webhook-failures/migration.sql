ALTER TABLE "webhook_endpoints" ADD COLUMN "last_failed_at" timestamp with time zone;
--> statement-breakpoint
-- Holds the key of the receivers, since one that is deleted meanwhile would fail the statement. A job needs no key.
create or replace function announce_completion() returns trigger language plpgsql as $$
declare
  event_id text := left(replace(gen_random_uuid()::text, '-', ''), 20);
begin
  if tg_op = 'UPDATE' and old.is_completed then return null; end if;
  -- A restore brings rows back, which completes nothing.
  if current_setting('academy.restoring', true) = 'yes' then return null; end if;
  with receivers as (
    select id, left(replace(gen_random_uuid()::text, '-', ''), 20) as delivery_id
    from webhook_endpoints where stopped_at is null and events @> '{lesson.completed}'
    order by id for key share
  ), added as (
    insert into webhook_deliveries (id, webhook_id, event_id, type, body, created_at, next_attempt_at)
    select delivery_id, id, event_id, 'lesson.completed',
      json_build_object(
        'type', 'lesson.completed',
        'timestamp', to_char(new.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'data', json_build_object('id', new.lesson_id, 'userId', new.user_id, 'moduleId', new.module_id)
      )::text,
      new.updated_at, new.updated_at
    from receivers returning id
  )
  insert into jobs (id, name, data, key, run_at, created_at)
  select left(replace(gen_random_uuid()::text, '-', ''), 20), 'deliver-webhook',
    json_build_object('deliveryId', id), null, new.updated_at, new.updated_at
  from added;
  return null;
end
$$;
