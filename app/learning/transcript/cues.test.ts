import { expect, test } from "vitest";
import { parseCaptions } from "#contract/captions.ts";
import { cueAt, findWords, textOfCues } from "./cues.ts";

const cues = parseCaptions(`WEBVTT

00:01.000 --> 00:02.000
Crème brûlée 🍮

00:03.000 --> 00:05.000
مرحباً
بكم

01:00:05.250 --> 01:00:09.000
Bake <i>it</i>
`);

test("the current cue is the last that has begun, also in the pause after it", () => {
  expect([0.5, 1, 2.5, 2.95, 3600, 4000].map((second) => cueAt(cues, second))).toEqual([-1, 0, 0, 1, 1, 2]);
  expect(cueAt([], 5)).toBe(-1);
});

test("the search ignores case, accents and line breaks", () => {
  const found = (words: string) => [...(findWords(cues, words) ?? ["all"])];
  expect(found("BRULEE creme")).toEqual([0]);
  expect(found("مرحبا بكم")).toEqual([1]);
  expect(found("🍮")).toEqual([0]);
  expect(found("salt")).toEqual([]);
  expect(found("  ")).toEqual(["all"]);
});

test("the copied text has a line with its time for each cue", () => {
  expect(textOfCues(cues)).toBe("0:01 Crème brûlée 🍮\n0:03 مرحباً بكم\n1:00:05 Bake it");
});
