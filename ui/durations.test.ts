import { expect, test } from "vitest";
import { formatSecond, formatWatchHours } from "./durations.ts";

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
