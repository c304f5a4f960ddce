import { type AnyColumn, and, asc, desc, inArray, notInArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { storedEmail } from "#contract/email-address.ts";
import { searchForm } from "./columns.ts";

/**
 * Selects the rows after the one with the id `after` (keyset pagination), which is stable while rows are added. The
 * page after a deleted row is empty.
 */
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

/** The rows of a list that are selected: those of `ids`, or all that match without `except`. */
export interface RowSelection {
  readonly ids?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
}

export function isInSelection(id: AnyColumn, { ids, except = [] }: RowSelection): SQL | undefined {
  return and(ids && inArray(id, [...ids]), except.length > 0 ? notInArray(id, [...except]) : undefined);
}

/** @param text in the form of `searchForm` */
export function containsWords(text: SQLWrapper, search: string | undefined): SQL[] {
  return wordsOf(search).map((word) => {
    const pattern = `%${(storedEmail(word) ?? word).replaceAll(/[\\%_]/g, "\\$&")}%`;
    return sql`${text} like ${searchForm(sql`${pattern}`)}`;
  });
}

function wordsOf(search: string | undefined): string[] {
  return search?.split(/\s+/).filter(Boolean) ?? [];
}
