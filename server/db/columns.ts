import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { customType, text, timestamp } from "drizzle-orm/pg-core";
import { decimalAmount } from "#contract/money.ts";
import { newId } from "#server/db/id.ts";

export const id = () => text().primaryKey().$defaultFn(newId);

/** Without a default: every time comes from the clock of the context. */
export const instant = () => timestamp({ withTimezone: true, mode: "date" });

/** Text as a search compares it: without accents, in lower case and with one kind of apostrophe. By a migration's function. */
export const searchForm = (text: SQLWrapper) => sql`search_form(${text})`;

/** Stored, because the function takes longer than the search itself. @param parts nullable columns */
export const searchText = (...parts: readonly [string, ...string[]]) =>
  text().generatedAlwaysAs(searchForm(sql.raw(parts.map((name) => `coalesce(${name}, '')`).join(" || ' ' || "))));

export const searchable = customType<{ data: string }>({ dataType: () => "tsvector" });

/** Any of the words or of what begins with them, except words that say nothing, such as "the". */
export const anyOfWords = (words: readonly string[]) =>
  sql`(${sql.join(
    words.map((word) => sql`to_tsquery('english', ${`${word}:*`})`),
    sql` || `,
  )})`;

/** US dollars as numeric(10,2) in the database, integer cents in the program. */
export const cents = customType<{ data: number; driverData: string }>({
  dataType: () => "numeric(10, 2)",
  fromDriver: (text) => Math.round(Number(text) * 100),
  toDriver: decimalAmount,
});

/** Inlines the words, because checks and partial indexes take no parameters. */
export function isOneOf(column: SQLWrapper, words: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(", "))})`;
}
