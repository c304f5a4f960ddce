import { expect, test } from "vitest";
import { withoutValues } from "./trace-statements.ts";

test.each([
  ['select "a1" from "t" where "id" = $1 limit 10', 'select "a1" from "t" where "id" = $1 limit ?'],
  ["select 'ada@example.test', 'it''s', 1.5, $2::text", "select ?, ?, ?, $2::text"],
  ["set lock_timeout = 0", "set lock_timeout = ?"],
])("of a statement the text is told, and no value: %s [G08]", (text, told) => {
  expect(withoutValues(text)).toBe(told);
});
