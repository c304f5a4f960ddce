import { readdir } from "node:fs/promises";
import type pg from "pg";
import { migrationsFolder } from "#server/db/db.ts";

/** A table without its generated columns, which PostgreSQL computes again. */
export interface Table {
  /** Quoted, for use in statements. */
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** The number of rows and a sum of their hashes, which does not depend on their order. */
export interface Contents {
  readonly rows: number;
  readonly fingerprint: string;
}

/** Rows that are read at once, and held in memory. */
export const rowsAtOnce = 1000;
const partLength = 1024 * 1024;

/** Fixes the formats of values, so that their text means the same in every database, and switches timeouts off. */
export async function fixSessionSettings(client: pg.ClientBase): Promise<void> {
  await client.query(`set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC';
    set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex'; set extra_float_digits = 1`);
}

export async function describeDatabase(client: pg.ClientBase): Promise<{ version: string; now: Date }> {
  const { rows } = await client.query<{ version: string; now: Date }>(
    "select split_part(current_setting('server_version'), ' ', 1) as version, clock_timestamp() as now",
  );
  if (!rows[0]) throw new Error("the database does not say what it is");
  return rows[0];
}

/**
 * Our tables, each after those that it references. Leaves out `content_version`, which triggers raise as rows are
 * inserted, and tables of extensions and of other schemas.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { oid: string; refersTo: string[] }>(`
    select c.oid::text, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
      json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
        order by a.attnum) as columns,
      array(select f.confrelid::text from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "refersTo"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and n.nspname in ('public', 'issuer') and c.relname <> 'content_version'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    group by c.oid, n.nspname, c.relname order by name`);
  const waiting = new Set(rows);
  const ordered: Table[] = [];
  while (waiting.size > 0) {
    const names = new Set(Array.from(waiting, ({ oid }) => oid));
    const next = Array.from(waiting).filter(({ refersTo }) => !refersTo.some((oid) => names.has(oid)));
    if (next.length === 0) throw new Error("tables refer to each other in a circle");
    for (const table of next) waiting.delete(table);
    ordered.push(...next.map(({ name, columns }) => ({ name, columns })));
  }
  return ordered;
}

/** The applied migrations, oldest first. */
export async function listMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as it");
  if (!found[0]?.it) return [];
  const { rows } = await client.query<{ name: string }>("select name from drizzle.__drizzle_migrations order by name");
  return rows.map(({ name }) => name);
}

/** How many migrations of this release are not applied. */
export async function countWaitingMigrations(client: pg.ClientBase): Promise<number> {
  const [known, applied] = await Promise.all([readdir(migrationsFolder), listMigrations(client)]);
  return known.filter((name) => !applied.includes(name)).length;
}

export async function contentsOf(client: pg.ClientBase, { name, columns }: Table): Promise<Contents> {
  const row = `row(${columns.map((column) => column.name).join(", ")})::text`;
  const hash = `('x' || left(encode(sha256(convert_to(${row}, 'UTF8')), 'hex'), 15))::bit(60)::bigint`;
  const { rows } = await client.query<Contents>(
    `select count(*)::int as rows, coalesce(sum(${hash}), 0)::text as fingerprint from ${name}`,
  );
  if (!rows[0]) throw new Error(`${name} cannot be counted`);
  return rows[0];
}

/**
 * Yields parts of rows, with values as PostgreSQL's text, and reads the next part while one is written. Call it
 * within a transaction.
 */
export async function* readRows(client: pg.ClientBase, { name, columns }: Table): AsyncGenerator<string> {
  const texts = columns.map((column) => `${column.name}::text`).join(", ");
  await client.query(
    `declare rows no scroll cursor for select row_to_json(r)::text as row from (select ${texts} from ${name}) r`,
  );
  const fetch = () => {
    const fetched = client.query<{ row: string }>(`fetch ${rowsAtOnce} from rows`);
    // Handles a rejection that nobody awaits when the writer fails first.
    fetched.catch(() => {});
    return fetched;
  };
  let part: string[] = [];
  let length = 0;
  let next = fetch();
  for (;;) {
    const { rows } = await next;
    const isLast = rows.length < rowsAtOnce;
    if (!isLast) next = fetch();
    for (const { row } of rows) {
      part.push(row);
      length += row.length;
    }
    if (part.length > 0 && (length >= partLength || isLast)) {
      yield `[${part.join(",\n")}]\n`;
      part = [];
      length = 0;
    }
    if (isLast) break;
  }
  await client.query("close rows");
}

export async function insertRows(client: pg.ClientBase, { name, columns }: Table, part: string): Promise<void> {
  const names = columns.map((column) => column.name);
  await client.query(
    `insert into ${name} (${names.join(", ")})
      select ${columns.map((column) => `${column.name}::${column.type}`).join(", ")}
      from json_to_recordset($1::json) as r(${names.map((column) => `${column} text`).join(", ")})`,
    [part],
  );
}
