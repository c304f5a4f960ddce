import { useMutation } from "@tanstack/react-query";
import { ApiError, faultsIn, messageOf } from "#app/api/api.ts";
import { useSentDraft } from "#app/editing/sent-draft.ts";
import type { AnsweredQuestion } from "#contract/checks.ts";

export interface AnswerOptions {
  /** Key of the draft in this browser. */
  name: string;
  /** Version of the check. */
  version: string;
  question: AnsweredQuestion;
  /** Must be safe to repeat. */
  send: (answer: Typed) => Promise<AnsweredQuestion>;
  /** Asks for the right answer. */
  show: () => Promise<AnsweredQuestion>;
  onAnswered: (question: AnsweredQuestion) => void;
  /** The question has changed since it was read. */
  onChanged: (sentence: string) => void;
}

/** An option's id, several, or what is typed. */
export type Typed = string | string[];

/** A student's answer to a question, which is sent until the server has graded it. The server takes it once. */
export function useAnswer({ name, version, question, send, show, onAnswered, onChanged }: AnswerOptions) {
  const { result } = question;
  const given = result?.given ?? (question.kind === "several" ? [] : "");
  const { value, discard, ...draft } = useSentDraft<Typed, AnsweredQuestion>({
    name,
    saved: Array.isArray(given) ? given : String(given),
    version,
    send,
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
    mutationFn: show,
    onSuccess: (answered) => {
      discard();
      onAnswered(answered);
    },
    onError: (error) =>
      draft.refuse(messageOf(error, "The answer couldn’t be loaded. Check your connection and try again.")),
  });
  return { ...draft, answer: value, isShowing: showing.isPending, show: () => showing.mutate() };
}
