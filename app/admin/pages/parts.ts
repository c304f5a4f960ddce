import type { AcademyContent } from "#contract/admin/content.ts";
import type { CopyPart } from "#contract/copy.ts";
import { type Draft, draftOf } from "../content/items.ts";
import { partTitles } from "../content/part-titles.ts";

export const partGroups: readonly { title: string; parts: readonly CopyPart[] }[] = [
  {
    title: "Landing page",
    parts: ["hero", "example", "topics", "instructor", "testimonials", "materials", "pricing", "questions"],
  },
  { title: "Other pages", parts: ["contact", "footer"] },
  { title: "Legal texts", parts: ["terms", "privacy"] },
];

/** The drafts of the pages' texts. */
export function copyDraftsOf({ copy }: AcademyContent): Draft[] {
  return copy.flatMap((one) => draftOf("copy", one, ({ part }) => partTitles[part]));
}
