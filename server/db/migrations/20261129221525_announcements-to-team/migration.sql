ALTER TABLE "announcements" ADD COLUMN "to_team" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Audiences are filters of the list of users now.
UPDATE "announcements" SET "audience" = CASE split_part("audience", ':', 1)
  WHEN 'tier' THEN 'filter:tier=' || split_part("audience", ':', 2)
  WHEN 'stopped-at' THEN 'filter:progress=stopped-at&lesson=' || split_part("audience", ':', 2)
  WHEN 'state' THEN CASE split_part("audience", ':', 2)
    WHEN 'declined' THEN 'filter:show=renewal-declined'
    WHEN 'former' THEN 'filter:show=former'
    ELSE 'filter:status=' || split_part("audience", ':', 2) END
  ELSE "audience" END;
