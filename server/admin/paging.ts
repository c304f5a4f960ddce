import { type AnyColumn, and, asc, desc, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** After the row with the id `after`, whatever was added meanwhile. The page after a deleted row is empty. */
export function pageOf(
  table: PgTable & { id: AnyColumn },
  key: SQL | AnyColumn,
  direction: "asc" | "desc",
  after: string | undefined,
): { where: SQL | undefined; orderBy: SQL[] } {
  const beyond = sql.raw(direction === "asc" ? ">" : "<");
  const last = sql`(select ${key}, ${table.id} from ${table} where ${table.id} = ${after})`;
  const by = direction === "asc" ? asc : desc;
  return { where: after ? sql`(${key}, ${table.id}) ${beyond} ${last}` : undefined, orderBy: [by(key), by(table.id)] };
}

/** Rows that were ticked, or taken out again, in a list. */
export interface Ticked {
  readonly ids?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
}

export function isTicked(id: AnyColumn, { ids, except = [] }: Ticked): SQL | undefined {
  return and(ids && inArray(id, [...ids]), except.length > 0 ? notInArray(id, [...except]) : undefined);
}

export function holdsWords(text: SQL, search: string | undefined): SQL[] {
  return wordsOf(search).map((word) => sql`lower(${text}) like lower(${`%${word.replaceAll(/[\\%_]/g, "\\$&")}%`})`);
}

function wordsOf(search: string | undefined): string[] {
  return search?.split(/\s+/).filter(Boolean) ?? [];
}
