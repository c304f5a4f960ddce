import { queryOptions, useQuery } from "@tanstack/react-query";
import { hero } from "#content/landing/landing.ts";
import { getCatalogue, type Lesson } from "#contract/catalogue.ts";
import { api } from "../../api.ts";

/** `thumbnail` is null where there is no picture, and in the prerendered page. */
export type FreeLesson = Pick<Lesson, "id" | "title" | "duration" | "thumbnail">;

/**
 * The lessons that play in the hero. The prerendered page carries those of the seed with it; what an administrator has
 * changed since then is asked for once the page is read.
 */
export const freeLessonsQuery = queryOptions({
  queryKey: ["free-lessons"],
  queryFn: async ({ signal }): Promise<FreeLesson[]> => {
    const modules = await api(getCatalogue, { signal });
    return chosenForHero(modules.flatMap((module) => module.lessons));
  },
  staleTime: 0,
});

export function useFreeLessons(): { lessons: FreeLesson[]; isPending: boolean } {
  const { data, isPending } = useQuery(freeLessonsQuery);
  return { lessons: data ?? [], isPending };
}

/** The free lessons that the hero names; where one of them is free no more, others in the order of the course. */
export function chosenForHero<Candidate extends FreeLesson & Pick<Lesson, "freePreview" | "comingSoon">>(
  lessons: Candidate[],
): FreeLesson[] {
  const { freeLessonIds } = hero;
  const isNamed = ({ id }: FreeLesson) => freeLessonIds.includes(id);
  return lessons
    .filter(({ freePreview, comingSoon }) => freePreview && !comingSoon)
    .sort((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
    .slice(0, freeLessonIds.length)
    .map(({ id, title, duration, thumbnail }) => ({ id, title, duration, thumbnail }));
}
