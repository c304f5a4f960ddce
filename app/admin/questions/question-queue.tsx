import { useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import {
  type AdminQuestion,
  countAdminQuestions,
  listAdminQuestions,
  type QueueFilter,
} from "#contract/admin/questions.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { Badge } from "#ui/badge.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { useAddress } from "../address.ts";
import { ListFilters, ListRows, useAdminList } from "../list.tsx";
import { nameOf, QuestionThread } from "./question-thread.tsx";

/** For everybody who may answer: in the administration, and on the coaches' page. */
export function QuestionQueue() {
  const { data: modules = [] } = useQuery(catalogueQuery);
  const lessons = modules.flatMap((module) => module.lessons);
  const list = useAdminList<AdminQuestion, Partial<QueueFilter>>({
    endpoint: listAdminQuestions,
    count: countAdminQuestions,
    label: "Filter questions",
    what: "questions",
    staleTime: 0,
    fields: {
      show: {
        label: "Which questions",
        any: "All questions",
        options: {
          "to-review": "Unanswered or reported",
          unanswered: "Unanswered",
          reported: "Reported",
          hidden: "Hidden",
          answered: "Answered",
        },
      },
      lessonId: {
        label: "Lesson",
        any: "All lessons",
        options: Object.fromEntries(lessons.map(({ id, title }) => [id, title])),
      },
    },
  });
  return (
    <>
      <ListFilters list={list} />
      <ListRows list={list} empty="No questions of this kind">
        {(rows, isStale) => (
          <ul
            aria-label="Questions"
            aria-busy={isStale}
            className={cx("border-ink border-t-2", isStale && "opacity-60")}
          >
            {rows.map((question) => (
              <Entry key={question.id} question={question} />
            ))}
          </ul>
        )}
      </ListRows>
    </>
  );
}

function Entry({ question }: { question: AdminQuestion }) {
  const { id, title, lessonTitle, at, author, createdAt, answers } = question;
  const { read, write } = useAddress();
  const isOpened = read("question") === id;
  return (
    <li className="border-line border-b py-3">
      <button
        type="button"
        aria-expanded={isOpened}
        onClick={() => write({ question: isOpened ? null : id }, { replace: true })}
        className="grid w-full min-w-0 gap-1 px-2 py-1 text-left text-sm hover:bg-sunken/50 focus-visible:-outline-offset-2"
      >
        <span className="flex items-baseline justify-between gap-4">
          <strong className="min-w-0 text-base wrap-anywhere">{title}</strong>
          <span className="shrink-0 text-ink-soft">
            {question.isWaiting ? ageOf(createdAt) : formatCountOf(answers, "answer")}
          </span>
        </span>
        <span className="text-ink-soft wrap-anywhere">
          {lessonTitle}
          {at !== null && `, at ${formatSecond(at)}`} · {nameOf(author)}, {formatShortDay(createdAt)}
        </span>
        <Marks question={question} />
      </button>
      {isOpened && <QuestionThread questionId={id} />}
    </li>
  );
}

function Marks({ question }: { question: AdminQuestion }) {
  const { isWaiting, isClosed, hiddenBecause, duplicateOf, reports } = question;
  return (
    <span className="flex flex-wrap gap-2 empty:hidden">
      {isWaiting && <Badge tone="tag">Unanswered</Badge>}
      {reports > 0 && <Badge tone="danger">{formatCountOf(reports, "report")}</Badge>}
      {hiddenBecause !== null && <Badge tone="plain">Hidden</Badge>}
      {duplicateOf ? <Badge tone="plain">Duplicate</Badge> : isClosed && <Badge tone="plain">Closed</Badge>}
    </span>
  );
}

const hour = 3_600_000;

/** "Waiting for 3 days" */
function ageOf(iso: string): string {
  const hours = Math.floor((Date.now() - new Date(iso).getTime()) / hour);
  if (hours < 1) return "Asked just now";
  return `Waiting for ${hours < 48 ? formatCountOf(hours, "hour") : formatCountOf(Math.floor(hours / 24), "day")}`;
}
