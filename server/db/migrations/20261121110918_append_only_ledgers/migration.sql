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
