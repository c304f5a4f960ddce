import { queryOf } from "#app/api/query.ts";
import { type Cohort, getRetention, type KeptMonth } from "#contract/admin/figures.ts";
import { planName } from "#ui/academy.ts";
import { formatPeriod } from "#ui/format/dates.ts";
import { formatCount, formatShare } from "#ui/format/numbers.ts";
import type { Column } from "#ui/table.tsx";
import { ExportButton } from "../export-button.tsx";
import { FigureTable } from "../figure-table.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing, Panel } from "../panel.tsx";

const title = () => `Retention of ${planName("basic")}`;

export function RetentionPanel() {
  const { data, instead } = useLoaded(queryOf(getRetention), "retention");
  return (
    <Panel title={title()} aside={<ExportButton list="retention" of="retention" />}>
      {data ? (
        data.cohorts.length === 0 ? (
          <Nothing>Nobody has paid for {planName("basic")} yet.</Nothing>
        ) : (
          <Cohorts cohorts={data.cohorts} />
        )
      ) : (
        instead
      )}
    </Panel>
  );
}

function Cohorts({ cohorts }: { cohorts: readonly Cohort[] }) {
  const periods = Array.from({ length: Math.max(...cohorts.map(({ kept }) => kept.length)) }, (_, period) => period);
  const columns: Column<Cohort>[] = [
    { key: "month", label: "First paid in", cell: ({ month }) => formatPeriod(month, "month") },
    { key: "students", label: "Students", cell: ({ students }) => formatCount(students) },
    ...periods.map((period) => ({
      key: String(period),
      label: period === 0 ? "Kept" : `+${period}`,
      cell: ({ kept, students }: Cohort) => <Kept kept={kept[period]} isWhole={kept[period]?.of === students} />,
    })),
  ];
  return (
    <div className="grid gap-4">
      <FigureTable
        caption={title()}
        details="by month of the first payment, and periods paid after it"
        columns={columns}
        rows={cohorts}
        rowKey={({ month }) => month}
      />
      <p className="max-w-[80ch] text-fine text-ink-soft">
        Students are grouped by the month of their first payment for {planName("basic")}. “+3” is the share who have
        paid for at least three more periods of 30 days, with or without a break. Below it is how many they are, out of
        those who started long enough ago. A charge that was refunded or disputed in full doesn’t count as a paid
        period. A partial refund changes nothing. A declined renewal counts once it’s paid. Students who moved to
        another plan no longer count here. * Too early to know for everyone in this month.
      </p>
    </div>
  );
}

function Kept({ kept, isWhole }: { kept: KeptMonth | undefined; isWhole: boolean }) {
  if (!kept || kept.of === 0) return null;
  const share = kept.students / kept.of;
  return (
    <div
      className="-my-2.5 -mr-2 px-2 py-1.5 leading-tight"
      // Faint enough for readable text in both color schemes.
      style={{ backgroundColor: `color-mix(in oklab, var(--tag) ${Math.round(share * 30)}%, transparent)` }}
    >
      <span className="block font-bold">
        {formatShare(kept.students, kept.of)}
        {!isWhole && "*"}
      </span>
      <span className="block text-fine">
        {formatCount(kept.students)} of {formatCount(kept.of)}
      </span>
    </div>
  );
}
