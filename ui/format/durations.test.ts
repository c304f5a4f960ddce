import { expect, test } from "vitest";
import { formatSecond } from "#contract/lesson-start.ts";
import { formatLength, formatWatchHours, formatWatchTime } from "./durations.ts";

test.each([
  [0, "0 h"],
  [1, "<0.1 h"],
  [359, "<0.1 h"],
  [360, "0.1 h"],
  [3599, "0.9 h"],
  [5400, "1.5 h"],
  [36_000, "10 h"],
])("%i seconds watched read as %s", (seconds, text) => {
  expect(formatWatchHours(seconds)).toBe(text);
});

test.each([
  [0, "0:00"],
  [9.8, "0:09"],
  [61, "1:01"],
  [3725, "1:02:05"],
])("second %d of a video is %s", (seconds, text) => {
  expect(formatSecond(seconds)).toBe(text);
});

test("the length of a lesson is rounded up to whole minutes", () => {
  expect([1, 41, 60, 61, 700, 3590, 3600, 3900, 7260].map(formatLength)).toEqual([
    "1 min",
    "1 min",
    "1 min",
    "2 min",
    "12 min",
    "1 h",
    "1 h",
    "1 h 5 min",
    "2 h 1 min",
  ]);
});

test("watch time is in whole minutes, or less than one", () => {
  expect([0, 0.5, 59.9, 60, 150, 3599, 3700].map(formatWatchTime)).toEqual([
    "0 min",
    "under 1 min",
    "under 1 min",
    "1 min",
    "2 min",
    "59 min",
    "1 h 1 min",
  ]);
});
