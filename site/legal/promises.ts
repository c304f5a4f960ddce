import type { Plan } from "#contract/catalogue.ts";
import { promiseWords } from "#contract/coaching/promise.ts";
import type { CopyOnPages } from "#contract/copy.ts";

/** Replaces the `{coaching:tier}` marks by the plans' promises of 1-on-1 coaching. */
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
