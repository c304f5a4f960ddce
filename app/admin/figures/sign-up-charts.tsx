import type { SignUps } from "#contract/admin/figures.ts";
import { formatPeriod } from "#ui/format/dates.ts";
import { formatCount, formatShare } from "#ui/format/numbers.ts";
import { ExportButton } from "../export-button.tsx";
import { Figures } from "../figures.tsx";
import { ChartPanel } from "../money/chart-panel.tsx";
import { Panel } from "../panel.tsx";
import type { PeriodQuery } from "../period-filter.tsx";
import { beside, type PeriodBefore } from "../periods.ts";
import { conversionOf } from "./conversion.ts";

interface SignUpChartsProps {
  signUps: SignUps;
  before: PeriodBefore<SignUps>;
  query: PeriodQuery;
}

export function SignUpCharts({ signUps, before, query }: SignUpChartsProps) {
  const { by, total, periods } = signUps;
  const was = (words: (total: SignUps["total"]) => string) => beside(before, ({ total }) => words(total));
  const points = periods.map(({ start }) => formatPeriod(start, by));
  const best = periods.toSorted((one, other) => other.signUps - one.signUps)[0];
  const file = <ExportButton list="sign-ups" body={query} of="sign-ups" />;
  return (
    <>
      <Figures
        label="In these dates"
        figures={[
          { label: "Sign-ups", value: formatCount(total.signUps), note: was(({ signUps }) => formatCount(signUps)) },
          { label: "Have paid since", value: formatCount(total.paid), note: was(({ paid }) => formatCount(paid)) },
          {
            label: "Conversion",
            value: formatShare(total.paid, total.signUps),
            note: was(({ paid, signUps }) => formatShare(paid, signUps)),
          },
          {
            label: "Most sign-ups",
            value: best && best.signUps > 0 ? formatCount(best.signUps) : "–",
            note: best && best.signUps > 0 && formatPeriod(best.start, by),
          },
        ]}
      />
      {total.signUps === 0 ? (
        <Panel title="Sign-ups" aside={file}>
          <p className="text-ink-soft text-sm">Nobody signed up in these dates.</p>
        </Panel>
      ) : (
        <div className="grid gap-5 2xl:grid-cols-2">
          <ChartPanel
            title="Sign-ups"
            aside={file}
            points={points}
            format={formatCount}
            series={[{ label: "New accounts", values: periods.map(({ signUps }) => signUps), tone: "tag" }]}
          />
          <ChartPanel
            title="Conversion"
            aside={<ExportButton list="sign-ups" body={query} of="conversion" />}
            points={points}
            kind="line"
            format={(percent) => `${Math.round(percent)}%`}
            series={[
              {
                label: "Have paid since",
                values: conversionOf(signUps, before.data?.by === by ? before.data.periods : []),
                tone: "ink",
              },
            ]}
            note="The share of new students who have paid since, including payments that were refunded. Each point covers at least 7 days and 10 sign-ups. Recent sign-ups have had less time to pay."
          />
        </div>
      )}
    </>
  );
}
