import type { Module } from "#contract/catalogue.ts";
import { findLesson } from "../current-lesson.ts";

interface OfLesson<Item> {
  id: string;
  title: string;
  /** Whether the student may watch it. */
  isOpen: boolean;
  items: Item[];
}

interface OfModule<Item> {
  title: string;
  lessons: OfLesson<Item>[];
}

/** Items in the order of the course, those of removed lessons last. Without modules and lessons that have none. */
export function byModule<Item extends { lessonId: string }>(
  modules: readonly Module[],
  items: readonly Item[],
): OfModule<Item>[] {
  const gone = items.filter(({ lessonId }) => !findLesson(modules, lessonId));
  const known = modules.map(({ position, title, lessons }) => ({
    title: `Module ${position}: ${title}`,
    lessons: lessons.map(({ id, title, isUnlocked, comingSoon }) => ({
      ...{ id, title, isOpen: isUnlocked && !comingSoon },
      items: items.filter(({ lessonId }) => lessonId === id),
    })),
  }));
  const removed = [...new Set(gone.map(({ lessonId }) => lessonId))].map((id) => ({
    ...{ id, title: "A lesson that’s no longer in the course", isOpen: false },
    items: gone.filter(({ lessonId }) => lessonId === id),
  }));
  return [...known, { title: "Removed lessons", lessons: removed }]
    .map((module) => ({ ...module, lessons: module.lessons.filter(({ items }) => items.length > 0) }))
    .filter(({ lessons }) => lessons.length > 0);
}
