import type { AcademySettings } from "#contract/academy.ts";
import type {
  AcademyContent,
  ContentOrder,
  DraftKey,
  LessonContent,
  ModuleContent,
  PlanContent,
} from "#contract/admin/content.ts";
import type { Copy } from "#contract/copy.ts";
import type { Offer } from "#contract/offer.ts";

type Kind = DraftKey["kind"];
type AnyContent = ModuleContent | LessonContent | ContentOrder | PlanContent | Offer | AcademySettings | Copy;

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
export function draftsOf(content: AcademyContent): Draft[] {
  const { modules, lessons, orders, plans, offer } = content;
  return [
    ...modules.flatMap((one) => draftOf("module", one, ({ title }) => title)),
    ...lessons.flatMap((one) => draftOf("lesson", one, ({ title }) => title)),
    ...orders.flatMap((one) => draftOf("order", named(one, content), () => orderTitle(one.id, content))),
    ...plans.flatMap((one) => draftOf("plan", one, ({ name }) => name)),
    ...draftOf("offer", offer, () => "Offer and countdown"),
  ];
}

function orderTitle(id: string, { modules }: AcademyContent): string {
  const module = modules.find((one) => one.id === id);
  return module ? `of the lessons of ${latest(module).title}` : "of the modules";
}

/** The order with titles in place of the ids. */
function named(versions: Versions<ContentOrder>, { modules, lessons }: AcademyContent): Versions<ContentOrder> {
  const titles = new Map([...modules, ...lessons].map((one) => [one.id, latest<{ title: string }>(one).title]));
  const inWords = (content: ContentOrder | null) =>
    content && { order: content.order.map((id) => titles.get(id) ?? id) };
  return { ...versions, published: inWords(versions.published), draft: inWords(versions.draft) };
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
