import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api, messageOf } from "#app/api/api.ts";
import type { Lesson } from "#contract/catalogue.ts";
import { type AnsweredQuestion, answerQuestion, type LessonCheck as Check, showAnswer } from "#contract/checks.ts";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { lessonQuery } from "../current-lesson.ts";
import { checkQuery, checksQuery } from "./check-queries.ts";
import { Question } from "./question.tsx";

export interface LessonCheckProps {
  lessonId: string;
  /** The lesson that follows. */
  next: Lesson | null;
  /** Plays the lesson from this second. */
  onWatch: (at: number) => void;
}

/** All questions of a lesson's check. */
export default function LessonCheck({ lessonId, next, onWatch }: LessonCheckProps) {
  const queryClient = useQueryClient();
  const { data, error, refetch, isFetching } = useQuery(checkQuery(lessonId));
  const [said, say] = useState("");
  if (!data && error) {
    const refusal = messageOf(error, "");
    return refusal ? (
      <p role="alert">{refusal}</p>
    ) : (
      <PartFailed what="the check" retry={refetch} isRetrying={isFetching} />
    );
  }
  if (!data) return <PartLoading what="the check" className="h-72" />;

  function put(answered: AnsweredQuestion): void {
    const put = (check: Check | undefined) => {
      if (!check) return check;
      const questions = check.questions.map((one) => (one.id === answered.id ? answered : one));
      return { ...check, questions, passed: check.passed || questions.every(isDone) };
    };
    say("");
    const check = queryClient.setQueryData(checkQuery(lessonId).queryKey, put);
    if (!check?.passed) return;
    queryClient.setQueryData(checksQuery.queryKey, (checks) =>
      checks?.map((one) => (one.lessonId === lessonId ? { ...one, isPassed: true } : one)),
    );
  }

  const paramsOf = ({ id }: AnsweredQuestion) => ({ lessonId, questionId: id });
  const done = data.questions.filter(isDone).length;
  const isPassed = data.passed && done === data.questions.length;
  return (
    <>
      <p className="max-w-[62ch] text-ink-soft">
        Answering from memory helps you remember. There’s no grade and no time limit, and you can try again.
      </p>
      <p role="status" className="font-bold text-sm empty:hidden">
        {said || (isPassed ? "You passed this check." : `${done} of ${data.questions.length} done`)}
      </p>
      <ol className="grid gap-4">
        {data.questions.map((question, at) => (
          <li key={question.id}>
            <Question
              name={`check-${lessonId}-${question.id}`}
              version={data.version}
              question={question}
              send={(answer) =>
                api(answerQuestion, { params: paramsOf(question), body: { version: data.version, answer } })
              }
              show={() => api(showAnswer, { params: paramsOf(question), body: {} })}
              number={data.questions.length > 1 ? at + 1 : null}
              onAnswered={put}
              onChanged={(sentence) => {
                say(sentence);
                void refetch();
              }}
              onWatch={onWatch}
            />
          </li>
        ))}
      </ol>
      {isPassed && next && (
        <p>
          Next:{" "}
          <Link to={lessonQuery(next.id)} preventScrollReset className="font-bold underline underline-offset-4">
            {next.title}
          </Link>
        </p>
      )}
    </>
  );
}

function isDone({ result }: AnsweredQuestion): boolean {
  return result !== null && (result.isRight || result.wasShown);
}
