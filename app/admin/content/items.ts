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

/** An unpublished draft. */
export interface Draft {
  kind: Kind;
  id: string;
  title: string;
  published: AnyContent | null;
  draft: AnyContent;
  version: string;
}

/** The content to edit: the draft, or else the published version. */
export function latest<Content>({ id, draft, published }: Versions<Content>): Content {
  const content = draft ?? published;
  if (!content) throw new Error(`${id} has neither a draft nor a published version`);
  return content;
}

/** The drafts of the course, the plans and the offer, in the order of the page. */
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

/** A module's lessons, in order. */
export function lessonsOf({ lessons }: AcademyContent, moduleId: string): AcademyContent["lessons"] {
  return lessons.filter((lesson) => latest(lesson).moduleId === moduleId);
}

/** The content to edit, with its version. */
export function versioned<Content extends object>(item: Versions<Content>): Content & { version: string } {
  return { ...latest(item), version: item.version };
}

/** A module's or lesson's content for its editor. Leaves out the position, which only the outline changes. */
export function textOf<Content extends { position: number }>(item: Versions<Content>): Omit<Content, "position"> {
  const { position: _, ...text } = latest(item);
  return text;
}
