import type { Announcement } from "#contract/admin/announcements.ts";
import type { AcademyContent } from "#contract/admin/content.ts";
import type { Tier } from "#contract/tiers.ts";
import { latest } from "./items.ts";
import { partTitles } from "./part-titles.ts";

export interface OldName {
  tier: Tier;
  name: string;
  /** What still says it, with the address of its editor. */
  texts: { title: string; to: string }[];
}

/** The names that drafts of plans replace, each with the texts and drafts of announcements that say it. */
export function oldNamesIn(content: AcademyContent, announcements: readonly Announcement[]): OldName[] {
  const texts = textsOf(content, announcements);
  return content.plans.flatMap(({ tier, published, draft }) => {
    if (!published || !draft || published.name === draft.name) return [];
    const saying = texts.filter(({ text }) => stringsOf(text).some((words) => words.includes(published.name)));
    const { name } = published;
    return saying.length > 0 ? [{ tier, name, texts: saying.map(({ title, to }) => ({ title, to })) }] : [];
  });
}

function textsOf(
  { modules, lessons, plans, offer, copy, emails }: AcademyContent,
  announcements: readonly Announcement[],
) {
  const ofContent = (kind: string, { id }: { id: string }) => `/admin/content?edit=${kind}.${id}`;
  return [
    ...modules.map((one) => ({ title: latest(one).title, to: ofContent("module", one), text: latest(one) })),
    ...lessons.map((one) => ({ title: latest(one).title, to: ofContent("lesson", one), text: latest(one) })),
    ...plans.map((one) => ({ title: `Plan: ${latest(one).name}`, to: ofContent("plan", one), text: latest(one) })),
    { title: "Offer and countdown", to: "/admin/content?edit=offer", text: latest(offer) },
    ...copy.map((one) => {
      const text = latest(one);
      return { title: partTitles[text.part], to: `/admin/pages?edit=${text.part}`, text };
    }),
    ...emails.map((one) => ({
      title: `Email: ${one.name}`,
      to: `/admin/email-texts?edit=${one.id}`,
      text: latest(one),
    })),
    ...announcements
      .filter(({ state }) => state === "draft")
      .map(({ id, subject, text, button }) => ({
        title: `Email: ${subject}`,
        to: `/admin/announcements?open=${id}`,
        text: { subject, text, button },
      })),
  ];
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(stringsOf) : [];
}
