import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { Question } from "#app/learning/checks/question.tsx";
import type { CheckContent, CheckQuestion } from "#contract/admin/check-content.ts";
import { tryQuestion } from "#contract/admin/content.ts";
import type { AnsweredQuestion } from "#contract/checks.ts";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";

/** Lets the author answer the questions of a draft as a student would. */
export function TryCheck({ check: { questions } }: { check: CheckContent }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section aria-labelledby="try-check" className="grid gap-4 border-line border-t pt-5">
      <h3 id="try-check" className="font-bold">
        Try the check
      </h3>
      <p className="text-ink-soft text-sm">
        Answer the saved questions as a student would. We don’t keep your answers.
      </p>
      {isOpen ? (
        <ol className="grid gap-4">
          {questions.map((question, at) => (
            // A question that was changed is asked again.
            <li key={JSON.stringify(question)}>
              <TriedQuestion content={question} number={questions.length > 1 ? at + 1 : null} />
            </li>
          ))}
        </ol>
      ) : (
        <Button variant="outline" className="w-fit" onClick={() => setIsOpen(true)}>
          Try this check
        </Button>
      )}
    </section>
  );
}

function TriedQuestion({ content, number }: { content: CheckQuestion; number: number | null }) {
  const { data, refetch, isFetching } = useQuery(queryOf(tryQuestion, { body: { question: content } }));
  const [answered, setAnswered] = useState<AnsweredQuestion | null>(null);
  if (!data) {
    return isFetching ? (
      <PartLoading what="the question" className="h-48" />
    ) : (
      <PartFailed what="the question" retry={refetch} />
    );
  }
  return (
    <Question
      name={`try-${content.id}`}
      version=""
      question={answered ?? data}
      number={number}
      send={(answer) => api(tryQuestion, { body: { question: content, answer } })}
      show={() => api(tryQuestion, { body: { question: content, isShown: true } })}
      onAnswered={setAnswered}
      // Each call has the question itself.
      onChanged={() => {}}
      onWatch={null}
    />
  );
}
