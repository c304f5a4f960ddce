import type { AcademyContent } from "#contract/admin/content.ts";

/** A published module that resources can belong to, with its published lessons. Students may not see it yet. */
export interface ModuleChoice {
  id: string;
  position: number;
  title: string;
  lessons: readonly { id: string; title: string }[];
}

/** The modules of the course, in order. */
export function moduleChoicesOf({ modules, lessons }: AcademyContent): ModuleChoice[] {
  return modules
    .flatMap(({ id, published: module }) => {
      if (!module) return [];
      const own = lessons.filter(({ published }) => published?.moduleId === id);
      const named = own.map((lesson) => ({ id: lesson.id, title: lesson.published?.title ?? "" }));
      return [{ id, position: module.position, title: module.title, lessons: named }];
    })
    .toSorted((one, other) => one.position - other.position);
}
