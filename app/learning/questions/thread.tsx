import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "react-router";
import { api, messageOf } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { href } from "#contract/addresses.ts";
import {
  acceptAnswer,
  deleteAnswer,
  deleteQuestion,
  editAnswer,
  editQuestion,
  type Question,
  type QuestionAnswer,
  writeAnswer,
} from "#contract/questions.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { lessonQuery } from "../current-lesson.ts";
import { FormattedText } from "../formatted-text.tsx";
import { PostActions } from "./post-actions.tsx";
import { PostForm } from "./post-form.tsx";
import { Byline, Second, titleOf } from "./post-parts.tsx";
import { loadListsAgain, showThread, threadQuery } from "./question-queries.ts";
import { ShowMore } from "./show-more.tsx";

interface ThreadProps {
  id: string;
  onWatch: ((at: number) => void) | undefined;
  /** Whether the question's title is shown, which lists show themselves. */
  hasTitle?: boolean;
}

/** A question with its answers, and forms to answer and change them. */
export function Thread({ id, onWatch, hasTitle = false }: ThreadProps) {
  const queryClient = useQueryClient();
  const thread = useInfiniteQuery(threadQuery(id));
  const place = useRef<HTMLDivElement>(null);
  const question = thread.data?.pages[0]?.question;
  if (thread.isPending) return <PartLoading what="the answers" className="h-24" />;
  if (!question) {
    const refusal = messageOf(thread.error, "");
    return refusal ? (
      <p role="alert">{refusal}</p>
    ) : (
      <PartFailed what="the question" retry={thread.refetch} isRetrying={thread.isFetching} />
    );
  }
  const answers = thread.data?.pages.flatMap(({ answerRows }) => answerRows) ?? [];

  /** Loads what is left, and keeps the focus, whose button is gone. */
  function forget(answerId: string | null): void {
    if (answerId !== null || question?.answers) void thread.refetch();
    loadListsAgain(queryClient);
    place.current?.focus();
  }

  return (
    <div ref={place} tabIndex={-1} className="grid min-w-0 gap-5">
      {hasTitle && (
        <div className="grid gap-2">
          <h2 dir="auto" className="text-heading font-bold wrap-anywhere">
            {titleOf(question)}
          </h2>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-fine text-ink-soft">
            <Byline {...question} />
            <Link to={href.dashboard() + lessonQuery(question.lessonId)} className="underline underline-offset-4">
              <bdi>{question.lessonTitle}</bdi>
            </Link>
          </p>
        </div>
      )}
      <QuestionText question={question} onWatch={onWatch} onDeleted={() => forget(null)} />
      <ul aria-label="Answers" className="grid gap-4 empty:hidden">
        {answers.map((answer) => (
          <li key={answer.id}>
            <Answer answer={answer} question={question} onDeleted={() => forget(answer.id)} />
          </li>
        ))}
      </ul>
      <ShowMore list={thread} what="answers" />
      {question.isClosed ? (
        <p className="text-ink-soft text-sm">This question is closed. You can’t add answers.</p>
      ) : (
        <PostForm
          label="Write an answer"
          name={`answer-${id}`}
          saved={{ title: null, text: "", at: null }}
          send={({ text }, answerId) => api(writeAnswer, { params: { id }, body: { id: answerId, text } })}
          onSaved={(thread) => showThread(queryClient, thread)}
          opener="Write an answer"
          submit="Post answer"
          textLabel="Your answer"
        />
      )}
    </div>
  );
}

interface QuestionTextProps {
  question: Question;
  onWatch: ThreadProps["onWatch"];
  onDeleted: () => void;
}

