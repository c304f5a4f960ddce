CREATE TABLE "content_version" (
	"id" boolean PRIMARY KEY DEFAULT true,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
-- Pages ask for this one number, and read what they say anew when it has risen: in the transaction of the change, so that
-- nobody sees the number without the change.
create function raise_content_version() returns trigger language plpgsql as $$
begin
  insert into content_version as known default values on conflict (id) do update set version = known.version + 1;
  return null;
end
$$;--> statement-breakpoint
insert into content_version default values;--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on plans for each statement execute function raise_content_version();--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on settings for each statement execute function raise_content_version();--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on modules for each statement execute function raise_content_version();--> statement-breakpoint
create trigger content_version after insert or update or delete or truncate on lessons for each statement execute function raise_content_version();--> statement-breakpoint
create trigger content_version after insert or update of recording_video_id or delete or truncate on live_sessions for each statement execute function raise_content_version();
