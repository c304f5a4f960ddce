import { expect, test } from "vitest";
import { formatSecond } from "#contract/lesson-start.ts";
import { formatWatchHours, formatWatchTime } from "./durations.ts";
import { formatLength, formatLessons } from "./lesson-lengths.ts";

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

test.each([
  [[], "0 lessons"],
  [[0, 0], "2 lessons"],
  [[41], "1 lesson, 0:41 total"],
  [[41, 41, 40, 40, 41], "5 lessons, 3:23 total"],
  [[3600, 125], "2 lessons, 1:02:05 total"],
])("lessons of %j seconds are %s", (lengths, text) => {
  expect(formatLessons(lengths.map((duration) => ({ duration, isSample: false })))).toBe(text);
});

test("samples are named", () => {
  const sample = { duration: 41, isSample: true };
  expect(formatLength(sample)).toBe("Sample, 0:41");
  expect(formatLessons([sample, sample])).toBe("2 sample lessons, 1:22 total");
  expect(formatLessons([sample, { duration: 41, isSample: false }])).toBe("2 lessons, 1:22 total");
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
