import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api, saveFile } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { href } from "#contract/addresses.ts";
import {
  deleteImport,
  Fate,
  getImport,
  type Import,
  type ImportRow,
  importErrorsUrl,
  listImportRows,
  startImport,
  stopImport,
} from "#contract/admin/imports.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatShortDay, formatTimestamp } from "#ui/format/dates.ts";
import { formatCount, formatCountOf } from "#ui/format/numbers.ts";
import { type Column, Table } from "#ui/table.tsx";
import { useAct } from "../act.ts";
import { BatchReport } from "../batches/batch-report.tsx";
import { peopleWords } from "../batches/batch-words.ts";
import { useFreshLists } from "../batches/fresh-lists.ts";
import { RowSteps, rowsPerPage } from "../batches/row-steps.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { Filter } from "../filters.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { TierBadge } from "../words.tsx";
import { ImportInvitations, Unsubscribed } from "./import-invitations.tsx";
import { fates, outcomes } from "./import-words.ts";

const pollMilliseconds = 1000;

interface ImportResultProps {
  id: string;
  /** Whether another dry run is about to take its place. */
  isChecking: boolean;
  onStarted: () => void;
  onDeleted: () => void;
}

/** An import: what it would do or did, row by row, and its steps. */
export function ImportResult({ id, isChecking, ...after }: ImportResultProps) {
  const isBusy = (data: Import | undefined) => data?.state === "running" || data?.invitations.state === "sending";
  const { data, isPending, refetch } = useQuery({
    ...queryOf(getImport, { params: { id } }),
    refetchInterval: ({ state }) => (isBusy(state.data) ? pollMilliseconds : false),
  });
  useFreshLists(data?.state === "done" || data?.state === "stopped" ? id : null);
  if (isPending) return <PartLoading what="import" />;
  if (!data) return <PartFailed what="the import" retry={refetch} />;
  return (
    <>
      <Panel
        title={data.fileName}
        aside={<Steps row={data} isChecking={isChecking} isBusy={isBusy(data)} {...after} />}
      >
        {data.state === "checked" ? <DryRun row={data} /> : <Report row={data} />}
      </Panel>
      {(data.state === "done" || data.state === "stopped") && <ImportInvitations row={data} />}
      <Panel title="Rows">
        <Rows key={data.state} row={data} />
      </Panel>
    </>
  );
}

