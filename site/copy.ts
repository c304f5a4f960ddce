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
  return filled(copy, (text) => withCoaching(withCourse(named(text), onSale.catalogue), onSale.plans)) as CopyOnPages;
}

function filled(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((part) => filled(part, fill));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part, fill)]));
}

function withCoaching(text: string, plans: OnSale["plans"]): string {
  return text.replaceAll(/\{coaching:(\w+)\}/g, (_, tier) => {
    const plan = plans.find((candidate) => candidate.tier === tier);
    return (plan && promiseWords(plan.coaching)) ?? "none at present";
  });
}

/** The text without markup, for search engines. */
export function wordsAlone(text: string): string {
  return plainText(text).replaceAll("{email}", () => academy().supportEmail ?? placeholderSupportEmail);
}
