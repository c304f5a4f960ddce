import { expect, test } from "vitest";
import { claimOf, coverageOf, enoughOf } from "./rules.ts";

test("nine tenths of a lesson complete it", () => {
  expect(enoughOf(40) / 100).toBe(36);
});

test("watched ranges are clipped to the lesson, and empty ones are dropped", () => {
  const watched: [number, number][] = [
    [0, 10.005],
    [20, 20],
    [30, 20],
    [35, 90],
    [50, 60],
  ];
  expect(claimOf({ watched }, 40)).toEqual({ stretches: "{[0,1001),[3500,4000)}", total: 4000 });
  expect(claimOf({ watched: [] }, 40)).toEqual({ stretches: "{}", total: 4000 });
});

test("a watch time alone is the range before the position, or one from the start when it does not fit", () => {
  expect(claimOf({ watchTime: 10, position: 30 }, 40)).toEqual({ stretches: "{[2000,3000)}", total: 1000 });
  expect(claimOf({ watchTime: 30, position: 10 }, 40)).toEqual({ stretches: "{[0,3000)}", total: 3000 });
  expect(claimOf({ watchTime: 90 }, 40)).toEqual({ stretches: "{[0,4000)}", total: 4000 });
  expect(claimOf({ watchTime: 0 }, 40)).toEqual({ stretches: "{}", total: 0 });
  expect(claimOf({ position: 10 }, 40)).toBeNull();
});

test("a coverage of 1 means all of the lesson", () => {
  expect(coverageOf(20, 40)).toBe(0.5);
  expect(coverageOf(39.9999, 40)).toBe(0.9999);
  expect(coverageOf(41, 40)).toBe(1);
  expect(coverageOf(5, 0)).toBe(0);
});
