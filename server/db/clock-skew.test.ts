import { expect, test } from "vitest";
import { skewOf, skewWords } from "./clock-skew.ts";

const minute = 60_000;

test("clocks within a minute agree, and a slow answer of the database is no difference [P25]", () => {
  expect(skewOf({ before: 0, after: 10, database: 5 })).toBeNull();
  expect(skewOf({ before: 0, after: 10, database: minute })).toBeNull();
  expect(skewOf({ before: 0, after: 5 * minute, database: 2 * minute })).toBeNull();
});

test("beyond a minute the difference is told, ahead or behind [P25]", () => {
  expect(skewOf({ before: 0, after: 10, database: 90_010 })).toBe(-90_000);
  expect(skewOf({ before: 90_000, after: 90_010, database: 0 })).toBe(90_000);
  expect(skewWords(90_000)).toBe("this machine's clock is 90 seconds ahead of the database's");
  expect(skewWords(-90_000)).toBe("this machine's clock is 90 seconds behind the database's");
});
