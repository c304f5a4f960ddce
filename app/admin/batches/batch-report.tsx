import type { ReactNode } from "react";
import type { Batch } from "#contract/admin/batches.ts";
import { Badge } from "#ui/badge.tsx";
import { Progress } from "#ui/feedback/progress.tsx";
import { batchStates } from "./batch-words.ts";
import { CountList, type CountRow } from "./count-list.tsx";

interface BatchReportProps {
  batch: Batch;
  /** To how many people it was done, such as "Sent to 2 of 3 people". */
  summary: string;
  /** Instead of the usual words for the state. */
  stateWords?: string;
  /** Those who were left out, by reason. */
  leftOut: readonly CountRow[];
  /** Who started it, and when. */
  children: ReactNode;
}

/** How far a batch is: its state, progress and results. */
export function BatchReport({ batch, summary, stateWords, leftOut, children }: BatchReportProps) {
  const { state, people, waiting } = batch;
  const { tone, words } = batchStates[state];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1" aria-live="polite">
        <Badge tone={tone}>{stateWords ?? words}</Badge>
        <span className="tabular-nums">{summary}</span>
      </p>
      {(state === "running" || state === "paused") && (
        <Progress label="Progress" value={(100 * (people - waiting)) / Math.max(1, people)} className="mt-3 w-full" />
      )}
      <CountList rows={leftOut} />
      <p className="mt-3 text-fine text-ink-soft wrap-anywhere">{children}</p>
    </>
  );
}
