import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { ApiError, api, faultsIn, messageOf } from "#app/api/api.ts";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
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

interface Draft {
  answer: Typed;
  /** Whether the student has sent it, so that it is sent again until the server confirms it. */
  isSent: boolean;
}

const maxWaitMilliseconds = 30_000;

/**
 * A student's answer to a question. It is kept in this browser until the server has graded it: without a connection it
 * stays on the screen, and is sent again by itself, also after a reload. The server takes it once.
 */
export function useAnswer({ lessonId, version, question, onAnswered, onChanged }: AnswerOptions) {
  const { id, result } = question;
  const params = { lessonId, questionId: id };
  const given = result?.given ?? (question.kind === "several" ? [] : "");
  const saved: Draft = { answer: Array.isArray(given) ? given : String(given), isSent: false };
  const draft = useKeptDraft<Draft>(`check-${lessonId}-${id}`, saved);
  const [fault, setFault] = useState<string | null>(null);

  const sending = useMutation({
    // Waits while the browser is offline.
    networkMode: "online",
    retry: (_, error) => mayRetry(error),
    retryDelay: (failures) => Math.min(maxWaitMilliseconds, 1000 * 2 ** failures),
    mutationFn: (answer: Typed) => api(answerQuestion, { params, body: { version, answer } }),
    onSuccess: (answered) => {
      draft.discard();
      onAnswered(answered);
    },
    onError: (error, answer) => {
      draft.change({ answer, isSent: false });
      if (error instanceof ApiError && error.status === 409) onChanged(messageOf(error, ""));
      else setFault(faultsIn(error).answer ?? messageOf(error, "Your answer wasn’t saved. Please try again."));
    },
  });
  const showing = useMutation({
    mutationFn: () => api(showAnswer, { params, body: {} }),
    onSuccess: (answered) => {
      draft.discard();
      onAnswered(answered);
    },
    onError: (error) =>
      setFault(messageOf(error, "The answer couldn’t be loaded. Check your connection and try again.")),
  });

  const send = (answer: Typed) => {
    setFault(null);
    draft.change({ answer, isSent: true });
    sending.mutate(answer);
  };
  const sendAgain = useEffectEvent(() => draft.value.isSent && sending.mutate(draft.value.answer));
  useEffect(() => void sendAgain(), []);

  return {
    answer: draft.value.answer,
    /** Whether it differs from the one that the result is about. */
    isChanged: draft.isChanged,
    fault,
    isSending: sending.isPending,
    /** Whether it could not be sent yet. */
    isWaiting: sending.isPaused || (sending.isPending && sending.failureCount > 0),
    isShowing: showing.isPending,
    change: (answer: Typed) => {
      setFault(null);
      draft.change({ answer, isSent: false });
    },
    refuse: setFault,
    send,
    show: () => showing.mutate(),
  };
}

function mayRetry(error: unknown): boolean {
  return !(error instanceof ApiError) || [0, 408, 429].includes(error.status) || error.status >= 500;
}
