import { existsSync, readdirSync, readFileSync } from "node:fs";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api-postgres";
import type pg from "pg";
import { expect, test } from "vitest";
import { databaseOfFile } from "#test/fixtures.ts";
import { createEmptyDatabase } from "#test/postgres.ts";
import { migrationsFolder } from "./db.ts";

const migrated = await databaseOfFile();
const declared = await databaseOfFile(createEmptyDatabase());

/** The definition of each object by its name, without those that extensions make for themselves. */
async function catalogueOf(pool: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; definition: string }>(`
    with ours as (select oid, nspname from pg_namespace where nspname in ('public', 'issuer')),
      extended as (select classid, objid from pg_depend where deptype = 'e'),
      relations as (select c.* from pg_class c join ours on ours.oid = relnamespace
        where ('pg_class'::regclass::oid, c.oid) not in (table extended))
    select 'schema ' || nspname as name, '' as definition from ours
    union all select 'extension ' || extname, '' from pg_extension
    union all select 'type ' || t.oid::regtype, concat(typtype, ' ',
        (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
      from pg_type t join ours on ours.oid = typnamespace
      where typrelid = 0 and typelem = 0 and ('pg_type'::regclass::oid, t.oid) not in (table extended)
    union all select 'function ' || proname, pg_get_functiondef(p.oid) || coalesce(proacl::text, '')
      from pg_proc p join ours on ours.oid = pronamespace
      where ('pg_proc'::regclass::oid, p.oid) not in (table extended)
    union all select format('%s %s', case relkind when 'r' then 'table' when 'v' then 'view' else relkind::text end, oid::regclass),
        concat_ws(' ', relrowsecurity, relacl::text, reloptions::text, case relkind when 'v' then pg_get_viewdef(oid) end)
      from relations where relkind <> 'i'
    union all select format('column %s.%s', attrelid::regclass, attname),
        concat_ws(' ', format_type(atttypid, atttypmod), case when attnotnull then 'not null' end, attgenerated,
          attidentity, pg_get_expr(adbin, adrelid))
      from pg_attribute join relations on relations.oid = attrelid and relkind in ('r', 'v')
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped
    union all select format('constraint %s.%s', conrelid::regclass, conname), pg_get_constraintdef(c.oid)
      from pg_constraint c join relations on relations.oid = conrelid where contype <> 'n'
    union all select format('index %s', oid::regclass), pg_get_indexdef(oid) from relations where relkind = 'i'
    union all select format('trigger %s.%s', tgrelid::regclass, tgname), pg_get_triggerdef(t.oid)
      from pg_trigger t join relations on relations.oid = tgrelid where not tgisinternal`);
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

/** The exports of the files in which drizzle-kit looks for tables. */
async function exportsOfTables(): Promise<[name: string, value: unknown][]> {
  const root = new URL("../../", import.meta.url);
  const folders = ["issuer", ...readdirSync(new URL("server/", root)).map((folder) => `server/${folder}`)];
  const files = folders.map((folder) => new URL(`${folder}/tables.ts`, root)).filter((file) => existsSync(file));
  const exported = await Promise.all(files.map(async ({ href }) => Object.entries(await import(href))));
  return exported.flatMap((entries, at) =>
    entries.map(([name, value]) => [`${at} ${name}`, value] as [string, unknown]),
  );
}

test("the migrations make the tables that the code declares, and what is named beside them", async () => {
  const [extensions = ""] = readdirSync(migrationsFolder).toSorted();
  await declared.pool.query(readFileSync(`${migrationsFolder}/${extensions}/migration.sql`, "utf8"));
  const before = await catalogueOf(declared.pool);
  const exported = await exportsOfTables();
  const schema = await generateDrizzleJson(Object.fromEntries(exported));
  for (const statement of await generateMigration(await generateDrizzleJson({}), schema)) {
    await declared.pool.query(statement);
  }
  const ofTables = [...(await catalogueOf(declared.pool))].filter(([name]) => !before.has(name));
  const found = await catalogueOf(migrated.pool);
  expect(Object.fromEntries(ofTables.map(([name]) => [name, found.get(name)]))).toEqual(Object.fromEntries(ofTables));

  const declaredNames = new Set(ofTables.map(([name]) => name));
  const others = [...found.keys()].filter((name) => !declaredNames.has(name) && name !== "schema public");
  const named = exported.filter(([name]) => name.endsWith(" addedByMigrations")).flatMap(([, names]) => names);
  expect(others.toSorted()).toEqual([...named, "extension plpgsql"].toSorted());
});
