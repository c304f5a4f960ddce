import { expect, test } from "vitest";
import { sendWatchNotes } from "#contract/progress.ts";
import { mergeNotes, type ProgressNote, toWatchNote, withCompletion, withNote, withRecord } from "./notes.ts";

const lesson = { lessonId: "lesson-1-1", moduleId: "module-1", duration: 40 };
const note = (to: number, more: Partial<ProgressNote> = {}): ProgressNote => ({
  watched: [{ from: 0, to }],
  position: to,
  at: 1000,
  ...more,
});

test("merging two notes in either order keeps everything watched and the later position", () => {
  const early = note(10, { at: 1000 });
  const late: ProgressNote = { watched: [{ from: 30, to: 35 }], position: 35, at: 2000 };
  const both = {
    watched: [
      { from: 0, to: 10 },
      { from: 30, to: 35 },
    ],
    position: 35,
    at: 2000,
  };
  expect(mergeNotes(early, late)).toEqual(both);
  expect(mergeNotes(late, early)).toEqual(both);
});

test("the later of two marks counts, and a mark changes neither what was watched nor the position", () => {
  const mark = (at: number, isCompleted: boolean): ProgressNote => ({ watched: [], isCompleted, at });
  const marked = [mark(3000, false), mark(2000, true)].reduce(mergeNotes, note(10));
  expect(marked).toEqual({ ...note(10), isCompleted: false, at: 3000 });
  expect(mergeNotes(marked, note(12, { at: 4000 }))).toEqual({ ...note(12), isCompleted: false, at: 4000 });
  expect(toWatchNote("lesson-1-1", mark(0, true), 0)).toStrictEqual({
    lessonId: "lesson-1-1",
    isCompleted: true,
    at: "1970-01-01T00:00:00.000Z",
  });
});

test("the first note of a lesson begins its record", () => {
  expect(withNote([], lesson, note(4))).toMatchObject([
    { lessonId: "lesson-1-1", moduleId: "module-1", isCompleted: false, watchTime: 4, coverage: 0.1, position: 4 },
  ]);
});

test("what was watched before, in this or another browser, still counts", () => {
  const [before] = withNote([], lesson, note(20));
  expect(before && withNote([before], lesson, note(4))).toMatchObject([{ watchTime: 20, position: 4 }]);
});

test("nine tenths complete a lesson automatically, but not again after the student unmarks it", () => {
  const watched = withNote([], lesson, note(36));
  expect(watched).toMatchObject([{ isCompleted: true, completedAt: expect.any(String) }]);
  const undone = withCompletion(watched, lesson, false);
  expect(undone).toMatchObject([{ isCompleted: false, completedAt: null, watchTime: 36 }]);
  expect(withNote(undone, lesson, note(38))).toMatchObject([{ isCompleted: false, watchTime: 38 }]);
});

test("what was watched of a replaced video is not added to what is watched of the new one", () => {
  const old = { watched: [{ from: 0, to: 20 }], position: 20, videoId: "sample:old", at: 1 };
  const now = { watched: [{ from: 3, to: 5 }], position: 5, videoId: "sample:new", at: 2 };
  expect(mergeNotes(old, now)).toEqual(now);
  expect(mergeNotes(now, { watched: [], isCompleted: true, at: 3 })).toEqual({ ...now, isCompleted: true, at: 3 });
});

test("the server's record replaces the page's, unless it is older", () => {
  const [before] = withNote([], lesson, note(12));
  if (!before) throw new Error("no record");
  const answer = { ...before, watchTime: 10, updatedAt: "2026-11-21T10:00:10.000Z" };
  expect(withRecord([before], answer)).toEqual([answer]);
  const overtaken = { ...answer, watchTime: 5, updatedAt: "2026-11-21T10:00:00.000Z" };
  expect(withRecord([answer], overtaken)).toEqual([answer]);
});

test("other lessons stay as they are", () => {
  const [other] = withNote([], { ...lesson, lessonId: "lesson-2-1" }, note(1));
  expect(other && withNote([other], lesson, note(2))).toContain(other);
});

test("a note is sent in the server's time and within the contract's limits, even after many seeks", () => {
  const watched = Array.from({ length: 150 }, (_, at) => ({ from: at * 10, to: at * 10 + 1 + (at % 7) }));
  const sent = toWatchNote("lesson-1-1", { watched, position: 3, at: 1_000_000 }, 5000);
  expect(sent.at).toBe(new Date(1_005_000).toISOString());
  expect(sent.watched?.every(([from, to]) => to - from >= 3)).toBe(true);
  expect(sendWatchNotes.body?.safeParse({ notes: [sent] }).success).toBe(true);
});
