import { expect, test } from "vitest";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { asPreview } from "./as-preview.ts";

test("the preview is the same for everyone: free lessons are open, the rest is locked", () => {
  const lesson: Lesson = {
    id: "lesson-1-1",
    title: "",
    description: "",
    duration: 40,
    videoId: null,
    thumbnail: null,
    comingSoon: false,
    opensAt: null,
    freePreview: true,
    isSample: false,
    kind: "video",
    hasBody: false,
    isUnlocked: true,
  };
  const module: Module = {
    id: "module-1",
    position: 1,
    title: "",
    description: "",
    requiredTier: "basic",
    comingSoon: false,
    opensAt: null,
    introVideo: "sample:lesson-1-1",
    isUnlocked: true,
    userTier: "vip",
    lessons: [lesson, { ...lesson, id: "lesson-1-2", freePreview: false }],
  };
  const [preview] = asPreview([module]);
  expect(preview).toMatchObject({ introVideo: null, isUnlocked: false, userTier: null });
  expect(preview?.lessons.map(({ isUnlocked }) => isUnlocked)).toEqual([true, false]);
});
