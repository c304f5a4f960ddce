import { useInfiniteQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { QuestionRow, QuestionSort } from "#contract/questions.ts";
import { Badge } from "#ui/badge.tsx";
import { Field, Select } from "#ui/controls/field.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { Icon } from "#ui/icon.tsx";
import { Byline, titleOf } from "./post-parts.tsx";
import { questionsQuery } from "./question-queries.ts";
import { ShowMore } from "./show-more.tsx";
import { Thread } from "./thread.tsx";

const sortLabels: Readonly<Record<QuestionSort, string>> = {
  top: "Most helpful",
  new: "Newest",
  unanswered: "Unanswered first",
};

interface QuestionListProps {
  /** Null: of all lessons. */
  lessonId: string | null;
  /** The question that is open from the start, also one that is not on the first page. */
  opened?: string | null;
  /** Plays the lesson from this second. Without it, seconds are links to the lesson. */
  onWatch?: (at: number) => void;
}

/** Questions that open where they are listed. */
export function QuestionList({ lessonId, opened = null, onWatch }: QuestionListProps) {
  const [sort, setSort] = useState<QuestionSort>("top");
  const [open, setOpen] = useState(opened);
  const list = useInfiniteQuery(questionsQuery(lessonId, sort));
  const rows = list.data?.pages.flatMap(({ questions }) => questions) ?? [];
  if (list.isPending) return <PartLoading what="the questions" className="h-48" />;
  if (!list.data) return <PartFailed what="the questions" retry={list.refetch} isRetrying={list.isFetching} />;
  const isElsewhere = opened !== null && open === opened && !rows.some(({ id }) => id === opened);
  return (
    <div className="grid min-w-0 gap-4">
      {isElsewhere && (
        <div className="border-line border-y py-4">
          <Thread id={opened} onWatch={onWatch} hasTitle />
        </div>
      )}
      {rows.length === 0 ? (
        <p className="text-ink-soft">No questions yet.</p>
      ) : (
        <>
          {rows.length > 1 && (
            <Field label="Sort by" className="max-w-56">
              <Select value={sort} onChange={({ target }) => setSort(target.value as QuestionSort)}>
                {Object.entries(sortLabels).map(([one, label]) => (
                  <option key={one} value={one}>
                    {label}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <ul aria-label="Questions" className="min-w-0 border-line border-t">
            {rows.map((row) => (
              <li key={row.id} className="border-line border-b py-4">
                <Row
                  row={row}
                  hasLesson={lessonId === null}
                  isOpen={row.id === open}
                  isNamed={row.id === opened}
                  onToggle={() => setOpen(row.id === open ? null : row.id)}
                  onWatch={onWatch}
                />
              </li>
            ))}
          </ul>
          <ShowMore list={list} what="questions" />
        </>
      )}
    </div>
  );
}

interface RowProps {
  row: QuestionRow;
  hasLesson: boolean;
  isOpen: boolean;
  /** Whether the page was opened for it. */
  isNamed: boolean;
  onToggle: () => void;
  onWatch: QuestionListProps["onWatch"];
}

function Row({ row, hasLesson, isOpen, isNamed, onToggle, onWatch }: RowProps) {
  const threadId = useId();
  // A lesson's list stands below two headings, the page of all below one.
  const Heading = hasLesson ? "h2" : "h4";
  return (
    <div className="grid min-w-0 gap-3">
      <div className="grid gap-1.5">
        <Heading>
          <button
            type="button"
            ref={isNamed ? bringIntoView : null}
            aria-expanded={isOpen}
            aria-controls={isOpen ? threadId : undefined}
            onClick={onToggle}
            className="flex min-h-11 w-full items-start justify-between gap-3 py-1.5 text-left font-bold leading-snug underline-offset-4 hover:underline"
          >
            <span dir="auto" className="min-w-0 wrap-anywhere">
              {titleOf(row)}
            </span>
            <Icon name={isOpen ? "up" : "down"} className="mt-1.5 w-3 shrink-0" />
          </button>
        </Heading>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-fine text-ink-soft">
          <Byline author={row.author} createdAt={row.createdAt} isEdited={row.isEdited} />
          {hasLesson && <bdi>{row.lessonTitle}</bdi>}
          {row.answers > 0 && <span>{row.answers === 1 ? "1 answer" : `${row.answers} answers`}</span>}
          {row.helpful > 0 && <span>{row.helpful} found this helpful</span>}
          <State row={row} />
        </div>
      </div>
      {isOpen && (
        <div id={threadId}>
          <Thread id={row.id} onWatch={onWatch} />
        </div>
      )}
    </div>
  );
}

function State({ row }: { row: QuestionRow }) {
  if (row.hiddenBecause !== null) return <Badge tone="danger">Hidden</Badge>;
  if (row.duplicateOf) return <Badge>Duplicate</Badge>;
  if (row.isClosed) return <Badge>Closed</Badge>;
  return row.isAnswered ? <Badge tone="success">Answered</Badge> : <Badge tone="kraft">No answer yet</Badge>;
}

function bringIntoView(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: "center" });
}
