import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { useMay } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import { getMorning, type Morning, type SpanFigures } from "#contract/admin/morning.ts";
import { dollarsOf, formatDollars } from "#contract/money.ts";
import { formatPeriod, formatTimestamp } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { FigureTable } from "../figure-table.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { checklistQuery } from "./checklist-query.ts";

/** What happened, what waits and what comes. Each number leads to the list that it counts. */
export function MorningPanels() {
  const { data, instead } = useLoaded(queryOf(getMorning), "overview");
  if (!data) return instead;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2 2xl:grid-cols-[minmax(0,4fr)_minmax(0,3fr)_minmax(0,3fr)]">
      {data.money && <MoneyPanel money={data.money} />}
      <WaitingPanel morning={data} />
      <ComingPanel morning={data} />
    </div>
  );
}

function MoneyPanel({ money }: { money: NonNullable<Morning["money"]> }) {
  const { today, month, monthBefore } = money;
  const ofMoney = ({ from, to }: SpanFigures) => `/admin/money?by=day&from=${from}&to=${to}`;
  const rows: readonly [name: string, value: (span: SpanFigures) => string, declined?: true][] = [
    ["Revenue", ({ revenueCents }) => formatDollars(dollarsOf(revenueCents))],
    ["New subscriptions", ({ newSubscriptions }) => formatCount(newSubscriptions)],
    ["Ended subscriptions", ({ lostSubscriptions }) => formatCount(lostSubscriptions)],
    ["People with a declined payment", ({ declined }) => formatCount(declined), true],
  ];
  const column = (key: string, label: string, span: SpanFigures, ofDeclined: string | null) => ({
    key,
    label,
    cell: ([name, value, declined]: (typeof rows)[number]) => {
      const to = declined ? ofDeclined : ofMoney(span);
      if (to === null) return value(span);
      return (
        <Link to={to} aria-label={`${name}, ${label.toLowerCase()}: ${value(span)}`} className={linked}>
          {value(span)}
        </Link>
      );
    },
  });
  return (
    <Panel title="Today and this month" className="lg:max-2xl:col-span-2">
      <FigureTable
        caption="Today and this month"
        columns={[
          { key: "name", label: "Figure", cell: ([name]) => name },
          column("today", "Today", today, peopleWho("declined-today")),
          column("month", "This month", month, peopleWho("declined-this-month")),
          column("before", "Last month", monthBefore, null),
        ]}
        rows={rows}
        rowKey={([name]) => name}
      />
      <p className="mt-3 text-fine text-ink-soft">
        Last month is counted only through {formatPeriod(monthBefore.to, "day")}, to compare the same days.
      </p>
    </Panel>
  );
}

const linked = "underline decoration-line-strong underline-offset-4 hover:decoration-2 hover:decoration-current";

const peopleWho = (show: string) => `${href.admin("users")}&show=${show}`;

/** What somebody must do. Shows only what there is. */
function WaitingPanel({ morning }: { morning: Morning }) {
  const { messages, questions, declined, drafts, withoutSummary } = morning;
  const mayCheck = useMay("operations:read");
  const { data: checklist } = useQuery({ ...checklistQuery, enabled: mayCheck });
  const problems = checklist?.checks.filter(({ state }) => state === "problem").length ?? 0;
  const next = declined?.nextAttemptAt;
  const lines: readonly LineProps[] = [
    { label: "Messages to answer", count: messages, to: `${href.admin("messages")}&state=unanswered` },
    { label: "Unanswered questions", count: questions, to: `${href.adminQuestions()}?show=unanswered` },
    {
      label: "Declined payments",
      count: declined?.count ?? null,
      to: `${href.admin("purchases")}&subscription=declined`,
      note: next ? `Next attempt ${formatTimestamp(next)}` : "No next attempt",
    },
    { label: "Checklist problems", count: problems, to: "/admin/checklist" },
    { label: "Unpublished changes", count: drafts, to: "/admin/drafts" },
    { label: "Sessions without a summary", count: withoutSummary, to: "/admin/coaching?show=without-summary" },
  ];
  const waiting = lines.filter(({ count }) => count);
  return (
    <Panel title="Waiting for you">
      {waiting.length === 0 ? <Nothing>Nothing is waiting for you.</Nothing> : <Lines lines={waiting} />}
    </Panel>
  );
}

function ComingPanel({ morning: { renewals, ends, sessions, groupSessions } }: { morning: Morning }) {
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
    <Panel title="Coming up">
      <Lines lines={lines.filter(({ count }) => count !== null)} />
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

function Lines({ lines }: { lines: readonly LineProps[] }) {
  return (
    <ul className="-my-2">
      {lines.map(({ label, count, to, note }) => (
        <li key={label} className="border-line border-b last:border-b-0">
          <Link
            to={to}
            className="-mx-2 flex min-h-11 items-center justify-between gap-4 rounded-sm px-2 py-2 hover:bg-sunken"
          >
            <span className="min-w-0">
              {label}
              {note && Boolean(count) && <span className="block text-fine text-ink-soft">{note}</span>}
            </span>
            <strong className="text-lg tabular-nums">{formatCount(count ?? 0)}</strong>
          </Link>
        </li>
      ))}
    </ul>
  );
}
