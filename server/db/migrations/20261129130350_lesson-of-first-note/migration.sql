-- As before, but a note about a lesson of which nothing is watched yet, whose record replacing the video does not lock,
-- waits on the lesson for a transaction that replaces it. Replacing waits for such a note, and then empties its record.
create or replace function merge_progress_of_video(
  of_video_id text, -- null: the video that the lesson has
  new_id text,
  student_id text,
  of_lesson_id text,
  of_module_id text,
  claimed int4multirange,
  most_coverage int,
  coverage_to_complete int,
  marked_completed boolean,
  said_position numeric,
  said_at timestamptz,
  received_at timestamptz,
  opened_at timestamptz
) returns course_progress language plpgsql
-- As in merge_progress.
set enable_seqscan = off
as $$
declare
  is_watched boolean;
begin
  if of_video_id is not null then
    select watch_time > 0 into is_watched
    from course_progress where user_id = student_id and lesson_id = of_lesson_id for update;
    if is_watched is not true then
      perform from lessons where id = of_lesson_id for share;
    end if;
    if not exists (select from lessons where id = of_lesson_id and video_id = of_video_id) then
      claimed := null;
      said_position := null;
    end if;
  end if;
  return merge_progress(
    new_id, student_id, of_lesson_id, of_module_id, claimed, most_coverage, coverage_to_complete, marked_completed,
    said_position, said_at, received_at, opened_at
  );
end
$$;
