import { cx } from "class-variance-authority";
import type { Learning } from "#contract/admin/statistics.ts";
import { planName } from "#ui/academy.ts";
import { Card } from "#ui/card.tsx";
import { formatWatchTime } from "#ui/format/durations.ts";
import { formatCount, formatCountOf } from "#ui/format/numbers.ts";
import { type Column, Table } from "#ui/table.tsx";

type Module = Learning["modules"][number];
type Lesson = Module["lessons"][number];

export function ModuleFigures({ module, students }: { module: Module; students: number }) {
  const id = `module-${module.moduleId}`;
  return (
    <section aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="wide text-heading">
          {module.position}. {module.title}
        </h2>
        <p className="text-ink-soft text-sm">
          {planName(module.requiredTier)} · {formatCount(module.started)} began it, {formatCount(module.completed)}{" "}
          completed it · {formatWatchTime(module.watchSeconds)} watched · {formatCountOf(module.downloads, "download")}
        </p>
      </div>
      <Card padding="none" className="mt-3 px-3 pt-3 pb-1 sm:px-5">
        {module.lessons.length === 0 ? (
          <p className="py-6 text-ink-soft text-sm">No lessons yet.</p>
        ) : (
          <Table
            caption={`Lessons of ${module.title}`}
            columns={columnsFor(students)}
            rows={module.lessons}
            rowKey={({ lessonId }) => lessonId}
          />
        )}
      </Card>
    </section>
  );
}

/** The same width in every row and in every module's table, so that bars can be compared. */
const figure = "inline-block @4xl:w-24";

function columnsFor(students: number): Column<Lesson>[] {
  return [
    {
      key: "lesson",
      label: "Lesson",
      wide: true,
      cell: ({ title, comingSoon }) => (
        <>
          <span className="font-bold">{title}</span>
          {comingSoon && <span className="ml-2 text-ink-soft">Coming soon</span>}
        </>
      ),
    },
    {
      key: "funnel",
      label: "Started and completed",
      cell: ({ started, completed }) => <Funnel started={started} completed={completed} students={students} />,
    },
    { key: "stopped", label: "Stopped", end: true, cell: (lesson) => <Stopped lesson={lesson} /> },
    {
      key: "watched",
      label: "Watched",
      end: true,
      cell: ({ watchSeconds }) => <span className={figure}>{formatWatchTime(watchSeconds)}</span>,
    },
    {
      key: "downloads",
      label: "Downloads",
      end: true,
      cell: ({ downloads }) => <span className={figure}>{formatCount(downloads)}</span>,
    },
    {
      key: "questions",
      label: "Questions",
      end: true,
      cell: ({ questions }) => <span className={figure}>{formatCount(questions)}</span>,
    },
  ];
}

/** Bars for the shares of all students who began and completed the lesson. The numbers stand beside them. */
function Funnel({ started, completed, students }: { started: number; completed: number; students: number }) {
  const part = (count: number) => `${students > 0 ? (count / students) * 100 : 0}%`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 @4xl:w-64">
      <div aria-hidden="true" className="relative h-3.5 rounded-sm border border-line-strong bg-surface">
        <div className="absolute inset-y-0 left-0 bg-kraft" style={{ width: part(started) }} />
        {completed > 0 && (
          <div className="absolute inset-y-0 left-0 border-ink border-r bg-tag" style={{ width: part(completed) }} />
        )}
      </div>
      <span className="w-24 text-right tabular-nums">
        {formatCount(started)} <span className="text-ink-soft">→</span> {formatCount(completed)}
      </span>
    </div>
  );
}

function Stopped({ lesson: { stoppedHere, started } }: { lesson: Lesson }) {
  const share = started > 0 ? stoppedHere / started : 0;
  return (
    <span className={cx(figure, share >= 0.25 && "font-bold text-danger")}>
      {formatCount(stoppedHere)}
      {started > 0 && <span className="text-ink-soft"> ({Math.round(share * 100)}%)</span>}
    </span>
  );
}
