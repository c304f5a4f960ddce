import { type SQL, sql } from "drizzle-orm";

/** What can be part of an address before its @. Some of it also quotes an address. */
const atoms = "a-z0-9.!#$%&'*+/=?^_`{|}~\\u00c0-\\u1fff\\u3040-\\ufaff-";

/** Whether a text contains the email address as a whole, and not only as a part of a longer one. */
export function containsAddress(text: SQL, address: string): SQL {
  const literally = address.toLowerCase().replace(/[!-/:-@[-`{-~]/g, "\\$&");
  // In JSON the letter of an escaped line break, such as `\n`, precedes the address.
  const whole = `((^|[^${atoms}])['\`{*|/=]*|\\\\[bfnrt])${literally}($|[^a-z0-9.-]|[.-]+($|[^a-z0-9]))`;
  // `position` first: it is faster than a pattern for the many texts without the address.
  return sql`(position(lower(${address}) in lower(${text})) > 0 and lower(${text}) ~ ${whole})`;
}
