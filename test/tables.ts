import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type { Pool } from "pg";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Every table that the code declares, and its columns. */
export async function listTables() {
  const files = globSync("{server/*,issuer}/tables.ts", { cwd: root });
  const modules: object[] = await Promise.all(files.map((file) => import(root + file)));
  const tables = modules.flatMap((module) => Object.values(module)).filter((one) => is(one, PgTable));
  return tables.map((table) => ({ name: nameOf(table), columns: getTableConfig(table).columns }));
}

/** Such as "users" or "issuer.accounts". */
export function nameOf(table: PgTable): string {
  const { schema, name } = getTableConfig(table);
  return schema ? `${schema}.${name}` : name;
}

/** Every row of every table. */
export async function databaseAsText(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'issuer')",
  );
  const dumps = await Promise.all(
    rows.map(({ name }) => pool.query(`select row_to_json(t)::text as row from ${name} t`)),
  );
  return dumps.flatMap((dump) => dump.rows.map(({ row }) => row)).join("\n");
}
