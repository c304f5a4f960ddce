import { cx } from "class-variance-authority";
import { tierOpens } from "#contract/tiers.ts";
import { Icon } from "#ui/icon.tsx";
import { NumberRanges } from "#ui/number-ranges.tsx";
import type { PlanOnSale } from "./plans.ts";

interface PlanFeaturesProps {
  plan: PlanOnSale;
  /** All plans on sale, lowest tier first. */
  plans: readonly PlanOnSale[];
  className?: string;
}

/** What a plan adds to the next lower one, each with a check mark. A line that several plans have is shown once. */
export function PlanFeatures({ plan, plans, className }: PlanFeaturesProps) {
  const lower = plans.filter(({ tier }) => tier !== plan.tier && tierOpens(plan.tier, tier));
  const included = lower.flatMap(({ features }) => features);
  const below = lower.at(-1);
  return (
    <div className={cx("plan-features content-start gap-2.5", className)}>
      {below && <p className="font-semibold">{`Everything in ${below.name}, plus:`}</p>}
      <ul className="grid gap-2.5">
        {plan.features
          .filter((feature) => !included.includes(feature))
          .map((feature) => (
            <li key={feature} className="grid grid-cols-[1rem_1fr] gap-3 leading-snug">
              <Icon name="check" className="mt-0.5 size-4 stroke-[2.5]" />
              <span>
                <NumberRanges text={feature} />
              </span>
            </li>
          ))}
      </ul>
    </div>
  );
}
