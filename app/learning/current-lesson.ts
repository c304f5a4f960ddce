import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { lessonToContinue, type Records, secondIn } from "#contract/lesson-start.ts";
import { useAddressQuery } from "./address-query.ts";

export interface CurrentLesson {
  lesson: Lesson;
  module: Module;
}

/** The lesson in the URL, else the one to continue with. Null in a course without lessons. */
export function useCurrentLesson(modules: readonly Module[], records: Records): CurrentLesson | null {
  const named = useNamedLesson(modules);
  // Chosen once: watching changes where the student left off, and must not change the page meanwhile.
  const [begin] = useState(() => lessonToContinue(modules, records)?.id);
  return named ?? findLesson(modules, begin);
}

/** The lesson in the URL, or null. */
export function useNamedLesson(modules: readonly Module[]): CurrentLesson | null {
  return findLesson(modules, useAddressQuery().get("lesson"));
}

export function findLesson(modules: readonly Module[], lessonId: string | null | undefined): CurrentLesson | null {
  for (const module of modules) {
    const lesson = module.lessons.find(({ id }) => id === lessonId);
    if (lesson) return { lesson, module };
  }
  return null;
}

/** The lesson that a click means. The click that hydrates the page precedes the render that knows the URL. */
export function lessonMeant(modules: readonly Module[], shown: Lesson): Lesson {
  return findLesson(modules, new URLSearchParams(window.location.search).get("lesson"))?.lesson ?? shown;
}

/** A query that opens a lesson on the current page. `at` is the second to start at, or null. */
export function lessonQuery(lessonId: string, at: number | null = null): string {
  return `?lesson=${encodeURIComponent(lessonId)}${at === null ? "" : `&at=${Math.floor(at)}`}`;
}

/** Returns a function that puts the playing lesson into the URL, so that a reload and a sign-in return to it. */
export function useNameInAddress(): (lessonId: string) => void {
  const navigate = useNavigate();
  const query = useAddressQuery();
  return (lessonId) => {
    if (query.get("lesson") !== lessonId) navigate(lessonQuery(lessonId), { replace: true, preventScrollReset: true });
  };
}

interface Start {
  lessonId: string;
  /** Seconds. Null to resume where the student left off. */
  at: number | null;
  /** Changes whenever a URL names a start. */
  visit: number;
}

/**
 * The start that the URL names, if any. Removes it from the URL at once, so that a later reload resumes where the
 * student left off.
 */
export function useStart(lessonId: string): Start {
  const navigate = useNavigate();
  const named = secondIn(useAddressQuery().get("at"));
  const [start, setStart] = useState<Start>({ lessonId, at: named, visit: 0 });
  useEffect(() => {
    if (named === null) return;
    setStart((before) => ({ lessonId, at: named, visit: before.visit + 1 }));
    navigate(lessonQuery(lessonId), { replace: true, preventScrollReset: true });
  }, [named, lessonId, navigate]);
  return start.lessonId === lessonId ? start : { lessonId, at: null, visit: start.visit };
}

/** The history state of a link that a finished lesson follows automatically: the next lesson plays. */
export const goesOn = "goes-on";

/** Whether a finished lesson led here. Clears the history state at once, so that a reload plays nothing. */
export function useGoesOn(): boolean {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const isGoingOn = state === goesOn;
  useEffect(() => {
    if (isGoingOn) navigate(search, { replace: true, preventScrollReset: true });
  }, [isGoingOn, search, navigate]);
  return isGoingOn;
}
