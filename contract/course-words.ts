import { type CoachingPromise, promiseWords } from "./coaching/promise.ts";
import { type Tier, tierOpens } from "./tiers.ts";

/** A module, as far as it matters here. */
export interface OfCourse {
  readonly position: number;
  readonly requiredTier: Tier;
  readonly comingSoon: boolean;
}

/**
 * Fills in what tiers open: `{modules:basic}` is "modules 1-3", `{Modules:basic}` "Modules 1-3", and `{soon:premium}`
 * " (module 4 is coming soon)" or nothing. All pages, emails and panels use it.
 */
export function withCourse(text: string, modules: readonly OfCourse[]): string {
  return text.replaceAll(/\{([Mm]odules|soon):(basic|premium|vip)\}/g, (_, mark: string, tier: Tier) => {
    const opened = modules.filter(({ requiredTier }) => tierOpens(tier, requiredTier));
    if (mark === "modules") return numbered(opened);
    if (mark === "Modules") return numbered(opened).replace(/^./, (first) => first.toUpperCase());
    const ahead = opened.filter(({ comingSoon }) => comingSoon);
    return ahead.length === 0 ? "" : ` (${numbered(ahead)} ${ahead.length === 1 ? "is" : "are"} coming soon)`;
  });
}

/** A plan's features as pages list them: those that the owner wrote, with the course's modules, then the 1-on-1 coaching. */
export function printedFeatures(
  plan: { readonly features: readonly string[]; readonly coaching: CoachingPromise },
  modules: readonly OfCourse[],
): string[] {
  const words = promiseWords(plan.coaching);
  return [
    ...plan.features.map((feature) => withCourse(feature, modules)),
    ...(words ? [`1-on-1 coaching: ${words}`] : []),
  ];
}

/** "no modules", "module 1", "modules 1-3 and 5" */
function numbered(modules: readonly OfCourse[]): string {
  const numbers = modules.map(({ position }) => position).toSorted((a, b) => a - b);
  if (numbers.length < 2) return numbers.length === 0 ? "no modules" : `module ${numbers[0]}`;
  const runs: number[][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.at(-1) === number - 1) run.push(number);
    else runs.push([number]);
  }
  const parts = runs.flatMap((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.map(String)));
  const last = parts.pop();
  return `modules ${parts.length > 0 ? `${parts.join(", ")} and ` : ""}${last}`;
}
