import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { createElement, Fragment } from "react";
import { Link } from "react-router";
import { messageOf } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { href } from "#contract/addresses.ts";
import type { MarkedText, Module, SearchHit } from "#contract/catalogue.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { type QuestionHit, searchQuestions } from "#contract/questions.ts";
import { planName } from "#ui/academy.ts";
import { Badge, OpensAt } from "#ui/badge.tsx";
import { Retry } from "#ui/feedback/retry.tsx";
import { formatCountOf } from "#ui/format/numbers.ts";
import { Spinner } from "#ui/spinner.tsx";
import { searchQuery } from "../course-queries.ts";
import { findLesson, lessonQuery } from "../current-lesson.ts";

interface SearchResultsProps {
  words: string;
  /** This page's modules, which show what is unlocked here. */
  modules: readonly Module[];
}

/** The search results, in a panel below the field. */
export default function SearchResults({ words, modules }: SearchResultsProps) {
  const {
    data: hits,
    error,
    isError,
    isFetching,
    refetch,
  } = useQuery({
    ...searchQuery(words),
    placeholderData: keepPreviousData,
  });
  const { user } = useCurrentUser();
  const { data: questions = [] } = useQuery({
    ...queryOf(searchQuestions, { query: { q: words } }),
    enabled: Boolean(user),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="absolute inset-x-0 top-full z-20 mt-2 max-h-[min(32rem,70dvh)] overflow-y-auto rounded-md border-2 border-edge bg-surface shadow-raised">
      <p role="status" className="printed px-4 pt-3 pb-2 text-ink-soft">
        {isError
          ? messageOf(error, "We couldn’t search the course.")
          : hits
            ? countOf(hits.length, questions.length, words)
            : "Searching"}
      </p>
      {isError ? (
        <div className="px-4 pb-4">
          <Retry size="small" retry={refetch} isRetrying={isFetching} />
        </div>
      ) : !hits ? (
        <p aria-hidden="true" className="px-4 pb-4 text-ink-soft">
          <Spinner />
        </p>
      ) : hits.length + questions.length === 0 ? (
        <p className="px-4 pb-4 text-sm">Try fewer words, or just the start of a word.</p>
      ) : (
        <ul>
          {hits.map((hit) => (
            <li key={hit.lessonId} className="border-line border-t">
              <Hit hit={hit} modules={modules} />
            </li>
          ))}
          {questions.map((question) => (
            <li key={question.id} className="border-line border-t">
              <QuestionLink question={question} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function countOf(lessons: number, questions: number, words: string): string {
  if (lessons + questions === 0) return `No lessons match “${words}”.`;
  const counts = [
    lessons > 0 && formatCountOf(lessons, "lesson"),
    questions > 0 && formatCountOf(questions, "answered question"),
  ];
  return counts.filter(Boolean).join(", ");
}

function QuestionLink({ question: { id, title, lessonTitle, answers } }: { question: QuestionHit }) {
  return (
    <Link
      to={href.question(id)}
      className="grid grid-cols-1 gap-1.5 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-3"
    >
      <span className="printed flex justify-between gap-x-4 text-ink-soft">
        <span className="min-w-0 truncate">Question about {lessonTitle}</span>
        <span className="shrink-0">{formatCountOf(answers, "answer")}</span>
      </span>
      <span className="font-bold leading-snug wrap-anywhere">{title}</span>
    </Link>
  );
}

function Hit({ hit, modules }: Pick<SearchResultsProps, "modules"> & { hit: SearchHit }) {
  const lesson = findLesson(modules, hit.lessonId)?.lesson;
  const isUnlocked = lesson?.isUnlocked ?? hit.isUnlocked;
  const isShown = isUnlocked || hit.at === null;
  return (
    <Link
      to={isUnlocked ? lessonQuery(hit.lessonId, hit.at) : href.pricing(hit.requiredTier)}
      reloadDocument={!isUnlocked}
      preventScrollReset
      className="grid grid-cols-1 gap-1.5 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-3"
    >
      <span className="printed flex justify-between gap-x-4 text-ink-soft">
        <span className="min-w-0 truncate">
          Module {hit.modulePosition}: {hit.moduleTitle}
        </span>
        {isUnlocked && hit.at !== null && <span className="shrink-0">at {formatSecond(hit.at)}</span>}
      </span>
      <span className="font-bold leading-snug">
        <Marked text={hit.title} />
      </span>
      {isShown && (
        <span className="line-clamp-2 text-ink-soft text-sm">
          <Marked text={hit.snippet} />
        </span>
      )}
      {!isUnlocked && (
        <span className="text-sm">
          Opens with <strong>{planName(hit.requiredTier)}</strong>
        </span>
      )}
      {hit.comingSoon && (
        <Badge tone="kraft" className="justify-self-start">
          <OpensAt at={lesson?.opensAt ?? null} />
        </Badge>
      )}
    </Link>
  );
}

function Marked({ text }: { text: MarkedText }) {
  const parts = text.map(({ text, isMatch }) =>
    isMatch ? createElement("mark", { className: "bg-tag text-tag-ink" }, text) : text,
  );
  return createElement(Fragment, null, ...parts);
}