function DryRun({ row: { counts, people, invitations } }: { row: Import }) {
  const tiles = [
    [counts.new, "New", "They get their plan when they confirm their address and sign in."],
    [counts.changed, "Updated", "They already have an account or invitation here. We’ll add this plan."],
    [counts.same, "No change", "They already have this plan."],
    [counts.refused, "Errors", "They aren’t imported. You can download them, correct them and import them again."],
  ] as const;
  return (
    <>
      <p className="text-ink-soft text-sm">
        Nothing has changed yet, and starting sends no emails.
        {people === 0 && " There’s nobody to import."} <Unsubscribed count={invitations.unsubscribed} />
      </p>
      <dl className="mt-4 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {tiles.map(([count, label, hint]) => (
          <div key={label} className="rounded-sm bg-sunken p-4">
            <dt className="font-semibold text-sm">{label}</dt>
            <dd className="wide mt-1 text-2xl tabular-nums">{formatCount(count)}</dd>
            <dd className="mt-1 text-fine text-ink-soft">{hint}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Report({ row }: { row: Import }) {
  const { state, done, author, createdAt, finishedAt, outcomes: all } = row;
  const count = (name: keyof typeof all) => all[name] ?? 0;
  return (
    <BatchReport
      batch={{ ...row, state: state === "checked" ? "paused" : state }}
      summary={`${peopleWords(done)} imported`}
      leftOut={[
        [count("given"), "have their plan"],
        [count("claimed"), "signed in and have their plan"],
        [count("invited"), "get their plan when they sign in"],
        [count("stopped"), "weren’t reached"],
        [count("same"), "already had it"],
        [count("refused"), "had errors"],
      ]}
    >
      {author}, {formatTimestamp(finishedAt ?? createdAt)}
    </BatchReport>
  );
}

interface StepsProps {
  row: Import;
  isChecking: boolean;
  isBusy: boolean;
  onStarted: () => void;
  onDeleted: () => void;
}

function Steps({ row, isChecking, isBusy, onStarted, onDeleted }: StepsProps) {
  const { id, state, people, counts, outcomes: all } = row;
  const changing = counts.new + counts.changed;
  const [asked, setAsked] = useState<"start" | "stop" | "delete" | null>(null);
  const close = () => setAsked(null);
  const save = useAct(() => saveFile(importErrorsUrl(id)), { done: "Download Started", failed: "Download Failed" });
  const hasErrors = (all.refused ?? 0) + (all.stopped ?? 0) > 0;
  const waiting = all.invited ?? 0;
  return (
    <div className="flex flex-wrap gap-2">
      {hasErrors && (
        <Button variant="outline" size="small" pending={save.isPending} onClick={() => save.mutate()}>
          Download errors
        </Button>
      )}
      {state === "running" && (
        <Button variant="outline" size="small" onClick={() => setAsked("stop")}>
          Stop
        </Button>
      )}
      {!isBusy && (
        <Button variant="outline" size="small" onClick={() => setAsked("delete")}>
          Delete
        </Button>
      )}
      {state === "checked" && (
        <Button size="small" disabled={people === 0 || isChecking} onClick={() => setAsked("start")}>
          {changing > 0 ? `Import ${peopleWords(changing)}` : "Import"}
        </Button>
      )}
      {asked === "start" && (
        <ConfirmDialog
          title={changing > 0 ? `Import ${peopleWords(changing)}?` : "Import this list?"}
          description="People with a confirmed account get their plan right away. The others get it when they confirm their address and sign in. We won’t send any emails."
          confirm="Import"
          act={() => api(startImport, { params: { id }, body: {} })}
          words={{ done: "Import started", failed: "Failed to start the import" }}
          onDone={() => {
            close();
            onStarted();
          }}
          onClose={close}
        />
      )}
      {asked === "stop" && (
        <ConfirmDialog
          title="Stop here?"
          description="What’s imported stays. You can download the remaining rows and import them later."
          confirm="Stop"
          isDangerous
          act={() => api(stopImport, { params: { id }, body: {} })}
          words={{ done: "Stopped", failed: "Failed to stop it" }}
          onClose={close}
        />
      )}
      {asked === "delete" && (
        <ConfirmDialog
          title="Delete this import?"
          description={
            state === "checked"
              ? "This import hasn’t started, so no student is affected."
              : waiting > 0
                ? `${peopleWords(waiting)} who ${waiting === 1 ? "hasn’t" : "haven’t"} signed in yet won’t get their plan from it. Everyone else keeps theirs.`
                : "Everyone who has their plan keeps it."
          }
          confirm="Delete"
          isDangerous
          goneId={id}
          act={() => api(deleteImport, { params: { id }, body: {} })}
          words={{ done: "Import deleted", failed: "Failed to delete the import" }}
          onDone={onDeleted}
          onClose={close}
        />
      )}
    </div>
  );
}

const columns: readonly Column<ImportRow>[] = [
  {
    key: "email",
    label: "Person",
    wide: true,
    cell: ({ email, name, userId }) => (
      <span className="grid wrap-anywhere">
        {userId ? (
          <Link to={href.adminUser(userId)} className="underline-offset-4 hover:underline">
            {email}
          </Link>
        ) : (
          <span>{email || "No address"}</span>
        )}
        {name && <span className="text-fine text-ink-soft">{name}</span>}
      </span>
    ),
  },
  { key: "line", label: "Line", end: true, cell: ({ line }) => formatCount(line) },
  {
    key: "plan",
    label: "Plan",
    cell: ({ tier, until, completed }) => (
      <span className="grid justify-items-start gap-1">
        <TierBadge tier={tier} />
        {until && <span className="text-fine text-ink-soft">Until {formatShortDay(lastDayOf(until))}</span>}
        {completed > 0 && (
          <span className="text-fine text-ink-soft">
            {formatCountOf(completed, "lesson", "lessons")} completed elsewhere
          </span>
        )}
      </span>
    ),
  },
  {
    key: "fate",
    label: "Result",
    cell: ({ fate, outcome, reason, mayEmail, sentAt }) => {
      const { tone, words } = outcome ? outcomes[outcome] : fates[fate];
      return (
        <span className="grid justify-items-start gap-1">
          <Badge tone={tone}>{words}</Badge>
          {reason && <span className="text-fine text-ink-soft wrap-anywhere">{reason}</span>}
          {!mayEmail && !reason && <span className="text-fine text-ink-soft">Unsubscribed</span>}
          {sentAt && <span className="text-fine text-ink-soft">Emailed {formatShortDay(sentAt)}</span>}
        </span>
      );
    },
  },
];

/** The end is exclusive. */
function lastDayOf(until: string): string {
  return new Date(Date.parse(until) - 1).toISOString();
}

function Rows({ row: { id, counts } }: { row: Import }) {
  const [fate, setFate] = useState<Fate | "">("");
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const query = { ...(fate && { fate }), limit: rowsPerPage, after: cursors.at(-1) };
  const { data, isPending, isPlaceholderData, refetch } = useQuery({
    ...queryOf(listImportRows, { params: { id }, query }),
    placeholderData: keepPreviousData,
  });
  if (isPending) return <PartLoading what="rows" />;
  if (!data) return <PartFailed what="the rows" retry={refetch} />;
  const { rows } = data;
  return (
    <>
      <div className="flex pb-4">
        <Filter
          label="Rows"
          value={fate}
          options={[
            ["", "All rows"],
            ...Fate.options.map((one) => [one, `${fates[one].words} (${formatCount(counts[one])})`] as const),
          ]}
          onChange={(value) => {
            setFate(value as Fate | "");
            setCursors([]);
          }}
        />
      </div>
      {rows.length === 0 ? (
        <Nothing>{fate ? "No rows with this result." : "We delete the rows after 30 days."}</Nothing>
      ) : (
        <Table caption="Rows" columns={columns} rows={rows} rowKey={({ id }) => id} isStale={isPlaceholderData} />
      )}
      <RowSteps rows={rows} cursors={cursors} onChange={setCursors} />
    </>
  );
}
