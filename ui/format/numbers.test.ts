import { expect, test } from "vitest";
import { formatCount, formatSize } from "./numbers.ts";

test("a count has its thousands apart", () => {
  expect([0, 999, 100_000].map(formatCount)).toEqual(["0", "999", "100,000"]);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KB"],
  [24_817, "24.8 KB"],
  [99_950, "100 KB"],
  [999_949, "1000 KB"],
  [999_950, "1.0 MB"],
  [104_857_600, "105 MB"],
])("%i bytes are %s", (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});
