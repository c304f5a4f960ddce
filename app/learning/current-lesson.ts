import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { useAddressQuery } from "./address-query.ts";
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
  return findLesson(modules, useAddressQuery().get("lesson"));
}

export function findLesson(modules: readonly Module[], lessonId: string | null | undefined): CurrentLesson | null {
  for (const module of modules) {
    const lesson = module.lessons.find(({ id }) => id === lessonId);
    if (lesson) return { lesson, module };
  }
  return null;
}

/** The lesson that a press means: one that hydrates the page may come before the rendering that knows the address. */
export function lessonMeant(modules: readonly Module[], shown: Lesson): Lesson {
  return findLesson(modules, new URLSearchParams(window.location.search).get("lesson"))?.lesson ?? shown;
}

/** The address of a lesson on the page at hand, as its query; `at` are the seconds to begin at, where they matter. */
export function lessonQuery(lessonId: string, at: number | null = null): string {
  return `?lesson=${encodeURIComponent(lessonId)}${at === null ? "" : `&at=${Math.floor(at)}`}`;
}

/** Gives a function that names the lesson that plays in the address, so that a reload and a sign-in on the way come back to it. */
export function useNameInAddress(): (lessonId: string) => void {
  const navigate = useNavigate();
  const query = useAddressQuery();
  return (lessonId) => {
    if (query.get("lesson") !== lessonId) navigate(lessonQuery(lessonId), { replace: true, preventScrollReset: true });
  };
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
  const navigate = useNavigate();
  const named = secondsIn(useAddressQuery());
  const [start, setStart] = useState<Start>({ lessonId, at: named, visit: 0 });
  useEffect(() => {
    if (named === null) return;
    setStart((before) => ({ lessonId, at: named, visit: before.visit + 1 }));
    navigate(lessonQuery(lessonId), { replace: true, preventScrollReset: true });
  }, [named, lessonId, navigate]);
  return start.lessonId === lessonId ? start : { lessonId, at: null, visit: start.visit };
}

function secondsIn(query: URLSearchParams): number | null {
  const at = query.get("at");
  return at !== null && /^\d{1,6}$/.test(at) ? Number(at) : null;
}

/** The state of an address that a lesson leads to by having ended: the next one plays. */
export const goesOn = "goes-on";

/** Whether the lesson on screen was reached so. It is taken out of the history at once: a reload plays nothing. */
export function useGoesOn(): boolean {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const isGoingOn = state === goesOn;
  useEffect(() => {
    if (isGoingOn) navigate(search, { replace: true, preventScrollReset: true });
  }, [isGoingOn, search, navigate]);
  return isGoingOn;
}
