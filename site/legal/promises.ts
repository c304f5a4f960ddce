import type { LegalDocument } from "#content/legal.ts";
import type { Plan } from "#contract/catalogue.ts";
import { promiseWords } from "#contract/coaching/promise.ts";

/** The document with what plans promise of 1-on-1 coaching in place of its `{coaching:tier}` marks. */
export function withPromises(
  document: LegalDocument,
  plans: readonly Pick<Plan, "tier" | "coaching">[],
): LegalDocument {
  const fill = (text: string) =>
    text.replaceAll(/\{coaching:(\w+)\}/g, (_, tier) => {
      const plan = plans.find((candidate) => candidate.tier === tier);
      return (plan && promiseWords(plan.coaching)) ?? "none at present";
    });
  const sections = document.sections.map((section) => ({
    ...section,
    text: section.text.map((block) => (typeof block === "string" ? fill(block) : block.map(fill))),
  }));
  return { ...document, sections };
}
