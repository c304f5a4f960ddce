import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatCaptions, parseCaptions } from "#contract/captions.ts";

test("cues are read with their times and words, and nothing else is", () => {
  const file = [
    "WEBVTT - made by hand",
    "STYLE\n::cue { color: red }",
    "NOTE 00:01.000 is not a cue",
    "intro\n00:01.500 --> 00:03.000 align:start\n<v Jo>Tom &amp; <b>Ann</b>\nscan a shelf",
    "1:00:00.000 --> 1:00:01.000\nan hour needs two digits",
    "01:00:02.250 --> 01:00:03.000\nlater",
    "00:09.000 --> 00:08.000\nbackwards",
    "00:10.000 --> 00:11.000\n",
  ].join("\r\n\r\n");
  expect(parseCaptions(file)).toEqual([
    { startsAt: 1500, endsAt: 3000, text: "Tom & Ann\nscan a shelf" },
    { startsAt: 3_602_250, endsAt: 3_603_000, text: "later" },
  ]);
});

test("a long line of unclosed tags is parsed in linear time", () => {
  // In n² steps this would take minutes.
  const words = "<".repeat(1_000_000);
  expect(parseCaptions(`WEBVTT\n\n00:00.000 --> 00:01.000\n${words}`)).toEqual([
    { startsAt: 0, endsAt: 1000, text: words },
  ]);
});

test("formatted cues are parsed to the same cues", () => {
  const cues = [
    { startsAt: 0, endsAt: 999, text: "1 < 2 & 3 > 2" },
    { startsAt: 3_599_001, endsAt: 7_200_000, text: "two\nlines" },
  ];
  expect(parseCaptions(formatCaptions(cues))).toEqual(cues);
});

test("every sentence of a shipped sample is there", () => {
  const file = readFileSync(new URL("../../content/samples/lesson-1-1.vtt", import.meta.url), "utf8");
  const cues = parseCaptions(file);
  expect(cues).toHaveLength(file.match(/-->/g)?.length ?? 0);
  expect(cues[1]).toEqual({ startsAt: 6250, endsAt: 9686, text: "This board game is on clearance for $9." });
});
