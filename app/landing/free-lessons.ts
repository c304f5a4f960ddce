import { queryOptions, useQuery } from "@tanstack/react-query";
import { hero } from "#content/landing.ts";
import { getCatalogue } from "#contract/catalogue.ts";
import { api } from "../api.ts";

export interface FreeLesson {
  id: string;
  title: string;
  description: string;
  /** Seconds; 0 while unknown. */
  duration: number;
}

/** The lessons that play in the hero, in its order. The prerendered page carries the answer with it. */
export const freeLessonsQuery = queryOptions({
  queryKey: ["free-lessons"],
  queryFn: async ({ signal }): Promise<FreeLesson[]> => {
    const modules = await api(getCatalogue, { signal });
    return inHeroOrder(modules.flatMap((module) => module.lessons));
  },
});

export function useFreeLessons(): { lessons: FreeLesson[]; isPending: boolean } {
  const { data, isPending } = useQuery(freeLessonsQuery);
  return { lessons: data ?? [], isPending };
}

/** Of all lessons, those that the hero names. */
export function inHeroOrder(lessons: FreeLesson[]): FreeLesson[] {
  return hero.freeLessonIds.flatMap((id) => {
    const lesson = lessons.find((candidate) => candidate.id === id);
    return lesson ? [{ id, title: lesson.title, description: lesson.description, duration: lesson.duration }] : [];
  });
}
