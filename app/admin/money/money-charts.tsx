import type { Money } from "#contract/admin/statistics.ts";
import { formatDollars, formatWholeDollars } from "#contract/money.ts";
import { formatPeriod } from "#ui/format/dates.ts";
import { formatCount, formatCountOf } from "#ui/format/numbers.ts";
import type { Column } from "#ui/table.tsx";
import { FigureTable } from "../figure-table.tsx";
import { Figures } from "../figures.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { beside, type PeriodBefore } from "../periods.ts";
import { ChartPanel } from "./chart-panel.tsx";

interface ChartsProps {
  money: Money;
  before: PeriodBefore<Money>;
}

export function Charts({ money, before }: ChartsProps) {
  const { total, periods: list } = money;
  const compared = (now: string, words: (before: Money) => string) => `${now}, ${beside(before, words)}`;
  const points = list.map(({ start }) => formatPeriod(start, money.by));
  const values = (name: Exclude<keyof (typeof list)[number], "start">) => list.map((period) => period[name]);
  return (
    <>
      <Figures
        label="In these dates"
        figures={[
          {
            label: "Revenue",
            value: formatDollars(total.revenue),
            note: compared(formatCountOf(total.charges, "charge"), ({ total }) => formatDollars(total.revenue)),
          },
          {
            label: "Refunds",
            value: formatDollars(total.refunded),
            note: compared(formatCountOf(total.refunds, "refund"), ({ total }) => formatDollars(total.refunded)),
          },
          {
            label: "Monthly recurring",
            value: formatDollars(money.mrr),
            note: compared(formatCountOf(money.subscriptions, "subscription"), ({ mrr }) => formatDollars(mrr)),
          },
          {
            label: "Recovered",
            value: formatCount(total.recoveries),
            note: compared(`of ${formatCount(total.declines)} declined`, ({ total }) => formatCount(total.recoveries)),
          },
        ]}
      />
      <ChartPanel
        title="Revenue"
        points={points}
        format={formatDollars}
        formatShort={formatWholeDollars}
        series={[
          { label: "Charged", values: values("charged"), tone: "tag" },
          { label: "Refunded", values: values("refunded"), tone: "danger", isBelow: true },
        ]}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 2xl:grid-cols-2">
        <ChartPanel
          title="Recurring revenue each 30 days"
          points={points}
          format={formatDollars}
          formatShort={formatWholeDollars}
          kind="line"
          series={[{ label: "Each 30 days", values: values("mrr"), tone: "ink" }]}
          note="Monthly recurring revenue (MRR): what all active subscriptions together bring in 30 days at their agreed prices, at the end of each day, week or month. One-time purchases don’t count."
        />
        <ChartPanel
          title="Subscriptions"
          points={points}
          format={formatCount}
          series={[
            { label: "New", values: values("newSubscriptions"), tone: "tag" },
            { label: "Lost", values: values("lostSubscriptions"), tone: "danger", isBelow: true },
          ]}
        />
        <ChartPanel
          title="Declined renewals"
          points={points}
          format={formatCount}
          series={[
            { label: "Recovered", values: values("recoveries"), tone: "tag" },
            { label: "Declined", values: values("declines"), tone: "danger", isBelow: true },
          ]}
        />
        <Panel title="By plan">
          {money.plans.length === 0 ? (
            <Nothing>Nothing was charged in these dates.</Nothing>
          ) : (
            <FigureTable caption="By plan" columns={planColumns} rows={money.plans} rowKey={({ tier }) => tier} />
          )}
        </Panel>
      </div>
    </>
  );
}

const planColumns: readonly Column<Money["plans"][number]>[] = [
  { key: "plan", label: "Plan", cell: ({ planName }) => planName },
  { key: "purchases", label: "Purchases", cell: ({ purchases }) => formatCount(purchases) },
  { key: "charged", label: "Charged", cell: ({ charged }) => formatDollars(charged) },
];
