-- Keys to tables that the code of these domains does not know.
ALTER TABLE "sent_emails" ADD CONSTRAINT "sent_emails_user_id_users_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id");
--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");
--> statement-breakpoint
ALTER TABLE "card_validations" ADD CONSTRAINT "card_validations_purchase_id_purchases_id_fkey" FOREIGN KEY ("purchase_id") REFERENCES "purchases"("id");
--> statement-breakpoint
-- A coach sees one student at a time, whichever node books and whatever dies in between.
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_no_overlap"
  EXCLUDE USING gist ("coach_id" WITH =, tstzrange("starts_at", "ends_at") WITH &&) WHERE ("state" = 'booked');
--> statement-breakpoint
-- What was granted, what ended it and who did what stay as they were written.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end
$$;
--> statement-breakpoint
create trigger append_only before update or delete or truncate on grants for each statement execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete or truncate on grant_ends for each statement execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete or truncate on audit_log for each statement execute function refuse_change();
--> statement-breakpoint
-- Pages ask for this one number, and read what they say anew when it has risen: in the transaction of the change, so that
-- nobody sees the number without the change.
create function raise_content_version() returns trigger language plpgsql as $$
begin
  insert into content_version as known default values on conflict (id) do update set version = known.version + 1;
  return null;
end
$$;
--> statement-breakpoint
insert into content_version default values;
--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on plans for each statement execute function raise_content_version();
--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on settings for each statement execute function raise_content_version();
--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on modules for each statement execute function raise_content_version();
--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on lessons for each statement execute function raise_content_version();
--> statement-breakpoint
create trigger content_version after insert or update of recording_video_id or delete or truncate on live_sessions for each statement execute function raise_content_version();
--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on withdrawn_claims for each statement execute function raise_content_version();
--> statement-breakpoint
create trigger content_version after update of poster_key or delete or truncate on video_facts for each statement execute function raise_content_version();
--> statement-breakpoint
-- Merges what a student's player says about a lesson into the record of that lesson, and opens the record with the first
-- note. docs/decisions/0009-progress.md has the rules. Stretches and lengths are in hundredths of a second.
create function merge_progress(
  new_id text,
  student_id text,
  of_lesson_id text,
  of_module_id text,
  claimed int4multirange, -- null when the note says nothing about watching
  most_coverage int, -- the coverage can become at most this by the claim
  coverage_to_complete int,
  marked_completed boolean, -- null when the student marked nothing
  said_position numeric, -- in seconds; null when the note has none
  said_at timestamptz,
  received_at timestamptz,
  opened_at timestamptz -- since when a lesson without a record can have been watched
) returns course_progress language plpgsql
-- A connection keeps the plans that it made while the table was empty: reading all of it. It holds a record for each
-- student and lesson soon after.
set enable_seqscan = off
as $$
declare
  -- Credit that a note leaves unused is not kept for later ones, but for this: it makes up for notes that arrive late.
  tolerance constant interval := '1.5 seconds';
  -- At double speed, the highest there is, a student covers 200 hundredths of a second in each second.
  speed constant int := 200;
  kept course_progress;
  coverage int;
  creditable int;
  credited int := 0;
  stretch int4range;
  taken int;
begin
  select * into kept from course_progress where user_id = student_id and lesson_id = of_lesson_id for update;
  if not found then
    insert into course_progress
      (id, user_id, lesson_id, module_id, credit_since, created_at, updated_at)
    values
      (new_id, student_id, of_lesson_id, of_module_id, opened_at - tolerance, received_at, said_at)
    on conflict do nothing;
    select * into kept from course_progress where user_id = student_id and lesson_id = of_lesson_id for update;
  end if;
  coverage := 100 * kept.watch_time;

  if claimed is not null then
    creditable := least(floor(speed * extract(epoch from received_at - kept.credit_since)), most_coverage - coverage);
    -- Of what is new, the last stretches are believed first: the student was there most recently.
    for stretch in select unnest(claimed - kept.watched) order by 1 desc loop
      taken := least(upper(stretch) - lower(stretch), creditable - credited);
      exit when taken <= 0;
      kept.watched := kept.watched + int4multirange(int4range(upper(stretch) - taken, upper(stretch)));
      credited := credited + taken;
    end loop;
    kept.watch_time := (coverage + credited) / 100.0;
    kept.credit_since := greatest(
      kept.credit_since + credited * interval '1 second' / speed,
      received_at - tolerance
    );
  end if;

  -- The lesson completes when its coverage reaches the threshold, not while it is above: a student who then marks it as
  -- not completed is not overruled by the next note.
  kept.is_completed := coalesce(
    marked_completed,
    kept.is_completed or (coverage < coverage_to_complete and coverage + credited >= coverage_to_complete)
  );
  kept.completed_at := case when kept.is_completed then coalesce(kept.completed_at, received_at) end;

  -- Notes may arrive out of order: the position said last counts.
  if said_position is not null and said_at >= coalesce(kept.position_at, '-infinity') then
    kept.position := said_position;
    kept.position_at := said_at;
  end if;

  update course_progress
  set
    watched = kept.watched,
    watch_time = kept.watch_time,
    credit_since = kept.credit_since,
    is_completed = kept.is_completed,
    completed_at = kept.completed_at,
    position = kept.position,
    position_at = kept.position_at,
    updated_at = greatest(updated_at, said_at)
  where id = kept.id
  returning * into kept;
  return kept;
end
$$;
--> statement-breakpoint
-- What figures read is written in the statement that changes it.
create function count_charge() returns trigger language plpgsql as $$
begin
  delete from counted_charges where attempt_id = coalesce(new.id, old.id);
  insert into counted_charges (attempt_id, user_id, plan_id, is_first, cents, charged_at)
  select new.id, new.user_id, plan_id, new.kind = 'initial', new.amount * 100, new.resolved_at
  from purchases where id = new.purchase_id and new.state = 'approved';
  return null;
end
$$;
--> statement-breakpoint
create trigger count_charge after insert or delete or update of state, user_id, purchase_id, kind, amount, resolved_at
  on payment_attempts for each row execute function count_charge();
--> statement-breakpoint
create function follow_purchase() returns trigger language plpgsql as $$
begin
  update subscriptions set begun_at = new.completed_at, is_paid = coalesce(new.gives_access, new.status = 'completed')
  where purchase_id = new.id;
  if new.plan_id <> old.plan_id then
    update counted_charges set plan_id = new.plan_id
    where attempt_id in (select id from payment_attempts where purchase_id = new.id);
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger follow_purchase after update of status, gives_access, completed_at, plan_id on purchases
  for each row
  when ((new.status, new.gives_access, new.completed_at, new.plan_id)
    is distinct from (old.status, old.gives_access, old.completed_at, old.plan_id))
  execute function follow_purchase();
--> statement-breakpoint
create function copy_purchase() returns trigger language plpgsql as $$
begin
  select completed_at, coalesce(gives_access, status = 'completed') into new.begun_at, new.is_paid
  from purchases where id = new.purchase_id
  for share;
  return new;
end
$$;
--> statement-breakpoint
create trigger copy_purchase before insert or update of purchase_id on subscriptions
  for each row execute function copy_purchase();
