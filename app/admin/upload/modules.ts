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
    .filter(({ published }) => published)
    .map(({ id, published }, at) => {
      const own = lessons.filter((lesson) => lesson.published?.moduleId === id);
      const named = own.map((lesson) => ({ id: lesson.id, title: lesson.published?.title ?? "" }));
      return { id, position: at + 1, title: published?.title ?? "", lessons: named };
    });
}
