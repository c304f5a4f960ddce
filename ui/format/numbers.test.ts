import { expect, test } from "vitest";
import { formatCount, formatCountOf, formatShare, formatSize } from "./numbers.ts";

test("a count has thousands separators", () => {
  expect([0, 999, 100_000].map(formatCount)).toEqual(["0", "999", "100,000"]);
});

test("a count of one has a singular noun", () => {
  const said = [0, 1, 2, 1204].map((value) => formatCountOf(value, "seat"));
  expect(said).toEqual(["0 seats", "1 seat", "2 seats", "1,204 seats"]);
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

test("a share is a percentage, with a decimal if small, and a dash without a total", () => {
  const shares = [
    [3, 8],
    [3, 80],
    [4, 80],
    [0, 80],
    [80, 80],
    [199, 2000],
    [5, 0],
  ] as const;
  expect(shares.map(([part, whole]) => formatShare(part, whole))).toEqual([
    ...["38%", "3.8%", "5%", "0%", "100%", "10%", "–"],
  ]);
});
