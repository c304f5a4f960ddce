import { type SQL, sql } from "drizzle-orm";

/** Whether a text holds the email address, and not only a longer one. */
export function containsAddress(text: SQL, address: string): SQL {
  const literally = address.toLowerCase().replace(/[!-/:-@[-`{-~]/g, "\\$&");
  // JSON writes a line break as a letter behind a backslash.
  const whole = `(^|[^a-z0-9._%+'-]|[^a-z0-9._%+-]'|\\\\[bfnrt])${literally}($|[^a-z0-9.-]|[.-]+($|[^a-z0-9]))`;
  // Thousands of texts that hold none are told faster without a pattern.
  return sql`(position(lower(${address}) in lower(${text})) > 0 and lower(${text}) ~ ${whole})`;
}
