import type { Change } from "#app/editing/changes.ts";
import type { Labels } from "#app/editing/fields.tsx";
import { labelledChanges } from "#app/editing/labelled-changes.ts";
import type { AcademyContent, DraftKey } from "#contract/admin/content.ts";
import { latest } from "../content/items.ts";
import { lessonLabels, moduleLabels, offerLabels, orderLabels, planLabels } from "../content/labels.ts";
import { partTitles } from "../content/part-titles.ts";
import { emailLabels } from "../email-texts/email-labels.ts";
import { partLabels } from "../pages/part-fields.tsx";
import { settingsLabels } from "../settings/labels.ts";

/** One thing that waits to be published. */
export interface Line extends DraftKey {
  /** Such as "Lesson". */
  what: string;
  title: string;
  isNew: boolean;
  /** Also students do not see it once it is published. */
  isHidden: boolean;
  version: string;
  by: string | null;
  at: string;
  needs: readonly DraftKey[];
  /** The page that edits it. */
  to: string;
  draft: object;
  /** From the published version, or from another one. */
  changesFrom: (before?: object) => Change[];
}

interface Versions<Content> {
  id: string;
  published: Content | null;
  draft: Content | null;
  draftAt: string | null;
  draftBy: string | null;
  needs: readonly DraftKey[];
  version: string;
}

/** All drafts, by the page that edits them. */
export function linesOf(content: AcademyContent): { title: string; lines: Line[] }[] {
  const { modules, lessons, orders, plans, offer, settings, copy, emails } = content;
  const titles = new Map([...modules, ...lessons].map((one) => [one.id, latest<{ title: string }>(one).title]));
  const inWords = ({ order }: { order: string[] }) => ({
    order: order.map((id, at) => `${at + 1}. ${titles.get(id)}`),
  });
  const orderOf = (id: string) => (titles.has(id) ? `Lessons of ${titles.get(id)}` : "Modules");
  const edit = (kind: string) => (id: string) => `/admin/content?edit=${encodeURIComponent(`${kind}.${id}`)}`;
  return [
    {
      title: "Course",
      lines: [
        ...linesIn(
          "module",
          modules,
          "Module",
          ({ title }) => title,
          edit("module"),
          () => moduleLabels,
        ),
        ...linesIn(
          "lesson",
          lessons,
          "Lesson",
          ({ title }) => title,
          edit("lesson"),
          () => lessonLabels,
        ),
        ...linesIn(
          "order",
          orders.map((one) => mapped(one, inWords)),
          "Order",
          (_, id) => orderOf(id),
          () => "/admin/content",
          () => orderLabels,
        ),
      ],
    },
    {
      title: "Plans and offer",
      lines: [
        ...linesIn(
          "plan",
          plans,
          "Plan",
          ({ name }) => name,
          edit("plan"),
          () => planLabels,
        ),
        ...linesIn(
          "offer",
          [offer],
          "Offer",
          () => "Offer and countdown",
          () => "/admin/content?edit=offer",
          () => offerLabels,
        ),
      ],
    },
    {
      title: "Pages",
      lines: linesIn(
        "copy",
        copy,
        "Page text",
        ({ part }) => partTitles[part],
        (id) => `/admin/pages?edit=${id}`,
        ({ part }) => partLabels(content, part),
      ),
    },
    {
      title: "Automatic emails",
      lines: emails.flatMap((email) =>
        linesIn(
          "email",
          [email],
          "Email",
          () => email.name,
          (id) => `/admin/email-texts?edit=${id}`,
          () => emailLabels(email),
        ),
      ),
    },
    {
      title: "Settings",
      lines: linesIn(
        "settings",
        [settings],
        "Settings",
        () => "The academy",
        () => "/admin/settings",
        () => settingsLabels,
      ),
    },
  ].filter(({ lines }) => lines.length > 0);
}

function linesIn<Content extends object>(
  kind: DraftKey["kind"],
  items: readonly Versions<Content>[],
  what: string,
  titleOf: (content: Content, id: string) => string,
  toOf: (id: string) => string,
  labelsOf: (content: Content) => object,
): Line[] {
  return items.flatMap(({ id, published, draft, draftAt, draftBy, needs, version }) => {
    if (!draft) return [];
    const labels = labelsOf(draft) as Labels<object>;
    const line = {
      kind,
      id,
      what,
      title: titleOf(draft, id),
      isNew: published === null,
      isHidden: "released" in draft && !draft.released,
      version,
      needs,
      draft,
    };
    const changesFrom = (before: object | null = published) => labelledChanges<object>(before, draft, labels);
    return [{ ...line, by: draftBy, at: draftAt ?? "", to: toOf(id), changesFrom }];
  });
}

function mapped<Content>(item: Versions<Content>, change: (content: Content) => Content): Versions<Content> {
  const changed = (content: Content | null) => content && change(content);
  return { ...item, published: changed(item.published), draft: changed(item.draft) };
}

export const isSame = (one: DraftKey, other: DraftKey) => one.kind === other.kind && one.id === other.id;
