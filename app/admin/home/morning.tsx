import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { useMay } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import type { Check } from "#contract/admin/checklist.ts";
import { getMorning, type Morning, type SpanFigures } from "#contract/admin/morning.ts";
import { dollarsOf, formatDollars } from "#contract/money.ts";
import { PartFailed } from "#ui/feedback/part.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { formatPeriod, formatTimestamp } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { FigureTable } from "../figure-table.tsx";
import { NumberPlaceholder, numberLinkStyle } from "../figures.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { checklistQuery } from "./checklist-query.ts";

/** What happened, what waits and what comes. Each number leads to the list that it counts. */
export function MorningPanels() {
  const { data, isPending, refetch } = useQuery(queryOf(getMorning));
  const seesMoney = useMay("money:read");
  if (!data && !isPending) return <PartFailed what="the overview" retry={refetch} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2 2xl:grid-cols-[minmax(0,4fr)_minmax(0,3fr)_minmax(0,3fr)]">
      {isPending && (
        <p role="status" className="sr-only">
          Loading the overview
        </p>
      )}
      {seesMoney && <MoneyPanel money={data?.money ?? undefined} />}
      <WaitingPanel morning={data} />
      <UpcomingPanel morning={data} />
    </div>
  );
}

function MoneyPanel({ money }: { money: NonNullable<Morning["money"]> | undefined }) {
  const rows: readonly [name: string, value: (span: SpanFigures) => string, isDeclined?: true][] = [
    ["Revenue", ({ revenueCents }) => formatDollars(dollarsOf(revenueCents))],
    ["New subscriptions", ({ newSubscriptions }) => formatCount(newSubscriptions)],
    ["Ended subscriptions", ({ lostSubscriptions }) => formatCount(lostSubscriptions)],
    ["People with a declined payment", ({ declined }) => formatCount(declined), true],
  ];
  const column = (key: keyof NonNullable<Morning["money"]>, label: string, ofDeclined: string) => ({
    key,
    label,
    cell: ([name, value, isDeclined]: (typeof rows)[number]) => {
      const span = money?.[key];
      if (!span) return <NumberPlaceholder />;
      return (
        <Link
          to={isDeclined ? peopleWho(ofDeclined) : `/admin/money?by=day&from=${span.from}&to=${span.to}`}
          aria-label={`${name}, ${label.toLowerCase()}: ${value(span)}`}
          className={numberLinkStyle}
        >
          {value(span)}
        </Link>
      );
    },
  });
  return (
    <Panel title="Today and this month" className="lg:max-2xl:col-span-2">
      <FigureTable
        isStacked
        caption="Today and this month"
        columns={[
          { key: "name", label: "Figure", cell: ([name]) => name },
          column("today", "Today", "declined-today"),
          column("month", "This month", "declined-this-month"),
          column("monthBefore", "Last month", "declined-last-month-to-date"),
        ]}
        rows={rows}
        rowKey={([name]) => name}
      />
      <p className="mt-3 text-fine text-ink-soft">
        Last month is counted only through {money ? formatPeriod(money.monthBefore.to, "day") : "today’s date"}, to
        compare the same days. A subscription ends on the day it’s cancelled, replaced, refunded or first declined.
      </p>
    </Panel>
  );
}

const peopleWho = (show: string) => `${href.admin("users")}&show=${show}`;

/** The height of five lines, so that the lists below don't move when the panels have loaded. */
const reserved = "lg:min-h-77";

interface MorningProps {
  /** Undefined while it loads. */
  morning: Morning | undefined;
}

/** What somebody must do. Shows only what there is. */
function WaitingPanel({ morning }: MorningProps) {
  const mayCheck = useMay("operations:read");
  const { data: checklist, isPending: isChecking } = useQuery({ ...checklistQuery, enabled: mayCheck });
  const checks = checklist?.checks ?? [];
  const isLoading = !morning || (mayCheck && isChecking);
  const waiting = [...(morning ? linesOf(morning) : []), ...linesOfChecks(checks)].filter(({ count }) => count);
  return (
    <Panel title="Waiting for you" className={reserved}>
      {waiting.length === 0 && !isLoading ? (
        <Nothing>Nothing is waiting for you.</Nothing>
      ) : (
        <Lines lines={waiting} pending={morning ? Number(isLoading) : 4} />
      )}
    </Panel>
  );
}

