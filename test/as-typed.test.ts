import { expect, test } from "vitest";
import { asTyped } from "#contract/as-typed.ts";

test.each([
  ["\u202a+1 (555) 010\u20110199\u202c", "+1 (555) 010-0199"],
  ["+1\ufeff-555-123-4567", "+1-555-123-4567"],
  ["\uff0b\uff11\uff15\uff15\uff15\uff10\uff11\uff10\uff10", "+15550100"],
  ["٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹", "0123456789 0123456789"],
  ["४१११ ๙", "4111 9"],
  ["SPRING\u2013\u00a020\u00ad26", "SPRING- 2026"],
  ["plain text, unchanged: Łukasz O’Brien", "plain text, unchanged: Łukasz O’Brien"],
])("%j is typed as %j", (pasted, typed) => {
  expect(asTyped(pasted)).toBe(typed);
});
