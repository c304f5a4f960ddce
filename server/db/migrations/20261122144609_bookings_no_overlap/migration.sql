-- A coach sees one student at a time, whichever node books and whatever dies in between. The extension compares texts in
-- an index of ranges; it is trusted, so that the database's owner may make it.
CREATE EXTENSION IF NOT EXISTS btree_gist;--> statement-breakpoint
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_no_overlap"
  EXCLUDE USING gist ("coach_id" WITH =, tstzrange("starts_at", "ends_at") WITH &&) WHERE ("state" = 'booked');--> statement-breakpoint
-- What Lifetime promises from now on; its owner may change it with the plan.
UPDATE "plans" SET "coaching" = '{"sessions":1,"everyDays":30,"minutes":30}' WHERE "tier" = 'vip';
