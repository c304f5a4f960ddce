CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY,
	"webhook_id" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"status" integer,
	"problem" text,
	"created_at" timestamp with time zone NOT NULL,
	"last_attempt_at" timestamp with time zone,
	"next_attempt_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_state" CHECK ("state" in ('waiting', 'delivered', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret_number" integer DEFAULT 1 NOT NULL,
	"rotated_at" timestamp with time zone,
	"stopped_at" timestamp with time zone,
	"stopped_because" text,
	"failing_since" timestamp with time zone,
	"last_delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook_id" ON "webhook_deliveries" ("webhook_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created_at" ON "webhook_deliveries" ("created_at");--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhook_endpoints_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE;
--> statement-breakpoint
-- Notes are merged many in a statement, which knows the lessons that it completed only here.
create function announce_completion() returns trigger language plpgsql as $$
declare
  event_id text := left(replace(gen_random_uuid()::text, '-', ''), 20);
begin
  if tg_op = 'UPDATE' and old.is_completed then return null; end if;
  -- A restore brings rows back, which completes nothing.
  if current_setting('academy.restoring', true) = 'yes' then return null; end if;
  with receivers as (
    select id, left(replace(gen_random_uuid()::text, '-', ''), 20) as delivery_id
    from webhook_endpoints where stopped_at is null and events @> '{lesson.completed}'
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
    json_build_object('deliveryId', id), id || ':0', new.updated_at, new.updated_at
  from added;
  return null;
end
$$;
--> statement-breakpoint
create trigger announce_completion after insert or update of is_completed on course_progress for each row
  when (new.is_completed) execute function announce_completion();
