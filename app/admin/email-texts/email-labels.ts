import type { Labels } from "#app/editing/fields.tsx";
import type { AcademyContent } from "#contract/admin/content.ts";
import { type EmailTexts, placeholdersOf } from "#contract/email-texts.ts";

export type AutomaticEmail = AcademyContent["emails"][number];

/** The labels of the form and of changes, such as "Paragraph 2, if access has ended". */
export function emailLabels({ originals, whens }: AutomaticEmail): Labels<EmailTexts> {
  let paragraphs = 0;
  const labels = Object.entries(originals).map(([name, original]) => {
    const what = /^subject/.test(name) ? "Subject" : /^heading/.test(name) ? "Heading" : `Paragraph ${++paragraphs}`;
    const facts = placeholdersOf(original).map((fact) => `{${fact}}`);
    const hint = facts.length > 0 ? `Must contain ${facts.join(" and ")}.` : undefined;
    return [name, { label: [what, whens[name]].filter(Boolean).join(", "), hint }];
  });
  return Object.fromEntries(labels);
}

export function isOriginal({ originals }: AutomaticEmail, texts: EmailTexts): boolean {
  return Object.entries(originals).every(([name, original]) => texts[name] === original);
}
