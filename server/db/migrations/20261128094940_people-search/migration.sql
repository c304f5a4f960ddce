-- The owner of a database may create these two, because PostgreSQL trusts them.
create extension if not exists unaccent;--> statement-breakpoint
create extension if not exists pg_trgm;--> statement-breakpoint
-- `unaccent` alone is not immutable, because its rules could be changed, and so can make no generated column. A body in
-- this form is bound to its functions, whichever schema they are in, so that a dump of the database can be restored.
create function search_form(text) returns text language sql immutable strict parallel safe
return lower(unaccent('unaccent', normalize(
  translate($1, '’ʼ‘`´ʹ′‐‑‒–—−', repeat('''', 7) || repeat('-', 6)),
  NFKC
)));--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "search_text" text GENERATED ALWAYS AS (search_form(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(message, ''))) STORED;--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "search_text" text GENERATED ALWAYS AS (search_form(coalesce(email, '') || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) STORED;--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("search_text" gin_trgm_ops);