import { placeholderSupportEmail } from "#content/site.ts";
import { promiseWords } from "#contract/coaching/promise.ts";
import type { CopyOnPages } from "#contract/copy.ts";
import { withCourse } from "#contract/course-words.ts";
import { plainText } from "#contract/markup.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { academy, named } from "#ui/academy.ts";

type OnSale = Pick<PageFacts, "catalogue" | "plans">;

/** Replaces the marks for the academy's name and refund window, what tiers open, and the plans' 1-on-1 coaching. */
export function fillIn(copy: CopyOnPages, onSale: OnSale): CopyOnPages {
  return filled(copy, (text, field) => {
    const words = withCoaching(withCourse(text, onSale.catalogue), onSale.plans);
    return formatted.includes(field) ? words : named(words);
  }) as CopyOnPages;
}

/** `Prose` names the academy in these once they are parsed: a name is no markup. */
const formatted = ["instructor.bio", "questions.answer", "sections.text"];

function filled(value: unknown, fill: (text: string, field: string) => string, of = "", name = ""): unknown {
  if (typeof value === "string") return fill(value, `${of}.${name}`);
  if (Array.isArray(value)) return value.map((part) => filled(part, fill, of, name));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, filled(part, fill, name, field)]));
}

function withCoaching(text: string, plans: OnSale["plans"]): string {
  return text.replaceAll(/\{coaching:(\w+)\}/g, (_, tier) => {
    const plan = plans.find((candidate) => candidate.tier === tier);
    return (plan && promiseWords(plan.coaching)) ?? "none at present";
  });
}

/** The text without markup, for search engines. */
export function wordsAlone(text: string): string {
  return named(plainText(text)).replaceAll("{email}", () => academy().supportEmail ?? placeholderSupportEmail);
}
