import { expect, test } from "vitest";
import { type Point, rateOf, withPoint } from "./rate.ts";

test("the speed is the mean of the last ten seconds, and a break begins anew", () => {
  let points: readonly Point[] = [];
  expect(rateOf(points)).toBeNull();
  for (let second = 0; second <= 30; second++) {
    points = withPoint(points, { at: 1000 * second, sent: second < 20 ? 100 * second : 1900 + 500 * (second - 19) });
  }
  expect(rateOf(points)).toBe(500);
  points = withPoint(points, { at: 40_000, sent: 1000 });
  expect(rateOf(points)).toBeNull();
});
