import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import type { Module, Plan } from "#contract/catalogue.ts";
import { promiseWords } from "#contract/coaching/promise.ts";
import { lowestLiveTier, planDays, type Tier, tierOpens } from "#contract/tiers.ts";
import { Badge, OpensAt } from "#ui/badge.tsx";
import { Barcode } from "#ui/brand/bars.tsx";
import { Icon } from "#ui/icon.tsx";

interface ComparePlansProps {
  plans: readonly Plan[];
  catalogue: readonly Module[];
}

/**
 * The plans side by side, drawn as a receipt. On phones each row is a block with its name on top. Sets the roles
 * explicitly, because changing a table's CSS display removes them.
 */
export function ComparePlans({ plans, catalogue }: ComparePlansProps) {
  const rows: { name: ReactNode; key: string; cell: (plan: Plan) => ReactNode }[] = [
    ...catalogue.map(({ id, position, title, requiredTier, comingSoon, opensAt }) => ({
      key: id,
      name: (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0">
            <span className="printed mr-3 text-ink-soft">Module {position}</span>
            {title}
          </span>
          {comingSoon && (
            <Badge tone="kraft">
              <OpensAt at={opensAt} />
            </Badge>
          )}
        </span>
      ),
      cell: ({ tier }: Plan) => <Mark isIncluded={tierOpens(tier, requiredTier)} />,
    })),
    { key: "group", name: "Group coaching", cell: ({ tier }) => <Mark isIncluded={tierOpens(tier, lowestLiveTier)} /> },
    {
      key: "one-on-one",
      name: "1-on-1 coaching",
      cell: ({ coaching }) => promiseWords(coaching)?.replace(/^./, (first) => first.toUpperCase()) ?? <Mark />,
    },
    { key: "access", name: "Access", cell: ({ tier }) => lengthOf(tier) },
    {
      key: "renewal",
      name: "Renewal",
      cell: ({ billing, tier }) => (billing === "monthly" ? `Every ${lengthOf(tier)}` : "None"),
    },
  ];
  return (
    <section aria-labelledby="compare-title" className="page-width mt-16 lg:mt-24">
      <div className="torn-bottom scheme-light bg-surface px-5 pt-7 text-ink sm:px-10 sm:pt-9">
        <h3 id="compare-title" className="wide flex items-center justify-between gap-6 text-title">
          Compare the plans
          <Barcode value="Compare the plans" className="h-7 w-28 max-sm:hidden" />
        </h3>
        {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
        <table
          role="table"
          aria-labelledby="compare-title"
          className="mt-6 w-full border-collapse text-left leading-snug max-md:block"
        >
          <thead role="rowgroup" className="max-md:sticky max-md:top-18 max-md:block max-md:bg-surface">
            <tr role="row" className={cx("border-ink border-b-2", rowStyle)}>
              <td role="cell" className="max-md:hidden" />
              {plans.map(({ tier, name, popular }) => (
                <th
                  key={tier}
                  scope="col"
                  role="columnheader"
                  className={cx(cellStyle, "font-bold md:text-lg", popular && "md:bg-tag")}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className="max-md:block">
            {rows.map(({ key, name, cell }) => (
              <tr key={key} role="row" className={cx("border-line border-b border-dashed last:border-b-0", rowStyle)}>
                <th scope="row" role="rowheader" className="py-3 pr-4 font-semibold max-md:col-span-full max-md:pb-0">
                  {name}
                </th>
                {plans.map((plan) => (
                  <td key={plan.tier} role="cell" className={cx(cellStyle, "text-sm", plan.popular && "md:bg-tag/20")}>
                    {cell(plan)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
      </div>
    </section>
  );
}

const rowStyle = "max-md:grid max-md:grid-cols-3 max-md:gap-x-3";
const cellStyle = "py-3 md:w-[19%] md:px-5 max-md:text-sm";

function lengthOf(tier: Tier): string {
  const days = planDays[tier];
  return days === null ? "No end date" : `${days} days`;
}

function Mark({ isIncluded }: { isIncluded?: boolean }) {
  return isIncluded ? (
    <>
      <Icon name="check" className="size-5 stroke-[2.5] text-scan" />
      <span className="sr-only">Included</span>
    </>
  ) : (
    <>
      <span aria-hidden="true" className="text-ink-soft">
        –
      </span>
      <span className="sr-only">Not included</span>
    </>
  );
}
