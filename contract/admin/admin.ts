import { z } from "zod";

/** Why an administrator did it, in a few words. It is kept in the audit log for ever: no names, no addresses. */
export const reason = z.string().trim().max(500, "At most 500 characters").optional();

export const recordId = z.string().regex(/^[a-z0-9-]{1,40}$/, "Not an id");

/** `success` is always true; `message` is the toast of the specification. */
export const Done = z.object({ success: z.literal(true), message: z.string() }).meta({ id: "Done" });
export type Done = z.infer<typeof Done>;

/**
 * How every long list is read: the answer is an array of at most `limit` rows, and the next ones are those `after` the
 * id of the last row, in the same order, whatever was added meanwhile. How many there are is a call of its own.
 */
export const paging = {
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
  after: recordId.optional().describe("The id of the last row of the page before"),
};

/** Text in an address, where a NUL character would reach the database. */
export const plainText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !text.includes("\0"), "Not a text");

/** The words of a search: each must occur. */
export const search = plainText(100).optional();

export const order = z.enum(["asc", "desc"]);

/** The most rows that somebody selects one by one. */
export const maxSelected = 1000;

/** Selected rows of a list: given ids, or all that a filter matches without the deselected ones. */
export const selectionOf = <Filter extends z.ZodType>(filter: Filter) =>
  z
    .union([
      z.strictObject({ ids: z.array(recordId).min(1).max(maxSelected) }),
      z.strictObject({ filter, except: z.array(recordId).max(maxSelected).default([]) }),
    ])
    .describe("The ids of rows, or all that a filter finds, which the server looks up by itself");

export const Count = z.object({ total: z.int() }).meta({ id: "Count" });
export type Count = z.infer<typeof Count>;

/** The lists that can be downloaded as CSV, each with the filters of its own call. */
export const exportedLists = [
  "users",
  "purchases",
  "contacts",
  "money",
  "sign-ups",
  "funnel",
  "retention",
  "value",
  "learning",
  "coaching",
  "audit",
] as const;
export type ExportedList = (typeof exportedLists)[number];

/**
 * The address of a list as a CSV file: UTF-8 with a byte order mark, rows ended by CRLF (RFC 4180), every row that the
 * filters let through. `query` is the query of the list's own call; paging in it is ignored. Lists of users, purchases and
 * messages take a selection by POST, too.
 */
export function exportUrl(
  list: ExportedList,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `/api/admin/exports/${list}.csv${search.size > 0 ? `?${search}` : ""}`;
}
