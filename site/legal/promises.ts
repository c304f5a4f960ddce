import type { Plan } from "#contract/catalogue.ts";
import { promiseWords } from "#contract/coaching/promise.ts";
import type { CopyOnPages } from "#contract/copy.ts";

/** The document with what plans promise of 1-on-1 coaching in place of its `{coaching:tier}` marks. */
export function withPromises(
  document: CopyOnPages["terms"],
  plans: readonly Pick<Plan, "tier" | "coaching">[],
): CopyOnPages["terms"] {
  const fill = (text: string) =>
    text.replaceAll(/\{coaching:(\w+)\}/g, (_, tier) => {
      const plan = plans.find((candidate) => candidate.tier === tier);
      return (plan && promiseWords(plan.coaching)) ?? "none at present";
    });
  const sections = document.sections.map((section) => ({ ...section, text: fill(section.text) }));
  return { ...document, sections };
}
