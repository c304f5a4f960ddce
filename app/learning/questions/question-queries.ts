import { infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { keyOf } from "#app/api/query.ts";
import {
  getQuestion,
  listLessonQuestions,
  listQuestions,
  type QuestionRow,
  type QuestionSort,
  type QuestionThread,
} from "#contract/questions.ts";

const pageSize = 20;
/** Others write meanwhile. */
const staleTime = 30_000;

interface QuestionPage {
  questions: readonly QuestionRow[];
  lockedTitles: readonly string[] | null;
}

/** The questions of a lesson; null: of all lessons. */
export function questionsQuery(lessonId: string | null, sort: QuestionSort) {
  return infiniteQueryOptions({
    queryKey: [...listKey(lessonId), lessonId, sort],
    staleTime,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<QuestionPage> => {
      const query = { sort, limit: pageSize, after: pageParam };
      if (lessonId !== null) return api(listLessonQuestions, { params: { lessonId }, query, signal });
      return { questions: await api(listQuestions, { query, signal }), lockedTitles: null };
    },
    getNextPageParam: ({ questions }) => (questions.length === pageSize ? questions.at(-1)?.id : undefined),
  });
}

function listKey(lessonId: string | null) {
  return keyOf(lessonId === null ? listQuestions.path : listLessonQuestions.path);
}

/** A question with its answers. */
export function threadQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...keyOf(getQuestion.path), id],
    staleTime,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api(getQuestion, { params: { id }, query: { limit: pageSize, after: pageParam }, signal }),
    getNextPageParam: ({ answerRows }) => (answerRows.length === pageSize ? answerRows.at(-1)?.id : undefined),
  });
}

/** Shows a thread as the server answered it after a change, and loads lists again. */
export function showThread(queryClient: QueryClient, thread: QuestionThread): void {
  const query = threadQuery(thread.question.id);
  const isWhole = thread.answerRows.length < pageSize;
  if (isWhole) queryClient.setQueryData(query.queryKey, { pages: [thread], pageParams: [undefined] });
  // To the end, where a new answer is.
  else void queryClient.prefetchInfiniteQuery({ ...query, staleTime: 0, pages: Number.POSITIVE_INFINITY });
  loadListsAgain(queryClient);
}

export function loadListsAgain(queryClient: QueryClient): void {
  for (const path of [listLessonQuestions.path, listQuestions.path]) {
    void queryClient.invalidateQueries({ queryKey: keyOf(path) });
  }
}
