import type { AcademySettings } from "#contract/academy.ts";
import type { AcademyContent, LessonContent, ModuleContent, PlanContent } from "#contract/admin/content.ts";
import type { Copy } from "#contract/copy.ts";
import type { Offer } from "#contract/offer.ts";

type Kind = "module" | "lesson" | "plan" | "offer" | "settings" | "copy";
type AnyContent = ModuleContent | LessonContent | PlanContent | Offer | AcademySettings | Copy;

interface Versions<Content> {
  id: string;
  published: Content | null;
  draft: Content | null;
  version: string;
}

/** Something that waits to be published. */
export interface Draft {
  kind: Kind;
  id: string;
  title: string;
  published: AnyContent | null;
  draft: AnyContent;
  version: string;
}

/** What is edited: the draft, or what is published where there is none. */
export function latest<Content>({ id, draft, published }: Versions<Content>): Content {
  const content = draft ?? published;
  if (!content) throw new Error(`${id} has neither a draft nor a published version`);
  return content;
}

/** What of the course, the plans and the offer waits, in the order of the page. */
export function draftsOf({ modules, lessons, plans, offer }: AcademyContent): Draft[] {
  return [
    ...modules.flatMap((one) => draftOf("module", one, ({ title }) => title)),
    ...lessons.flatMap((one) => draftOf("lesson", one, ({ title }) => title)),
    ...plans.flatMap((one) => draftOf("plan", one, ({ name }) => name)),
    ...draftOf("offer", offer, () => "Offer and countdown"),
  ];
}

export function draftOf<Content extends AnyContent>(
  kind: Kind,
  { id, published, draft, version }: Versions<Content>,
  titleOf: (content: Content) => string,
): Draft[] {
  return draft ? [{ kind, id, title: titleOf(draft), published, draft, version }] : [];
}

/** The lessons of a module, in their order. */
export function lessonsOf({ lessons }: AcademyContent, moduleId: string): AcademyContent["lessons"] {
  return lessons.filter((lesson) => latest(lesson).moduleId === moduleId);
}

/** What is edited, with its version. */
export function versioned<Content extends object>(item: Versions<Content>): Content & { version: string } {
  return { ...latest(item), version: item.version };
}

/** What its editor writes of a module or a lesson: not its position, which the outline moves. */
export function textOf<Content extends { position: number }>(item: Versions<Content>): Omit<Content, "position"> {
  const { position: _, ...text } = latest(item);
  return text;
}
