import { cx } from "class-variance-authority";
import { queryOf } from "#app/api/query.ts";
import { confusingBelow } from "#contract/admin/check-content.ts";
import { type CheckFigures, getCheckFigures, getLearning, type Learning } from "#contract/admin/statistics.ts";
import { planName } from "#ui/academy.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatWatchTime } from "#ui/format/durations.ts";
import { formatCount, formatCountOf } from "#ui/format/numbers.ts";
import { type Column, Table } from "#ui/table.tsx";
import { AdminPage } from "./admin-page.tsx";
import { ExportButton } from "./export-button.tsx";
import { Figures } from "./figures.tsx";
import { useLoaded } from "./loaded.tsx";

type Module = Learning["modules"][number];
type Lesson = Module["lessons"][number];

export default function LearningPage() {
  return (
    <AdminPage
      title="Learning"
      description="Where students are in the course and where they stop, for administrators."
      lead="How far students get, lesson by lesson, and where they stop."
      actions={<ExportButton list="learning" />}
    >
      <Course />
      <Checks />
    </AdminPage>
  );
}

LearningPage.queries = () => [queryOf(getLearning), queryOf(getCheckFigures)];

function Course() {
  const { data, instead } = useLoaded(queryOf(getLearning), "figures");
  if (!data) return instead;
  const sum = (name: "watchSeconds" | "downloads") => data.modules.reduce((total, module) => total + module[name], 0);
  const hardest = hardestOf(data);
  return (
    <div className="grid gap-8">
      <Figures
        label="The course in numbers"
        figures={[
          { label: "Students", value: formatCount(data.students), note: "started a lesson" },
          { label: "Watch time", value: formatWatchTime(sum("watchSeconds")), note: "repeats not counted" },
          { label: "Downloads", value: formatCount(sum("downloads")), note: "of all resources" },
          {
            label: "Most stop at",
            value: hardest ? <span className="block text-heading">{hardest.title}</span> : "–",
            note: hardest && formatCountOf(hardest.stoppedHere, "student"),
          },
        ]}
      />
      {data.modules.map((module) => (
        <ModuleFigures key={module.moduleId} module={module} students={data.students} />
      ))}
      <p className="text-fine text-ink-soft">
        Counted {formatTimestamp(data.asOf)}. “Stopped” counts students who started this lesson last and who have not
        completed it.
      </p>
    </div>
  );
}

function hardestOf({ modules }: Learning): Lesson | null {
  const lessons = modules.flatMap((module) => module.lessons).sort((one, other) => other.stoppedHere - one.stoppedHere);
  return lessons[0] && lessons[0].stoppedHere > 0 ? lessons[0] : null;
}

function ModuleFigures({ module, students }: { module: Module; students: number }) {
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

/** The questions of checks, the confusing ones first. Nothing before a lesson has a check. */
function Checks() {
  const { data, instead } = useLoaded(queryOf(getCheckFigures), "answers to checks");
  if (!data) return instead;
  if (data.length === 0) return null;
  const rows = data.toSorted((one, other) => Number(other.isConfusing) - Number(one.isConfusing));
  return (
    <section aria-labelledby="checks" className="mt-8">
      <h2 id="checks" className="wide text-heading">
        Check questions
      </h2>
      <p className="text-ink-soft text-sm">
        First answers only. A question confuses when fewer than {confusingBelow * 100}% of students answer it right at
        the first try.
      </p>
      <Card padding="none" className="mt-3 px-3 pt-3 pb-1 sm:px-5">
        <Table
          caption="Questions of checks"
          columns={checkColumns}
          rows={rows}
          rowKey={({ lessonId, questionId }) => `${lessonId} ${questionId}`}
        />
      </Card>
    </section>
  );
}

const checkColumns: Column<CheckFigures[number]>[] = [
  {
    key: "question",
    label: "Question",
    wide: true,
    cell: ({ text, lessonTitle, isConfusing }) => (
      <>
        <span className="font-bold wrap-anywhere">{text}</span>
        {isConfusing && (
          <Badge tone="danger" className="ml-2">
            Confusing
          </Badge>
        )}
        <span className="block text-ink-soft">{lessonTitle}</span>
      </>
    ),
  },
  { key: "answered", label: "Answered", end: true, cell: ({ answered }) => formatCount(answered) },
  {
    key: "right",
    label: "Right on the first try",
    end: true,
    cell: ({ answered, rightAtFirst, isConfusing }) => (
      <span className={cx(isConfusing && "font-bold text-danger")}>
        {answered > 0 ? `${Math.round((rightAtFirst / answered) * 100)}%` : "–"}
      </span>
    ),
  },
  {
    key: "wrong",
    label: "Most common wrong answer",
    cell: ({ wrongAnswer }) =>
      wrongAnswer ? (
        <span className="wrap-anywhere">
          {wrongAnswer.text} <span className="text-ink-soft">({formatCount(wrongAnswer.students)})</span>
        </span>
      ) : (
        "–"
      ),
  },
];
