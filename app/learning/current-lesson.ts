import { useState } from "react";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { usePlace } from "../router.tsx";
import { lessonToContinue, type Records } from "./progress-numbers.ts";

export interface CurrentLesson {
  lesson: Lesson;
  module: Module;
}

/** The lesson that the address names, else the one to continue with; null in a course without lessons. */
export function useCurrentLesson(modules: readonly Module[], records: Records): CurrentLesson | null {
  const { search } = usePlace();
  // Chosen once: watching changes where one stopped last, and must not change the page under the viewer.
  const [begin] = useState(() => lessonToContinue(modules, records)?.id);
  const named = new URLSearchParams(search).get("lesson");
  return find(modules, named) ?? find(modules, begin) ?? null;
}

/** The address of a lesson on the page at hand, as its query. */
export function lessonQuery(lessonId: string): string {
  return `?lesson=${encodeURIComponent(lessonId)}`;
}

function find(modules: readonly Module[], lessonId: string | null | undefined): CurrentLesson | null {
  for (const module of modules) {
    const lesson = module.lessons.find(({ id }) => id === lessonId);
    if (lesson) return { lesson, module };
  }
  return null;
}
