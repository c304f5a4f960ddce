import { z } from "zod";
import { asTyped } from "../as-typed.ts";

/** An administrator's short reason. Kept in the audit log for ever, so it must contain no names or addresses. */
export const reason = z.string().trim().max(500, "Use 500 characters or fewer").optional();
export const requiredReason = z.string().trim().min(3).max(500, "Use 500 characters or fewer");

/** What a dialog asks for that asks for nothing else. */
export const Reason = z.strictObject({ reason });
export type Reason = z.infer<typeof Reason>;
export const RequiredReason = z.strictObject({ reason: requiredReason });

export const recordId = z.string().regex(/^[a-z0-9-]{1,40}$/, "Not an id");

/** `success` is always true. `message` is the specification's toast. */
export const Done = z.object({ success: z.literal(true), message: z.string() }).meta({ id: "Done" });
export type Done = z.infer<typeof Done>;

/**
 * Paging of every long list: the reply has at most `limit` rows, and the next page is that `after` the last row's id,
 * stable while rows are added. The specification's lists are arrays, with a separate call for the total.
 */
export const paging = {
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
  after: z
    .string()
    .regex(/^[\w-]{1,40}$/, "Not an id")
    .optional()
    .describe("The id of the last row of the page before. 404 when it is gone"),
};

export type Paging = z.infer<z.ZodObject<typeof paging>>;

/** A page of a long list. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ rows: z.array(row), total: z.int().nullable().describe("Of all pages; null after the first one") });
export interface Page<Row> {
  rows: Row[];
  total: number | null;
}

/** Text in a URL. Refuses NUL, which would reach the database. */
export const plainText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !text.includes("\0"), "Enter text");

/** In characters. */
export const maxSearchLength = 100;

/** A search; each of its words must occur. */
export const search = plainText(maxSearchLength)
  // Cleaning would make two words of a name with an acute accent in place of its apostrophe.
  .overwrite((text) => asTyped(text.replaceAll("´", "'")))
  .optional();

export const order = z.enum(["asc", "desc"]);

/** The maximum of rows that are selected one by one. */
export const maxSelected = 1000;

/** Selected rows of a list: by ids, or all that match a filter, except deselected ones. */
export const selectionOf = <Filter extends z.ZodType>(filter: Filter) =>
  z
    .union([
      z.strictObject({ ids: z.array(recordId).min(1).max(maxSelected) }),
      z.strictObject({ filter, except: z.array(recordId).max(maxSelected).default([]) }),
    ])
    .describe("The ids of rows, or all that a filter finds, which the server looks up by itself");

export const Count = z.object({ total: z.int() }).meta({ id: "Count" });
export type Count = z.infer<typeof Count>;

/** The lists that can be downloaded as files, each with the filters of its list call. */
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
 * `csv` is UTF-8 with a byte order mark and CRLF line ends (RFC 4180). In `xlsx`, the workbook of Excel and other
 * spreadsheets, amounts, dates and texts have their types. Both have the same columns and rows.
 */
export const exportFormats = ["csv", "xlsx"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/**
 * The path that answers a POST with a list as a file. The body is a selection of users, purchases or messages, and the
 * query of the list call, without paging, for all others.
 */
export function exportUrl(list: ExportedList, format: ExportFormat): string {
  return `/api/admin/exports/${list}.${format}`;
}
