import type { AcademyContent } from "#contract/admin/content.ts";

interface Versions<Content> {
  id: string;
  published: Content | null;
  draft: Content | null;
  version: string;
}

/** The content to edit: the draft, or else the published version. */
export function latest<Content>({ id, draft, published }: Versions<Content>): Content {
  const content = draft ?? published;
  if (!content) throw new Error(`${id} has neither a draft nor a published version`);
  return content;
}

/** A module's lessons, in order. */
export function lessonsOf({ lessons }: AcademyContent, moduleId: string): AcademyContent["lessons"] {
  return lessons.filter((lesson) => latest(lesson).moduleId === moduleId);
}

/** The content to edit, with its version. */
export function versioned<Content extends object>(item: Versions<Content>): Content & { version: string } {
  return { ...latest(item), version: item.version };
}
