import { cx } from "class-variance-authority";
import { Icon } from "#ui/icon.tsx";
import { NumberRanges } from "#ui/number-ranges.tsx";

/** A plan's features, each with a check mark. */
export function PlanFeatures({ features, className }: { features: readonly string[]; className?: string }) {
  return (
    <ul className={cx("content-start gap-2.5", className)}>
      {features.map((feature) => (
        <li key={feature} className="grid grid-cols-[1rem_1fr] gap-3 leading-snug">
          <Icon name="check" className="mt-0.5 size-4 stroke-[2.5]" />
          <span>
            <NumberRanges text={feature} />
          </span>
        </li>
      ))}
    </ul>
  );
}
