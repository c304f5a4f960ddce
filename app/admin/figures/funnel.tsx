import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { type Funnel, type FunnelStep, getFunnel } from "#contract/admin/figures.ts";
import { formatPeriod } from "#ui/format/dates.ts";
import { formatCount, formatShare } from "#ui/format/numbers.ts";
import { type Column, Table } from "#ui/table.tsx";
import { ExportButton } from "../export-button.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing, Panel } from "../panel.tsx";
import type { PeriodQuery } from "../period-filter.tsx";
import { type PeriodBefore, queryBefore } from "../periods.ts";

const steps: readonly { step: FunnelStep; label: string; about: string }[] = [
  { step: "landing", label: "Landing page", about: "viewed by visitors who aren’t signed in" },
  { step: "plan", label: "Plan chosen", about: "sign-up page or checkout viewed with a plan, not signed in" },
  { step: "account", label: "Signed up or in", about: "new accounts, and sign-ins on the way to checkout" },
  { step: "card", label: "Card submitted", about: "students who had never paid before" },
  { step: "paid", label: "Paid", about: "students whose first payment went through" },
];

export function FunnelPanel({ query }: { query: PeriodQuery }) {
  const funnel = { ...queryOf(getFunnel, { query }), placeholderData: keepPreviousData };
  const { data, instead } = useLoaded(funnel, "path to a purchase");
  const before = useQuery({ ...queryOf(getFunnel, data ? queryBefore(data) : { query }), enabled: data !== undefined });
  return (
    <Panel
      title="From the landing page to a purchase"
      aside={<ExportButton list="funnel" body={query} of="the path to a purchase" />}
    >
      {data ? <Steps funnel={data} periodBefore={before} /> : instead}
    </Panel>
  );
}

interface Step {
  step: FunnelStep;
  label: string;
  about: string;
  count: number;
  /** The count in the period before. */
  was: string;
  /** The previous step's count. Null for the first step. */
  before: number | null;
  /** The count as a share of the highest one, from 0 to 1. */
  share: number;
}

interface StepsProps {
  funnel: Funnel;
  periodBefore: PeriodBefore<Funnel>;
}

function Steps({ funnel: { total, countedFrom, from }, periodBefore }: StepsProps) {
  const most = Math.max(1, ...Object.values(total));
  const rows = steps.map(({ step, ...words }, at): Step => {
    const before = steps[at - 1];
    return {
      step,
      ...words,
      count: total[step],
      was: countBefore(step, periodBefore),
      before: before ? total[before.step] : null,
      share: total[step] / most,
    };
  });
  return (
    <div className="grid gap-4">
      {rows.every(({ count }) => count === 0) ? (
        <Nothing>No visits in these dates.</Nothing>
      ) : (
        <Table
          caption="From the landing page to a purchase, step by step"
          columns={columns}
          rows={rows}
          rowKey={({ step }) => step}
        />
      )}
      <p className="max-w-[80ch] text-fine text-ink-soft">
        The first two steps count page views, not people. We count them by day, without cookies, addresses or names, and
        leave out known bots, prefetched pages and everyone who is signed in. The other steps count accounts and
        payments. A payment counts on the day the card was submitted. People who are already signed in start at that
        step.
        {countedFrom === null
          ? " No page views have been counted yet."
          : countedFrom > from && ` Page views have been counted since ${formatPeriod(countedFrom, "day")}.`}
      </p>
    </div>
  );
}

/** "–" without a count: it didn't load, or openings were not counted yet in all of those dates. */
function countBefore(step: FunnelStep, { data, isError }: PeriodBefore<Funnel>): string {
  if (!data) return isError ? "–" : "…";
  const isOpening = step === "landing" || step === "plan";
  const isCounted = data.countedFrom !== null && data.countedFrom <= data.from;
  return isOpening && !isCounted ? "–" : formatCount(data.total[step]);
}

const columns: readonly Column<Step>[] = [
  {
    key: "step",
    label: "Step",
    cell: ({ label, about }) => (
      <>
        <span className="block font-bold">{label}</span>
        <span className="block text-fine text-ink-soft @4xl:w-64 @4xl:whitespace-normal">{about}</span>
      </>
    ),
  },
  {
    key: "bar",
    label: "Reached",
    wide: true,
    cell: ({ count, share }) => (
      <div className="grid grid-cols-[minmax(0,1fr)_4rem] items-center gap-x-3">
        <div aria-hidden="true" className="h-3.5 rounded-sm border border-line-strong bg-surface">
          <div className="h-full border-ink border-r bg-tag" style={{ width: `${share * 100}%` }} />
        </div>
        <span className="text-right font-bold tabular-nums">{formatCount(count)}</span>
      </div>
    ),
  },
  {
    key: "was",
    label: "Period before",
    end: true,
    cell: ({ was }) => was,
  },
  {
    key: "share",
    label: "From the step before",
    end: true,
    cell: ({ count, before }) => (before === null ? "–" : formatShare(count, before)),
  },
  {
    key: "lost",
    label: "Didn’t continue",
    end: true,
    cell: ({ count, before }) => (before === null ? "–" : formatCount(Math.max(0, before - count))),
  },
];