function linesOf({ messages, questions, declined, drafts, reviews, withoutSummary }: Morning): readonly LineProps[] {
  const next = declined?.nextAttemptAt;
  return [
    { label: "Messages to answer", count: messages, to: `${href.admin("messages")}&state=unanswered` },
    { label: "Questions to review", count: questions, to: `${href.adminQuestions()}?show=to-review` },
    {
      label: "Declined payments",
      count: declined?.count ?? null,
      to: `${href.admin("purchases")}&subscription=unresolved`,
      note: next ? `Next attempt ${formatTimestamp(next)}` : "Students must add another card",
    },
    { label: "Unpublished changes", count: drafts, to: "/admin/drafts" },
    { label: "Lessons due for review", count: reviews, to: "/admin/lesson-updates" },
    { label: "Sessions without a summary", count: withoutSummary, to: "/admin/coaching?show=without-summary" },
  ];
}

function linesOfChecks(checks: readonly Check[]): readonly LineProps[] {
  const steps = checks.filter(({ group }) => group === "first-steps");
  const [next, ...later] = steps.filter(({ state }) => state !== "done");
  return [
    {
      label: "Checklist problems",
      count: checks.filter(({ state }) => state === "problem").length,
      to: "/admin/checklist",
    },
    {
      label: "First steps",
      count: next ? later.length + 1 : 0,
      to: next?.links[0]?.to ?? "/admin/checklist",
      note: next && `${steps.length - later.length - 1} of ${steps.length} done. Next: ${next.title}`,
    },
  ];
}

function UpcomingPanel({ morning }: MorningProps) {
  const { renewals = null, ends = 0, sessions = null, groupSessions = null } = morning ?? {};
  const lines: readonly LineProps[] = [
    {
      label: "Renewals in the next 7 days",
      count: renewals?.count ?? null,
      to: `${href.admin("purchases")}&subscription=due`,
      note: renewals?.cents != null && formatDollars(dollarsOf(renewals.cents)),
    },
    { label: "Access ending in the next 30 days", count: ends, to: peopleWho("ends-soon") },
    {
      label: "1-on-1 sessions today",
      count: sessions?.count ?? null,
      to: "/admin/coaching?show=today",
      note: sessions?.nextAt && `Next ${formatTimestamp(sessions.nextAt)}`,
    },
    { label: "Group sessions today", count: groupSessions, to: "/admin/coaching" },
  ];
  return (
    <Panel title="Coming up" className={reserved}>
      <Lines lines={morning ? lines.filter(({ count }) => count !== null) : []} pending={morning ? 0 : lines.length} />
    </Panel>
  );
}

interface LineProps {
  label: string;
  /** Null for a role that may not see it. */
  count: number | null;
  to: string;
  note?: ReactNode;
}

/** @param pending the number of lines that are still loading */
function Lines({ lines, pending }: { lines: readonly LineProps[]; pending: number }) {
  return (
    <ul className="-my-2">
      {lines.map(({ label, count, to, note }) => (
        <li key={label} className="border-line border-b last:border-b-0">
          <Link
            to={to}
            className="-mx-2 flex min-h-12 items-center justify-between gap-4 rounded-sm px-2 py-2 leading-tight hover:bg-sunken"
          >
            <span className="min-w-0">
              {label}
              {note && Boolean(count) && <span className="mt-0.5 block text-fine text-ink-soft">{note}</span>}
            </span>
            <strong className="text-lg tabular-nums">{formatCount(count ?? 0)}</strong>
          </Link>
        </li>
      ))}
      {Array.from({ length: pending }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are alike
        <li key={at} className="flex min-h-12 items-center border-line border-b last:border-b-0">
          <Skeleton className="h-4 w-full" />
        </li>
      ))}
    </ul>
  );
}
