import fc from "fast-check";
import { expect, test } from "vitest";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { countedLessons, type LessonRecord, lessonToContinue, resumeAt } from "#contract/lesson-start.ts";
import type { Tier } from "#contract/tiers.ts";
import { accessibleModules, isCounted, isWatchedThrough, lessonAfter, lessonFollowing, progressOf } from "./numbers.ts";
import { unfinishedModule } from "./unfinished-module.ts";

const lesson = (id: string, more: Partial<Lesson> = {}) =>
  ({ id, duration: 40, comingSoon: false, freePreview: false, isUnlocked: true, ...more }) as Lesson;

const module = (id: string, lessons: Lesson[], isUnlocked = true) =>
  ({ id, requiredTier: "basic", comingSoon: false, isUnlocked, lessons }) as unknown as Module;

const record = (more: Partial<LessonRecord> = {}): LessonRecord => ({
  isCompleted: false,
  watchTime: 0,
  position: 0,
  updatedAt: "2026-11-01T00:00:00.000Z",
  ...more,
});

const modules = [
  module("module-1", [lesson("lesson-1-1"), lesson("lesson-1-2")]),
  module("module-2", [lesson("lesson-2-1"), lesson("lesson-2-2", { comingSoon: true, duration: 0 })]),
  module("module-3", [lesson("lesson-3-1", { isUnlocked: false })], false),
];

test("only lessons with a video in open modules count", () => {
  expect(countedLessons(modules).map((counted) => counted.id)).toEqual(["lesson-1-1", "lesson-1-2", "lesson-2-1"]);
});

test("the team's progress counts where a plan of their own opens the lesson", () => {
  const annual: Module = { ...module("module-2", []), requiredTier: "premium" };
  const counts = (source: string, own: Tier | null, freePreview = false) =>
    isCounted({ source }, own, lesson("lesson-2-1", { freePreview }), annual);
  expect([null, "basic", "premium"].map((own) => counts("team", own as Tier | null))).toEqual([false, false, true]);
  expect([counts("team", null, true), counts("team", "basic", true)]).toEqual([false, true]);
  expect(counts("purchase", "premium")).toBe(true);
});

test("a new student sees zero", () => {
  expect(progressOf(modules, new Map())).toEqual({ lessonsDone: 0, lessonsTotal: 3, percent: 0, secondsWatched: 0 });
});

test("the percentage is rounded down", () => {
  const records = new Map([
    ["lesson-1-1", record({ isCompleted: true, watchTime: 40 })],
    ["lesson-1-2", record({ isCompleted: true, watchTime: 12 })],
  ]);
  expect(progressOf(modules, records)).toEqual({ lessonsDone: 2, lessonsTotal: 3, percent: 66, secondsWatched: 52 });
});

test("completed lessons of a now locked module do not count", () => {
  const records = new Map([["lesson-3-1", record({ isCompleted: true, watchTime: 40 })]]);
  expect(progressOf(modules, records)).toMatchObject({ lessonsDone: 0, secondsWatched: 0 });
});

test("a module with nothing to watch yet is not complete", () => {
  const upcoming = module("module-4", [lesson("lesson-4-1", { comingSoon: true })]);
  expect(progressOf([upcoming], new Map())).toMatchObject({ lessonsTotal: 0, percent: 0 });
});

test("100 percent means every lesson", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 300 }), (done) => {
      const many = module(
        "module-1",
        done.map((_, at) => lesson(`lesson-${at}`)),
      );
      const records = new Map(done.map((isCompleted, at) => [`lesson-${at}`, record({ isCompleted })]));
      expect(progressOf([many], records).percent === 100).toBe(done.every(Boolean));
    }),
  );
});

test("a locked module with a free preview is accessible", () => {
  const preview = module("module-9", [lesson("lesson-9-1"), lesson("lesson-9-2", { isUnlocked: false })], false);
  expect(accessibleModules([...modules, preview]).map((open) => open.id)).toEqual(["module-1", "module-2", "module-9"]);
  expect(accessibleModules([module("module-4", [])])).toHaveLength(1);
});

test("the course continues with the lesson watched last", () => {
  const records = new Map([
    ["lesson-1-1", record({ updatedAt: "2026-11-03T00:00:00.000Z" })],
    ["lesson-2-1", record({ updatedAt: "2026-11-02T00:00:00.000Z" })],
    ["lesson-3-1", record({ updatedAt: "2026-11-09T00:00:00.000Z" })],
  ]);
  expect(lessonToContinue(modules, records)?.id).toBe("lesson-1-1");
});

test("the course begins with the first lesson of module 1", () => {
  expect(lessonToContinue(modules, new Map())?.id).toBe("lesson-1-1");
  expect(lessonToContinue([], new Map())).toBeNull();
});

test("the next lesson may be in the next module, and is never one that cannot be watched", () => {
  expect(lessonAfter(modules, "lesson-1-2")?.id).toBe("lesson-2-1");
  expect(lessonAfter(modules, "lesson-2-1")).toBeNull();
});

test("the following lesson may be locked, but always has a video", () => {
  expect(lessonFollowing(modules, "lesson-2-1")?.lesson.id).toBe("lesson-3-1");
  expect(lessonFollowing(modules, "lesson-3-1")).toBeNull();
});

test("a lesson resumes at its last position, and restarts after its end", () => {
  expect(resumeAt(record({ position: 21.5 }), 41)).toBe(21.5);
  expect(resumeAt(record({ position: 21.5, isCompleted: true }), 41)).toBe(0);
  expect(resumeAt(record({ position: 40.6 }), 41)).toBe(0);
  expect(resumeAt(undefined, 41)).toBe(0);
});

test("nine tenths of a lesson count as watched", () => {
  expect(isWatchedThrough(36, 40)).toBe(true);
  expect(isWatchedThrough(35.9, 40)).toBe(false);
  expect(isWatchedThrough(0, 0)).toBe(false);
});

test("the module that comes next is the first one that is locked or has lessons to come", () => {
  const ids = (each: readonly Module[]) => unfinishedModule(each)?.id ?? null;
  expect(ids(modules)).toBe("module-2");
  expect(ids(modules.filter(({ id }) => id !== "module-2"))).toBe("module-3");
  expect(ids([modules[0] as Module, { ...module("module-4", []), comingSoon: true }])).toBe("module-4");
  expect(ids(modules.slice(0, 1))).toBeNull();
});
