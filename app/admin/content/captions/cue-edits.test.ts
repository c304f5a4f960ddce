import { expect, test } from "vitest";
import * as edits from "./cue-edits.ts";

const cues = [
  { startsAt: 1000, endsAt: 3000, text: "Buy low and sell high" },
  { startsAt: 3000, endsAt: 5000, text: "Then pay the fees" },
];

test("a caption is split at the cursor and the player's time, or else in the middle at a space", () => {
  expect(edits.split(cues, 0, 1500, 8)).toEqual({
    selected: 1,
    cues: [
      { startsAt: 1000, endsAt: 1500, text: "Buy low" },
      { startsAt: 1500, endsAt: 3000, text: "and sell high" },
      cues[1],
    ],
  });
  expect(edits.split(cues, 1, 9000, 0).cues.slice(1)).toEqual([
    { startsAt: 3000, endsAt: 4000, text: "Then pay" },
    { startsAt: 4000, endsAt: 5000, text: "the fees" },
  ]);
});

test("merged captions span both, and a split one merges to what it was", () => {
  expect(edits.merge(cues, 0).cues).toEqual([
    { startsAt: 1000, endsAt: 5000, text: "Buy low and sell high\nThen pay the fees" },
  ]);
  expect(edits.merge(cues, 1).cues).toEqual(cues);
});

test("an added caption starts at the player's time, or after the caption that is shown", () => {
  expect(edits.insert(cues, 2000)).toMatchObject({ selected: 1, cues: [{}, { startsAt: 3000, endsAt: 5000 }, {}] });
  expect(edits.insert(cues, 200)).toMatchObject({ selected: 0, cues: [{ startsAt: 200, endsAt: 1000 }, {}, {}] });
  expect(edits.insert([], 0)).toEqual({ selected: 0, cues: [{ startsAt: 0, endsAt: 2000, text: "" }] });
});

test("a caption whose start changes moves to its place and stays selected", () => {
  expect(edits.inOrder(edits.change(cues, 0, { startsAt: 4000 }), 0).selected).toBe(1);
  expect(edits.remove(cues, 1)).toEqual({ selected: 0, cues: [cues[0]] });
});

test.each([
  ["1:02.4", 62_400],
  ["01:00:00.001", 3_600_001],
  ["7", 7000],
  ["1:75", null],
  ["soon", null],
])("%s is read as %s milliseconds", (typed, time) => {
  expect(edits.parseTime(typed)).toBe(time);
});

test("errors keep captions from being saved, and warnings do not", () => {
  const read = (startsAt: number, endsAt: number, text: string) => [...cues, { startsAt, endsAt, text }];
  expect(edits.faultOf(read(6000, 6000, "x"), 2)).toBe("This caption ends before it starts.");
  expect(edits.faultOf(read(2000, 6000, "x"), 2)).toBe("This caption starts before the one above it.");
  expect(edits.faultOf(cues, 1)).toBeNull();
  expect(edits.warningsOf(cues, 1)).toEqual([]);
  expect(edits.warningsOf(read(4000, 4500, "Said far too fast to be read"), 2)).toHaveLength(2);
  expect(edits.warningsOf(read(16_000, 20_000, `${"x".repeat(43)}\nx`), 2)).toEqual([
    "A line has more than 42 characters.",
    "No captions for 11 seconds before this one. Is nobody speaking?",
  ]);
  expect(edits.warningsOf(read(5000, 6000, ""), 2)).toEqual(["No text. It’s left out when you save."]);
});