function QuestionText({ question, onWatch, onDeleted }: QuestionTextProps) {
  const { id, title, text, html, at, version, duplicateOf, isDeleted } = question;
  const queryClient = useQueryClient();
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) {
    return (
      <PostForm
        label="Edit your question"
        name={`edit-${id}`}
        saved={{ title, text, at, version }}
        send={({ title, text, version }) =>
          api(editQuestion, { params: { id }, body: { title: title ?? "", text, version } })
        }
        onOutdated={() => void queryClient.invalidateQueries({ queryKey: threadQuery(id).queryKey })}
        onSaved={(thread) => showThread(queryClient, thread)}
        onCancel={() => setIsEditing(false)}
        submit="Save"
        textLabel="Details (optional)"
      />
    );
  }
  return (
    <div className="grid min-w-0 gap-3">
      {html && <FormattedText html={html} className="max-w-[68ch]" />}
      {duplicateOf && (
        <p className="text-sm">
          The team marked this as a duplicate of{" "}
          <Link to={href.question(duplicateOf.id)} className="font-semibold underline">
            <bdi>{duplicateOf.title}</bdi>
          </Link>
          .
        </p>
      )}
      <Hidden because={question.hiddenBecause} />
      <div className="flex flex-wrap items-center gap-2">
        <Second row={question} onWatch={onWatch} />
        {!isDeleted && (
          <PostActions
            kind="question"
            post={question}
            onEdit={() => setIsEditing(true)}
            remove={() => api(deleteQuestion, { params: { id } })}
            onDeleted={onDeleted}
          />
        )}
      </div>
    </div>
  );
}

interface AnswerProps {
  answer: QuestionAnswer;
  question: Question;
  onDeleted: () => void;
}

function Answer({ answer, question, onDeleted }: AnswerProps) {
  const { id, text, html, version, isAccepted, author } = answer;
  const queryClient = useQueryClient();
  const [isEditing, setIsEditing] = useState(false);
  const accept = useMutation({
    mutationFn: () => api(acceptAnswer, { params: { id: question.id }, body: { answerId: isAccepted ? null : id } }),
    onSuccess: (thread) => showThread(queryClient, thread),
    onError: (error) => toastFailure("Not saved", error, "We couldn’t save this. Please try again."),
  });
  const name = author.isYou ? "you" : (author.name ?? "a former student");
  return (
    <article
      aria-label={`Answer by ${name}`}
      className="grid min-w-0 gap-3 rounded-sm border-[1.5px] border-line-strong p-4"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-fine text-ink-soft">
        {isAccepted && <Badge tone="success">Accepted</Badge>}
        <Byline {...answer} />
      </div>
      {isEditing ? (
        <PostForm
          label="Edit your answer"
          name={`edit-${id}`}
          saved={{ title: null, text, at: null, version }}
          send={({ text, version }) => api(editAnswer, { params: { id }, body: { text, version } })}
          onOutdated={() => void queryClient.invalidateQueries({ queryKey: threadQuery(question.id).queryKey })}
          onSaved={(thread) => showThread(queryClient, thread)}
          onCancel={() => setIsEditing(false)}
          submit="Save"
          textLabel="Your answer"
        />
      ) : (
        <>
          <FormattedText html={html} className="max-w-[68ch]" />
          <Hidden because={answer.hiddenBecause} />
          <div className="flex flex-wrap items-center gap-2">
            {question.canAccept && answer.hiddenBecause === null && (
              <Button variant="outline" size="small" pending={accept.isPending} onClick={() => accept.mutate()}>
                {isAccepted ? "Undo accepting" : "Accept answer"}
              </Button>
            )}
            <PostActions
              kind="answer"
              post={answer}
              onEdit={() => setIsEditing(true)}
              remove={() => api(deleteAnswer, { params: { id } })}
              onDeleted={onDeleted}
            />
          </div>
        </>
      )}
    </article>
  );
}

function Hidden({ because }: { because: string | null }) {
  if (because === null) return null;
  return (
    <p className="rounded-sm bg-danger-soft p-3 text-sm">
      The team hid this, so only you see it.{" "}
      {because && (
        <>
          Reason: <bdi>{because}</bdi>
        </>
      )}
    </p>
  );
}
