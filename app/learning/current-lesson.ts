import { useEffect, useState } from "react";
import { navigate, useLocation } from "#app/navigation/router.tsx";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { lessonToContinue, type Records } from "./progress/numbers.ts";

export interface CurrentLesson {
  lesson: Lesson;
  module: Module;
}

/** The lesson that the address names, else the one to continue with; null in a course without lessons. */
export function useCurrentLesson(modules: readonly Module[], records: Records): CurrentLesson | null {
  const named = useNamedLesson(modules);
  // Chosen once: watching changes where one stopped last, and must not change the page under the viewer.
  const [begin] = useState(() => lessonToContinue(modules, records)?.id);
  return named ?? findLesson(modules, begin);
}

/** The lesson that the address names, or null. */
export function useNamedLesson(modules: readonly Module[]): CurrentLesson | null {
  const { search } = useLocation();
  return findLesson(modules, new URLSearchParams(search).get("lesson"));
}

export function findLesson(modules: readonly Module[], lessonId: string | null | undefined): CurrentLesson | null {
  for (const module of modules) {
    const lesson = module.lessons.find(({ id }) => id === lessonId);
    if (lesson) return { lesson, module };
  }
  return null;
}

/** The address of a lesson on the page at hand, as its query; `at` are the seconds to begin at, where they matter. */
export function lessonQuery(lessonId: string, at: number | null = null): string {
  return `?lesson=${encodeURIComponent(lessonId)}${at === null ? "" : `&at=${Math.floor(at)}`}`;
}

/** Names the lesson that plays in the address, so that a reload and a sign-in on the way come back to it. */
export function nameInAddress(lessonId: string): void {
  const { pathname, search } = window.location;
  if (new URLSearchParams(search).get("lesson") === lessonId) return;
  navigate(pathname + lessonQuery(lessonId), { replace: true });
}

interface Start {
  lessonId: string;
  /** Seconds; null: where the lesson was left. */
  at: number | null;
  /** Another one whenever an address says where to begin. */
  visit: number;
}

/**
 * Where the lesson begins, if the address says so. It is taken out of the address at once: later a reload goes on where
 * one stopped.
 */
export function useStart(lessonId: string): Start {
  const { pathname, search } = useLocation();
  const named = secondsIn(search);
  const [start, setStart] = useState<Start>({ lessonId, at: named, visit: 0 });
  useEffect(() => {
    if (named === null) return;
    setStart((before) => ({ lessonId, at: named, visit: before.visit + 1 }));
    navigate(pathname + lessonQuery(lessonId), { replace: true });
  }, [named, lessonId, pathname]);
  return start.lessonId === lessonId ? start : { lessonId, at: null, visit: start.visit };
}

function secondsIn(search: string): number | null {
  const at = new URLSearchParams(search).get("at");
  return at !== null && /^\d{1,6}$/.test(at) ? Number(at) : null;
}
