import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApiError, isSomebodyElse } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { PaymentConfig } from "#contract/purchases/purchases.ts";
import { toast } from "#ui/toast/toast.ts";
import { type CardForm, cardDataOf } from "./card-form.ts";
import { CardRefused, type OpaqueCard, tokenizeCard } from "./card-script.ts";

/** Why the last attempt charged nothing. */
export interface PaymentFailure {
  /** `updated`: nothing failed, but the buyer must look at a new total. `signed-out`: the sign-in has ended. */
  kind: "failed" | "updated" | "signed-out";
  message: string;
}

export type PaymentStage<Done, Awaited> =
  | { at: "form"; failure: PaymentFailure | null }
  | { at: "processing" }
  /** Sent, with an unknown outcome. `isWatched`: the page polls for it. */
  | { at: "confirming"; awaited: Awaited; isWatched: boolean }
  | { at: "done"; done: Done };

/** What is known about a payment. */
export type PaymentNews<Done, Awaited> =
  | { is: "done"; done: Done }
  | { is: "failed"; message: string; error?: unknown }
  /** Refused, because there is a new total. */
  | { is: "updated"; message: string }
  | { is: "pending"; awaited: Awaited }
  /** The server has no trace of it yet. */
  | { is: "unseen" }
  /** The user can no longer ask about it. */
  | { is: "out-of-sight" };

interface PaymentOptions<Done, Awaited, Order> {
  /** The title of failures. */
  failureTitle: string;
  /** The payment in progress when the page opened. It is polled first. */
  underWay: Awaited | null;
  /** Sends the card once. Only "failed" allows another attempt, so it must be certain that nothing was charged. */
  send: (card: OpaqueCard, form: CardForm, order: Order) => Promise<PaymentNews<Done, Awaited>>;
  /** Asks for the outcome. Repeated when it fails. */
  ask: (awaited: Awaited) => Promise<PaymentNews<Done, Awaited>>;
  onDone: (done: Done) => void;
}

const pollMilliseconds = 3000;
/** After this many polls without a trace, the payment cannot have reached the academy. */
const pollsBeforeGivingUp = 10;

/**
 * A payment by card: `pay` gets a new token and sends it once with the order as it was shown, and an unknown outcome is
 * polled until it is known.
 */
export function usePayment<Done, Awaited, Order = void>(options: PaymentOptions<Done, Awaited, Order>) {
  const { failureTitle, underWay, send, ask, onDone } = options;
  const isBusy = useRef(false);
  const unseen = useRef(0);
  const id = useId();
  const [stage, setStage] = useState<PaymentStage<Done, Awaited>>(
    underWay === null ? { at: "form", failure: null } : { at: "confirming", awaited: underWay, isWatched: true },
  );

  function fail(message: string, error?: unknown): void {
    const isSignedOut = error instanceof ApiError && error.status === 401 && !isSomebodyElse(error);
    // A link in the toast would leave the page, and with it the card that was typed.
    if (isSignedOut) toast({ title: failureTitle, description: message, destructive: true });
    else toastFailure(failureTitle, error, message);
    explain({ kind: isSignedOut ? "signed-out" : "failed", message });
  }

  // Rendered before the form moves the focus to a field.
  function explain(failure: PaymentFailure): void {
    flushSync(() => setStage({ at: "form", failure }));
  }

  function show(news: PaymentNews<Done, Awaited>): void {
    if (news.is === "failed") fail(news.message, news.error);
    else if (news.is === "updated") explain({ kind: "updated", message: news.message });
    else if (news.is === "pending") setStage({ at: "confirming", awaited: news.awaited, isWatched: true });
    else if (news.is === "out-of-sight")
      setStage((now) => (now.at === "confirming" ? { ...now, isWatched: false } : now));
    else if (news.is === "done") {
      onDone(news.done);
      setStage({ at: "done", done: news.done });
    } else if (++unseen.current >= pollsBeforeGivingUp) fail("Your payment didn't reach us. Please try again.");
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

  /** @throws ApiError when the server refuses, after the toast, so that the form can show it at its fields */
  async function pay(config: PaymentConfig, form: CardForm, order: Order): Promise<void> {
    // A ref, because state changes only with the next render, and a double click comes sooner.
    if (isBusy.current) return;
    isBusy.current = true;
    unseen.current = 0;
    setStage({ at: "processing" });
    try {
      if (!navigator.onLine)
        throw new CardRefused("You're offline. You haven't been charged. Pay when you're back online.");
      const card = await tokenizeCard(config, cardDataOf(form));
      const news = await send(card, form, order);
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

/** Whether this failure proves that the card was not charged. */
export function isCertainlyUncharged(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.problem || error.problem.code === "payment-in-progress") return false;
  return error.problem.status < 500 || error.problem.code === "payment-unavailable";
}
