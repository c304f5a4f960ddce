ALTER TABLE "course_progress" ADD COLUMN "earlier_watch_time" numeric(10,2) DEFAULT '0' NOT NULL;--> statement-breakpoint
-- Coverage belongs to a video. What was watched of an earlier one still counts as time, and a completion stays.
create function empty_coverage() returns trigger language plpgsql as $$
begin
  update course_progress
  set earlier_watch_time = earlier_watch_time + watch_time, watched = '{}', watch_time = 0
  where lesson_id = new.id and watch_time > 0;
  return null;
end
$$;
--> statement-breakpoint
create trigger empty_coverage after update of video_id on lessons for each row when (old.video_id is distinct from new.video_id) execute function empty_coverage();
