import { expect, test } from "vitest";
import { mergeNotes, withNote } from "./progress-notes.ts";

const now = new Date("2026-11-21T10:00:00.000Z");
const later = new Date("2026-11-21T11:00:00.000Z");
const place = { lessonId: "lesson-1-1", moduleId: "module-1" };

test("a later note has the last word, but watch time never falls", () => {
  expect(mergeNotes({ watchTime: 30, position: 30, isCompleted: true }, { watchTime: 12, position: 5 })).toEqual({
    watchTime: 30,
    position: 5,
    isCompleted: true,
  });
  expect(mergeNotes({}, { isCompleted: false })).toEqual({ isCompleted: false });
});

test("the first note of a lesson begins its record", () => {
  expect(withNote([], place, { watchTime: 3, position: 3 }, now)).toEqual([
    {
      ...place,
      isCompleted: false,
      watchTime: 3,
      position: 3,
      completedAt: null,
      updatedAt: now.toISOString(),
    },
  ]);
});

test("a lesson keeps the time at which it was first completed, until it is marked as not completed", () => {
  const done = withNote([], place, { isCompleted: true }, now);
  expect(withNote(done, place, { position: 9 }, later)[0]).toMatchObject({
    isCompleted: true,
    position: 9,
    completedAt: now.toISOString(),
    updatedAt: later.toISOString(),
  });
  expect(withNote(done, place, { isCompleted: false }, later)[0]).toMatchObject({
    isCompleted: false,
    completedAt: null,
  });
});

test("other lessons stay as they are", () => {
  const [other] = withNote([], { lessonId: "lesson-2-1", moduleId: "module-2" }, { position: 1 }, now);
  expect(other && withNote([other], place, { position: 2 }, later)[0]).toBe(other);
});
