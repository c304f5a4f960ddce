import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { queryOf, uncached } from "#app/api/query.ts";
import { useResumable } from "#app/editing/resumable.ts";
import { href } from "#contract/addresses.ts";
import {
  type BulkAction,
  bulkSteps,
  getBulkAction,
  listBulkPeople,
  previewUndo,
  undoBulkAction,
} from "#contract/admin/bulk-actions.ts";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatShortDay, formatTimestamp } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { BatchReport } from "../batches/batch-report.tsx";
import { BatchSteps } from "../batches/batch-steps.tsx";
import { peopleWords } from "../batches/batch-words.ts";
import { CountList } from "../batches/count-list.tsx";
import { useFreshLists } from "../batches/fresh-lists.ts";
import { RowSteps, rowsPerPage } from "../batches/row-steps.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { countsOf, kindWords, reasonOf, titleOf } from "./bulk-words.ts";

/** Between two looks at an action that is running. */
const pollMilliseconds = 1000;

interface BulkResultProps {
  id: string;
  /** Shows another action, such as the undo of this one. */
  onOpen: (id: string) => void;
  onClose?: () => void;
}

/** An action on many users: its progress, its results and the undo. */
export function BulkResult({ id, onOpen, onClose }: BulkResultProps) {
  const {
    data: action,
    isPending,
    refetch,
  } = useQuery({
    ...queryOf(getBulkAction, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data?.state === "running" ? pollMilliseconds : false),
  });
  useFreshLists(action && action.state !== "running" ? action.id : null);
  if (isPending) return <PartLoading what="action" />;
  if (!action) return <PartFailed what="the action" retry={refetch} />;
  const { reason, actorName, createdAt, finishedAt } = action;
  const reasons = countsOf(action.skippedBecause);
  const explained = reasons.reduce((sum, [count]) => sum + count, 0);
  return (
    <Panel
      title={titleOf(action)}
      aside={
        <div className="flex flex-wrap gap-2">
          <Steps action={action} onOpen={onOpen} />
          {onClose && (
            <Button variant="quiet" size="small" onClick={onClose}>
              Close<span className="sr-only"> the result</span>
            </Button>
          )}
        </div>
      }
    >
      <BatchReport
        batch={action}
        summary={`${formatCount(action.done)} of ${peopleWords(action.people)} done`}
        leftOut={[...reasons, [action.skipped - explained, "Left out. We delete the reasons after 60 days."]]}
      >
        {actorName}, {formatTimestamp(finishedAt ?? createdAt)}
        {reason && `: ${reason}`}
        {action.undoUntil && `. Can be undone until ${formatShortDay(action.undoUntil)}.`}
      </BatchReport>
      {finishedAt && <People action={action} />}
    </Panel>
  );
}

function Steps({ action, onOpen }: { action: BulkAction; onOpen: (id: string) => void }) {
  const { id, undoUntil, undoneBy, undoes } = action;
  const [isUndoAsked, setIsUndoAsked] = useResumable(`undo ${id}`, false);
  return (
    <>
      <BatchSteps
        batch={action}
        calls={bulkSteps}
        queryKey={queryOf(getBulkAction, { params: { id } }).queryKey}
        stop={{
          title: "Stop here?",
          description: "The remaining people stay as they are. You can undo what’s already done.",
        }}
      />
      {undoUntil && (
        <Button variant="outline" size="small" onClick={() => setIsUndoAsked(true)}>
          Undo
        </Button>
      )}
      {(undoneBy ?? undoes) && (
        <Button variant="outline" size="small" onClick={() => onOpen(undoneBy ?? undoes ?? "")}>
          {undoneBy ? "See the undo" : "See the original action"}
        </Button>
      )}
      {isUndoAsked && (
        <UndoDialog
          action={action}
          onClose={() => setIsUndoAsked(false)}
          onBegun={(undo) => {
            setIsUndoAsked(false);
            onOpen(undo.id);
          }}
        />
      )}
    </>
  );
}

interface UndoDialogProps {
  action: BulkAction;
  onClose: () => void;
  onBegun: (undo: BulkAction) => void;
}

function UndoDialog({ action, onClose, onBegun }: UndoDialogProps) {
  const { data: preview, error } = useQuery({ ...queryOf(previewUndo, { params: { id: action.id } }), ...uncached });
  return (
    <ConfirmDialog
      title={`Undo for ${peopleWords(action.done)}?`}
      description={kindWords[action.kind].undo}
      confirm={preview ? `Undo for ${peopleWords(preview.concerned)}` : "Undo"}
      isIncomplete={!preview || preview.concerned === 0}
      act={() => api(undoBulkAction, { params: { id: action.id }, body: {} })}
      words={{ done: "Undo started", failed: "Failed to undo" }}
      onDone={onBegun}
      onClose={onClose}
    >
      <div aria-live="polite" className="min-h-16 rounded-sm bg-sunken px-4 py-3 text-sm">
        {preview ? (
          <>
            <p>
              We’ll undo it for <strong>{formatCount(preview.concerned)}</strong> of {peopleWords(preview.people)}.
            </p>
            <CountList rows={countsOf(preview.skipped)} />
          </>
        ) : (
          <p className="text-ink-soft">{error ? "The preview didn’t load." : "Counting…"}</p>
        )}
      </div>
    </ConfirmDialog>
  );
}

function People({ action }: { action: BulkAction }) {
  const [outcome, setOutcome] = useState<"done" | "skipped" | null>(null);
  const choices = [
    ["done", action.done, "People changed"],
    ["skipped", action.skipped, "People left out"],
  ] as const;
  return (
    <div className="mt-3">
      <div className="-ml-2 flex flex-wrap gap-1">
        {choices.map(([one, count, label]) =>
          count === 0 ? null : (
            <Button
              key={one}
              variant="quiet"
              size="small"
              className="px-2! underline"
              aria-expanded={outcome === one}
              onClick={() => setOutcome(outcome === one ? null : one)}
            >
              {label}
            </Button>
          ),
        )}
      </div>
      {outcome && <PeopleList key={outcome} id={action.id} outcome={outcome} />}
    </div>
  );
}

function PeopleList({ id, outcome }: { id: string; outcome: "done" | "skipped" }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const { data, isPending, refetch } = useQuery({
    ...queryOf(listBulkPeople, { params: { id }, query: { outcome, limit: rowsPerPage, after: cursors.at(-1) } }),
    placeholderData: keepPreviousData,
  });
  if (isPending) return <PartLoading what="people" />;
  if (!data) return <PartFailed what="the people" retry={refetch} />;
  const { rows } = data;
  return (
    <>
      {rows.length === 0 && <Nothing>We delete the list of people after 60 days.</Nothing>}
      <ul className="mt-1 text-sm">
        {rows.map((person) => (
          <li key={person.id} className="flex flex-wrap justify-between gap-x-4 border-line border-b py-2">
            <Link to={href.adminUser(person.id)} className="min-w-0 underline-offset-4 hover:underline wrap-anywhere">
              {person.name}
            </Link>
            {person.reason && <span className="text-ink-soft">{reasonOf(person.reason)}</span>}
          </li>
        ))}
      </ul>
      <RowSteps rows={rows} cursors={cursors} onChange={setCursors} />
    </>
  );
}
