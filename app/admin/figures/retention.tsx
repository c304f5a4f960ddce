import { useQuery } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { type Cohort, getRetention, type KeptMonth } from "#contract/admin/figures.ts";
import { tierLabels } from "#contract/tiers.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatPeriod } from "#ui/format/dates.ts";
import { formatCount, formatShare } from "#ui/format/numbers.ts";
import { ExportButton } from "../export-button.tsx";
import { Nothing, Panel } from "../panel.tsx";

const title = `Who stays with ${tierLabels.basic}`;

export function RetentionPanel() {
  const { data, isPending, refetch } = useQuery(queryOf(getRetention));
  return (
    <Panel title={title} aside={<ExportButton list="retention" of="retention" />}>
      {data ? (
        data.cohorts.length === 0 ? (
          <Nothing>Nobody has paid for {tierLabels.basic} yet.</Nothing>
        ) : (
          <Cohorts cohorts={data.cohorts} />
        )
      ) : isPending ? (
        <PartLoading what="retention" />
      ) : (
        <PartFailed what="the retention" retry={refetch} />
      )}
    </Panel>
  );
}

function Cohorts({ cohorts }: { cohorts: readonly Cohort[] }) {
  const periods = Array.from({ length: Math.max(...cohorts.map(({ kept }) => kept.length)) }, (_, period) => period);
  return (
    <div className="grid gap-4">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section aria-label={`${title}, table`} tabIndex={0} className="max-h-200 overflow-auto">
        <table className="w-full border-separate border-spacing-0 text-sm">
          <caption className="sr-only">{title}: by the month of the first payment, and months paid after it</caption>
          <thead>
            <tr>
              <th scope="col" className={`${heading} left-0 z-20 pr-4 text-left`}>
                First paid in
              </th>
              <th scope="col" className={`${heading} z-10 px-2 text-right`}>
                Students
              </th>
              {periods.map((period) => (
                <th key={period} scope="col" className={`${heading} z-10 min-w-16 px-2 text-right`}>
                  {period === 0 ? "Kept" : `+${period}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="[&>:last-child>*]:border-b-0">
            {cohorts.map(({ month, students, kept }) => (
              <tr key={month}>
                <th
                  scope="row"
                  className="sticky left-0 z-10 whitespace-nowrap border-line border-b bg-surface py-2 pr-4 text-left font-bold"
                >
                  {formatPeriod(month, "month")}
                </th>
                <td className="border-line border-b px-2 text-right tabular-nums">{formatCount(students)}</td>
                {periods.map((period) => (
                  <KeptCell key={period} kept={kept[period]} isWhole={kept[period]?.of === students} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="max-w-[80ch] text-fine text-ink-soft">
        A student belongs to the month of the first payment for {tierLabels.basic}. “+3” are those who have paid for
        three more periods of 30 days or longer, paused in between or not; under it how many of those who began long
        enough ago. A charge that went back whole, by refund or dispute, is no paid period, so that “Kept” leaves out
        who was paid back at once. A part that went back changes nothing. A declined renewal counts once it is paid. Who
        moved up to another plan stays no longer here. * Not everybody of the month could be there yet.
      </p>
    </div>
  );
}

const heading =
  "sticky top-0 whitespace-nowrap border-ink border-b-2 bg-surface py-2 font-semibold text-fine text-ink-soft";

function KeptCell({ kept, isWhole }: { kept: KeptMonth | undefined; isWhole: boolean }) {
  if (!kept || kept.of === 0) return <td className="border-line border-b" />;
  const share = kept.students / kept.of;
  return (
    <td
      className="border-line border-b px-2 py-1.5 text-right tabular-nums leading-tight"
      // Faint enough for readable text in both color schemes.
      style={{ backgroundColor: `color-mix(in oklab, var(--tag) ${Math.round(share * 30)}%, transparent)` }}
    >
      <span className="block font-bold">
        {formatShare(kept.students, kept.of)}
        {!isWhole && "*"}
      </span>
      <span className="block whitespace-nowrap text-fine">
        {formatCount(kept.students)} of {formatCount(kept.of)}
      </span>
    </td>
  );
}
