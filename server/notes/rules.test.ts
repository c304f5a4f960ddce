import { expect, test } from "vitest";
import { nearestFreeSecond } from "./rules.ts";

test.each([
  [7, [], 7],
  [7, [7], 6],
  [7, [6, 7], 8],
  [1, [0, 1, 2], 3],
])("a note at second %i beside those at %j is at second %i", (second, taken, expected) => {
  expect(nearestFreeSecond(second, new Set(taken))).toBe(expected);
});
