import { cx } from "class-variance-authority";
import { queryOf } from "#app/api/query.ts";
import { confusingBelow } from "#contract/admin/check-content.ts";
import { type CheckFigures, getCheckFigures } from "#contract/admin/statistics.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { type Column, Table } from "#ui/table.tsx";
import { useLoaded } from "../loaded.tsx";

/** The questions of checks, the confusing ones first. Nothing before a lesson has a check. */
export function Checks() {
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
