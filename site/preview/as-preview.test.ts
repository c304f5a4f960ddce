import { expect, test } from "vitest";
import type { Module } from "#contract/catalogue.ts";
import { asPreview } from "./as-preview.ts";

test("the preview is the same for everyone: free lessons are open, the rest is locked", () => {
  const lessons = [true, false].map((freePreview) => ({ freePreview, isUnlocked: true }));
  const module = { introVideo: "sample:lesson-1-1", isUnlocked: true, userTier: "vip", lessons };
  const [preview] = asPreview([module as unknown as Module]);
  expect(preview).toMatchObject({ introVideo: null, isUnlocked: false, userTier: null });
  expect(preview?.lessons.map(({ isUnlocked }) => isUnlocked)).toEqual([true, false]);
});
