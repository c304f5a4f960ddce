import { type AnyColumn, and, asc, desc, eq, inArray, notInArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgSelect, PgTable } from "drizzle-orm/pg-core";
import { storedEmail } from "#contract/email-address.ts";
import { Refusal } from "#server/base/refusal.ts";
import { searchForm } from "./columns.ts";
import type { Db } from "./db.ts";

/** The part of a list to select. */
interface Part {
  readonly table: PgTable;
  readonly id: AnyColumn;
  /** Orders the rows, those with an equal key by id. */
  readonly key: SQL | AnyColumn;
  readonly direction?: "asc" | "desc" | undefined;
  readonly where: SQL | undefined;
  readonly limit: number;
  /** The id of the row before the first one. */
  readonly after?: string | undefined;
}

/**
 * Selects a part of a list by its last row (keyset pagination), which is stable while rows are added.
 * @throws Refusal not-found when the row before the first one is gone
 */
export async function selectRows<Select extends PgSelect & PromiseLike<unknown[]>>(
  db: Db,
  select: Select,
  { table, id, key, direction = "desc", where, limit, after }: Part,
) {
  const beyond = sql.raw(direction === "asc" ? ">" : "<");
  const last = sql`(select ${key}, ${id} from ${table} where ${id} = ${after})`;
  const by = direction === "asc" ? asc : desc;
  const rows = await select
    .where(and(where, after ? sql`(${key}, ${id}) ${beyond} ${last}` : undefined))
    .orderBy(by(key), by(id))
    .limit(limit);
  if (after && rows.length === 0) await requireRowBefore(db, table, eq(id, after));
  return rows;
}

/**
 * Call it when a page is empty.
 * @throws Refusal not-found when the row before the first one is gone
 */
export async function requireRowBefore(db: Db, table: PgTable, isRowBefore: SQL | undefined): Promise<void> {
  if ((await db.$count(table, isRowBefore)) > 0) return;
  throw new Refusal("not-found", "This list has changed. Reload it.");
}

/** A page of a list. Only the first one counts the rows of all pages. */
export async function selectPage<Select extends PgSelect & PromiseLike<unknown[]>>(db: Db, select: Select, part: Part) {
  const rows = await selectRows(db, select, part);
  return { rows, total: part.after ? null : await db.$count(part.table, part.where) };
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
