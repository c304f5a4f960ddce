import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { href } from "#contract/addresses.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { askQuestion, findSimilarQuestions } from "#contract/questions.ts";
import { useDebounced } from "../search/debounced.ts";
import { PostForm } from "./post-form.tsx";
import { QuestionList } from "./question-list.tsx";
import { questionsQuery, showThread } from "./question-queries.ts";

export interface LessonQuestionsProps {
  lessonId: string;
  /** Returns the player's position in seconds. Null in a lesson without a video. */
  now: (() => number) | null;
  /** Plays the lesson from this second. */
  onWatch: (at: number) => void;
}

/** The questions of a lesson with a form to ask, or their titles for those who may not watch it. */
export default function LessonQuestions({ lessonId, now, onWatch }: LessonQuestionsProps) {
  const queryClient = useQueryClient();
  const first = useInfiniteQuery(questionsQuery(lessonId, "top")).data?.pages[0];
  const [opened, setOpened] = useState<string | null>(null);
  const locked = first?.lockedTitles;
  if (locked) {
    return locked.length === 0 ? (
      <p className="text-ink-soft">No questions yet.</p>
    ) : (
      <ul className="grid list-disc gap-2 pl-5">
        {locked.map((title, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles have no ids here, and may be equal
          <li key={at} className="wrap-anywhere">
            <bdi>{title}</bdi>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <>
      <p className="max-w-[62ch] text-ink-soft">
        Ask about anything in this lesson. The team and other students answer.{" "}
        <Link to={href.questions()} className="underline underline-offset-4">
          All questions
        </Link>
      </p>
      {first && (
        <Ask
          lessonId={lessonId}
          now={now}
          onWatch={onWatch}
          onOpen={setOpened}
          onAsked={(thread) => {
            showThread(queryClient, thread);
            setOpened(thread.question.id);
          }}
        />
      )}
      <QuestionList key={opened} lessonId={lessonId} opened={opened} onWatch={onWatch} />
    </>
  );
}

interface AskProps extends LessonQuestionsProps {
  onAsked: Parameters<typeof PostForm>[0]["onSaved"];
  onOpen: (questionId: string) => void;
}

function Ask({ lessonId, now, onWatch, onAsked, onOpen }: AskProps) {
  return (
    <PostForm
      label="Ask a question"
      name={`question-${lessonId}`}
      saved={{ title: "", text: "", at: null }}
      send={({ title, text, at }, id) =>
        api(askQuestion, { params: { lessonId }, body: { id, title: title ?? "", text, at } })
      }
      onSaved={onAsked}
      opener="Ask a question"
      submit="Ask"
      textLabel="Details (optional)"
      now={now}
      besideTitle={(title) => <Similar lessonId={lessonId} title={title} onOpen={onOpen} onWatch={onWatch} />}
    />
  );
}

interface SimilarProps extends Pick<AskProps, "lessonId" | "onOpen" | "onWatch"> {
  title: string;
}

/** Questions like the one that is being typed, and where the lesson speaks of it. */
function Similar({ lessonId, title, onOpen, onWatch }: SimilarProps) {
  const words = useDebounced(title.trim());
  const { data } = useQuery({
    ...queryOf(findSimilarQuestions, { params: { lessonId }, query: { title: words } }),
    enabled: words.length > 3,
    placeholderData: (before) => before,
  });
  if (!data || words.length <= 3 || data.questions.length + data.said.length === 0) return null;
  const style = "text-left font-semibold underline underline-offset-4 wrap-anywhere";
  return (
    <section aria-label="Similar" className="grid gap-2 rounded-sm border border-transparent bg-sunken p-4 text-sm">
      <h4 className="font-bold">Maybe already answered</h4>
      <ul className="grid gap-2">
        {data.questions.map(({ id, title, isAnswered }) => (
          <li key={id}>
            <button type="button" className={style} onClick={() => onOpen(id)}>
              <bdi>{title}</bdi>
            </button>
            {isAnswered && <span className="text-ink-soft"> · Answered</span>}
          </li>
        ))}
        {data.said.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <button type="button" className={style} onClick={() => onWatch(at)}>
              Watch at {formatSecond(at)}
            </button>
            <span className="text-ink-soft">
              {" "}
              · “<bdi>{text}</bdi>”
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
