import { queryOf } from "#app/api/query.ts";
import { getLifetimeValue, type LifetimeValue, type ValueFigures } from "#contract/admin/figures.ts";
import { formatCents } from "#contract/money.ts";
import { formatPeriod } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import type { Column } from "#ui/table.tsx";
import { ExportButton } from "../export-button.tsx";
import { FigureTable } from "../figure-table.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing, Panel } from "../panel.tsx";

export function ValuePanel() {
  const { data, instead } = useLoaded(queryOf(getLifetimeValue), "lifetime value");
  return (
    <Panel title="Lifetime value" aside={<ExportButton list="value" of="lifetime value" />}>
      {data ? data.total.students === 0 ? <Nothing>Nobody has paid yet.</Nothing> : <Values value={data} /> : instead}
    </Panel>
  );
}

interface Row extends ValueFigures {
  name: string;
}

function Values({ value: { total, plans, cohorts } }: { value: LifetimeValue }) {
  const all: Row = { ...total, name: "Everybody" };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <ValueTable
        name="By first plan"
        label="Plan"
        rows={[...plans.map((plan) => ({ ...plan, name: plan.planName })), all]}
      />
      <ValueTable
        name="By month of the first payment"
        label="First paid in"
        rows={[...cohorts.map((cohort) => ({ ...cohort, name: formatPeriod(cohort.month, "month") })), all]}
      />
      <p className="max-w-[80ch] text-fine text-ink-soft">
        What students have paid so far for any plan, minus refunds and disputes, divided by the number of students. Each
        student counts under the plan and the month of the first payment, so every dollar on the Money page is here
        once. Future payments aren’t estimated.
      </p>
    </div>
  );
}

function ValueTable({ name, label, rows }: { name: string; label: string; rows: readonly Row[] }) {
  return (
    <section aria-label={name} className="min-w-0">
      <h3 className="mb-1 font-bold">{name}</h3>
      <FigureTable caption={name} columns={columnsOf(label)} rows={rows} rowKey={(row) => row.name} />
    </section>
  );
}

const columnsOf = (label: string): readonly Column<Row>[] => [
  { key: "name", label, cell: ({ name }) => name },
  { key: "students", label: "Students", cell: ({ students }) => formatCount(students) },
  { key: "charged", label: "Charged", cell: ({ chargedCents }) => formatCents(chargedCents) },
  { key: "refunded", label: "Refunded", cell: ({ refundedCents }) => formatCents(refundedCents) },
  { key: "net", label: "Net", cell: ({ netCents }) => formatCents(netCents) },
  {
    key: "value",
    label: "Per student",
    cell: ({ valueCents }) => <span className="font-bold">{formatCents(valueCents)}</span>,
  },
];
