ALTER TABLE "course_progress" ADD COLUMN "completed_by" text;--> statement-breakpoint
-- What is known of earlier completions: what was watched of the lesson as it is now.
UPDATE "course_progress" AS "record" SET "completed_by" = CASE
	WHEN "lesson"."kind" = 'text' THEN 'reading'
	WHEN "record"."watch_time" >= "lesson"."duration_seconds" * 0.9 THEN 'coverage'
	ELSE 'button'
END FROM "lessons" AS "lesson" WHERE "lesson"."id" = "record"."lesson_id" AND "record"."is_completed";--> statement-breakpoint
-- As before, but an older mark as not completed does not undo a completion, and it records how a lesson was completed.
create or replace function merge_progress(
  new_id text,
  student_id text,
  of_lesson_id text,
  of_module_id text,
  claimed int4multirange, -- null when the note says nothing about watching
  most_coverage int, -- the coverage can become at most this by the claim
  coverage_to_complete int, -- null for a text lesson, which only its button completes
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
  is_covered boolean;
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
  is_covered := coalesce(coverage + credited >= coverage_to_complete, false);
  kept.is_completed := coalesce(
    -- Another device may have sent a later note before this one.
    case when marked_completed or said_at >= kept.updated_at then marked_completed end,
    kept.is_completed or (is_covered and coverage < coverage_to_complete)
  );
  kept.completed_at := case when kept.is_completed then coalesce(kept.completed_at, received_at) end;
  -- A replaced video may be longer, or have other stretches: what was covered once stays so.
  kept.completed_by := case
    when is_covered or kept.completed_by = 'coverage' then 'coverage'
    when kept.is_completed then
      coalesce(kept.completed_by, case when coverage_to_complete is null then 'reading' else 'button' end)
  end;

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
    completed_by = kept.completed_by,
    position = kept.position,
    position_at = kept.position_at,
    updated_at = greatest(updated_at, said_at)
  where id = kept.id
  returning * into kept;
  return kept;
end
$$;
