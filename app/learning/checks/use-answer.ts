import { useMutation } from "@tanstack/react-query";
import { ApiError, api, faultsIn, messageOf } from "#app/api/api.ts";
import { useSentDraft } from "#app/editing/sent-draft.ts";
import { type AnsweredQuestion, answerQuestion, showAnswer } from "#contract/checks.ts";

interface AnswerOptions {
  lessonId: string;
  version: string;
  question: AnsweredQuestion;
  onAnswered: (question: AnsweredQuestion) => void;
  /** The question has changed since it was read. */
  onChanged: (sentence: string) => void;
}

/** An option's id, several, or what is typed. */
export type Typed = string | string[];

/** A student's answer to a question, which is sent until the server has graded it. The server takes it once. */
export function useAnswer({ lessonId, version, question, onAnswered, onChanged }: AnswerOptions) {
  const { id, result } = question;
  const params = { lessonId, questionId: id };
  const given = result?.given ?? (question.kind === "several" ? [] : "");
  const { value, discard, ...draft } = useSentDraft<Typed, AnsweredQuestion>({
    name: `check-${lessonId}-${id}`,
    saved: Array.isArray(given) ? given : String(given),
    version,
    send: (answer) => api(answerQuestion, { params, body: { version, answer } }),
    onSent: onAnswered,
    onRefused: (error) => {
      if (!(error instanceof ApiError && error.status === 409)) {
        return faultsIn(error).answer ?? `Your answer wasn’t saved. ${messageOf(error, "Please try again.")}`;
      }
      onChanged(messageOf(error, ""));
      return null;
    },
    waitsForLimit: true,
  });
  const showing = useMutation({
    mutationFn: () => api(showAnswer, { params, body: {} }),
    onSuccess: (answered) => {
      discard();
      onAnswered(answered);
    },
    onError: (error) =>
      draft.refuse(messageOf(error, "The answer couldn’t be loaded. Check your connection and try again.")),
  });
  return { ...draft, answer: value, isShowing: showing.isPending, show: () => showing.mutate() };
}
