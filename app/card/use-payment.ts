import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { ApiError } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { PaymentConfig } from "#contract/purchases/purchases.ts";
import { type CardForm, cardDataOf } from "./card-form.ts";
import { CardRefused, type OpaqueCard, tokenizeCard } from "./card-script.ts";

export type PaymentStage<Done, Awaited> =
  /** `failure`: why the last try failed, when there was one. */
  | { at: "form"; failure: string | null }
  | { at: "processing" }
  /** Sent, and not known yet how it ended. `isWatched`: this page sees it when it is known. */
  | { at: "confirming"; awaited: Awaited; isWatched: boolean }
  | { at: "done"; done: Done };

/** What is known of a payment. */
export type PaymentNews<Done, Awaited> =
  | { is: "done"; done: Done }
  | { is: "failed"; message: string; error?: unknown }
  | { is: "pending"; awaited: Awaited }
  /** Nothing has been seen of it yet. */
  | { is: "unseen" }
  /** It cannot be asked about any more. */
  | { is: "out-of-sight" };

interface PaymentOptions<Done, Awaited> {
  /** What is called a failure. */
  failureTitle: string;
  /** The payment that was under way when the page opened, which is asked about first. */
  underWay: Awaited | null;
  /** Sends the card once. Another try is offered after "failed" alone: it must be certain that nothing was charged. */
  send: (card: OpaqueCard, form: CardForm) => Promise<PaymentNews<Done, Awaited>>;
  /** Asks how it ended; when that fails it is asked again. */
  ask: (awaited: Awaited) => Promise<PaymentNews<Done, Awaited>>;
  onDone: (done: Done) => void;
}

const pollMilliseconds = 3000;
/** After so many polls that saw nothing of it, a payment cannot have reached the academy. */
const pollsBeforeGivingUp = 10;

/** One payment by card: `pay` tokenizes the card anew and sends it once; what is not known then is asked about until it is. */
export function usePayment<Done, Awaited>(options: PaymentOptions<Done, Awaited>) {
  const { failureTitle, underWay, send, ask, onDone } = options;
  const isBusy = useRef(false);
  const unseen = useRef(0);
  const id = useId();
  const [stage, setStage] = useState<PaymentStage<Done, Awaited>>(
    underWay === null ? { at: "form", failure: null } : { at: "confirming", awaited: underWay, isWatched: true },
  );

  function fail(message: string, error?: unknown): void {
    toastFailure(failureTitle, error, message);
    setStage({ at: "form", failure: message });
  }

  function show(news: PaymentNews<Done, Awaited>): void {
    if (news.is === "failed") fail(news.message, news.error);
    else if (news.is === "pending") setStage({ at: "confirming", awaited: news.awaited, isWatched: true });
    else if (news.is === "out-of-sight")
      setStage((now) => (now.at === "confirming" ? { ...now, isWatched: false } : now));
    else if (news.is === "done") {
      onDone(news.done);
      setStage({ at: "done", done: news.done });
    } else if (++unseen.current >= pollsBeforeGivingUp) fail("Your payment did not reach us. Please try again.");
  }

  useQuery({
    queryKey: ["payment", id],
    queryFn: async () => {
      if (stage.at === "confirming") show(await ask(stage.awaited));
      return null;
    },
    enabled: stage.at === "confirming" && stage.isWatched,
    refetchInterval: pollMilliseconds,
    refetchIntervalInBackground: true,
    staleTime: 0,
    gcTime: 0,
  });

  /** @throws ApiError what the server refused, after it was told: for the form, which shows it at its fields */
  async function pay(config: PaymentConfig, form: CardForm): Promise<void> {
    // State is seen one rendering later; a double press comes sooner.
    if (isBusy.current) return;
    isBusy.current = true;
    unseen.current = 0;
    setStage({ at: "processing" });
    try {
      if (!navigator.onLine) throw new CardRefused("You are offline. Nothing was charged. Pay when you are back.");
      const card = await tokenizeCard(config, cardDataOf(form));
      const news = await send(card, form);
      show(news);
      if (news.is === "failed" && news.error) throw news.error;
    } catch (error) {
      if (!(error instanceof CardRefused)) throw error;
      fail(error.message);
    } finally {
      isBusy.current = false;
    }
  }

  return { stage, pay };
}

/** Whether a failure rules out that the card was charged. */
export function isCertainlyUncharged(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.problem || error.problem.code === "payment-in-progress") return false;
  return error.problem.status < 500 || error.problem.code === "payment-unavailable";
}
