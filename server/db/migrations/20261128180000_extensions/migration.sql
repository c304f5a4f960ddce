-- PostgreSQL trusts these three, so that the owner of a database may create them. btree_gist compares texts in an index of
-- ranges.
create extension if not exists btree_gist;
--> statement-breakpoint
create extension if not exists pg_trgm;
--> statement-breakpoint
create extension if not exists unaccent;
--> statement-breakpoint
-- `unaccent` alone is not immutable, because its rules could be changed, and so can make no generated column. A body in
-- this form is bound to its functions, whichever schema they are in, so that a dump of the database can be restored.
create function search_form(text) returns text language sql immutable strict parallel safe
return lower(unaccent('unaccent', normalize(
  translate($1, '’ʼ‘`´ʹ′‐‑‒–—−', repeat('''', 7) || repeat('-', 6)),
  NFKC
)));
