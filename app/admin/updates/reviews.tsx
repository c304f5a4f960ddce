import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { type LessonReview, listLessonReviews, verifyLesson } from "#contract/admin/lesson-reviews.ts";
import { Button } from "#ui/controls/button.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import type { Column } from "#ui/table.tsx";
import { useAct } from "../act.ts";
import { ListFilters, ListTable, useAdminList } from "../list.tsx";
import { Panel } from "../panel.tsx";
import { RowTitle } from "../row-title.tsx";

/** Lessons to check again, the longest unchecked first. */
export function Reviews() {
  const [checked, setChecked] = useState<LessonReview | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const list = useAdminList<LessonReview, { show?: "all" }>({
    endpoint: listLessonReviews,
    label: "Lessons to review",
    what: "lessons",
    fields: { show: { label: "Show", any: "Due for review", options: { all: "All lessons" } } },
    columns: columnsFor(setChecked),
  });
  return (
    <Panel title="Due for review">
      <div ref={frame} tabIndex={-1} className="grid grid-cols-1 gap-4 outline-none">
        <ListFilters list={list}>
          <Link
            to="/admin/settings#reviews"
            className="ml-auto min-h-9 content-center text-sm underline underline-offset-4"
          >
            Change how often
          </Link>
        </ListFilters>
        {checked && (
          <Undo
            key={`${checked.id} ${checked.verifiedAt}`}
            lesson={checked}
            onDone={() => {
              // The pressed button disappears.
              frame.current?.focus();
              setChecked(null);
            }}
          />
        )}
        <ListTable
          isBrief
          list={list}
          empty={list.values.show ? "No lessons yet" : "No lessons are due. We’ll show them here and on the home page."}
        />
      </div>
    </Panel>
  );
}

function columnsFor(onChecked: (lesson: LessonReview) => void): readonly Column<LessonReview>[] {
  return [
    {
      key: "title",
      label: "Lesson",
      wide: true,
      cell: ({ id, title, moduleTitle }) => (
        <RowTitle to={`/admin/content?edit=lesson.${id}`} title={title}>
          {moduleTitle}
        </RowTitle>
      ),
    },
    {
      key: "verifiedAt",
      label: "Last checked",
      cell: ({ verifiedAt, verifiedBy, publishedAt }) =>
        verifiedAt ? (
          <>
            {formatShortDay(verifiedAt)}
            {verifiedBy && <span className="block text-fine text-ink-soft">{verifiedBy}</span>}
          </>
        ) : (
          <>
            Never
            <span className="block text-fine text-ink-soft">Published {formatShortDay(publishedAt)}</span>
          </>
        ),
    },
    { key: "dueAt", label: "Due", isDetail: true, cell: ({ dueAt }) => formatShortDay(dueAt) },
    { key: "actions", label: "", cell: (lesson) => <Check lesson={lesson} onChecked={onChecked} /> },
  ];
}

function Check({ lesson, onChecked }: { lesson: LessonReview; onChecked: (lesson: LessonReview) => void }) {
  const check = useAct(
    () => api(verifyLesson, { params: { lessonId: lesson.id }, body: {} }),
    { done: `${lesson.title} checked today`, failed: "Failed to save the check" },
    () => onChecked(lesson),
  );
  return (
    <Button
      variant="outline"
      size="small"
      aria-label={`Checked today, ${lesson.title}`}
      pending={check.isPending}
      onClick={() => check.mutate()}
    >
      Checked today
    </Button>
  );
}

/** The last check on this page, until it is undone or dismissed. */
function Undo({ lesson: { id, title, verifiedAt }, onDone }: { lesson: LessonReview; onDone: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const undo = useAct(
    () => api(verifyLesson, { params: { lessonId: id }, body: { verifiedAt } }),
    { done: "Check undone", failed: "Failed to undo it" },
    onDone,
  );
  // Takes the focus, because the pressed button may have disappeared with its row.
  useEffect(() => button.current?.focus(), []);
  return (
    <section
      aria-label="Last check"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-sunken px-4 py-2.5"
    >
      <p className="mr-auto text-sm wrap-anywhere">You checked “{title}” today.</p>
      <div className="flex flex-wrap gap-2">
        <Button ref={button} variant="outline" size="small" pending={undo.isPending} onClick={() => undo.mutate()}>
          Undo
        </Button>
        <Button variant="quiet" size="small" onClick={onDone}>
          Dismiss
        </Button>
      </div>
    </section>
  );
}
