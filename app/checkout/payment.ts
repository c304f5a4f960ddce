import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { pendingPurchase, purchasesQuery } from "#app/access/purchases-query.ts";
import { purchase as announcePurchase } from "#app/analytics/analytics.ts";
import { ApiError, api, messageOf } from "#app/api/api.ts";
import { type CardForm, cardDataOf, fullNameOf } from "#app/card/card-form.ts";
import { CardRefused, tokenizeCard } from "#app/card/card-script.ts";
import { currentUserQuery } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { courseAccessQuery } from "#app/learning/course-queries.ts";
import { forgetPlan } from "#app/plans/chosen-plan.ts";
import { plansQuery } from "#app/plans/plans.ts";
import { welcomeMessages } from "#content/welcome.ts";
import {
  acceptPayment,
  type PaymentConfig,
  type Purchase,
  type RenewalConsentVersion,
} from "#contract/purchases/purchases.ts";
import type { Tier } from "#contract/tiers.ts";
import { toast } from "#ui/feedback/toast.tsx";

/** What the address selects; the server holds it against the plan on sale. */
export interface Selection {
  tier: Tier;
  priceId: string | null;
  /** US dollars. */
  amount: number;
}

export interface Receipt {
  purchaseId: string;
  tier: Tier;
  planName: string;
  /** US dollars. */
  amount: number;
  transactionId: string | null;
  message: string;
}

export type PaymentStage =
  /** `failure`: why the last try failed, when there was one. */
  | { at: "form"; failure: string | null }
  | { at: "processing" }
  /** Sent, and not known yet how it ended. */
  | { at: "confirming"; awaited: AwaitedPurchase }
  | { at: "paid"; receipt: Receipt };

/** The purchase that is waited for: one by its id, or the first that was not `known` before. */
type AwaitedPurchase = { purchaseId: string } | { known: ReadonlySet<string> };

const pollMilliseconds = 3000;
/** Looks at the purchases without a trace of the payment, after which it cannot have reached the server. */
const pollsBeforeGivingUp = 10;
const failureTitle = "Payment Failed";
const fallback = "Payment processing failed";

/**
 * The payment of one checkout page: `pay` tokenizes the card anew, charges it once and ends in the form again, in
 * "confirming" or in "paid". A purchase that was pending when the page opened is confirmed first.
 */
export function usePayment(selection: Selection, purchases: readonly Purchase[]) {
  const queryClient = useQueryClient();
  const isBusy = useRef(false);
  const [stage, setStage] = useState<PaymentStage>(() => {
    const pending = pendingPurchase(purchases);
    return pending ? { at: "confirming", awaited: { purchaseId: pending.id } } : { at: "form", failure: null };
  });

  function finish(receipt: Receipt): void {
    forgetPlan();
    queryClient.invalidateQueries({ queryKey: courseAccessQuery.queryKey });
    queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    announcePurchase({
      tier: receipt.tier,
      priceId: selection.tier === receipt.tier ? selection.priceId : null,
      name: receipt.planName,
      value: receipt.amount,
      purchaseId: receipt.purchaseId,
    });
    toast({ title: "Payment Successful!", description: receipt.message });
    setStage({ at: "paid", receipt });
  }

  function fail(message: string, error?: unknown): void {
    toastFailure(failureTitle, error, message);
    setStage({ at: "form", failure: message });
  }

  /** Follows what the list says about a purchase; false while it says nothing final. */
  function follow(purchase: Purchase): boolean {
    if (purchase.status === "pending") return false;
    if (purchase.status === "completed") finish(receiptOf(purchase));
    else fail(purchase.statusMessage ?? fallback);
    return true;
  }

  const listNow = () => queryClient.fetchQuery({ ...purchasesQuery, staleTime: 0 });

  async function pay(
    config: PaymentConfig,
    form: CardForm,
    plan: { name: string; price: number },
    consent?: RenewalConsentVersion,
  ) {
    // State is seen one rendering later; a double press comes sooner.
    if (isBusy.current) return;
    isBusy.current = true;
    setStage({ at: "processing" });
    const known = new Set((queryClient.getQueryData(purchasesQuery.queryKey) ?? []).map(({ id }) => id));
    try {
      const card = await tokenizeCard(config, cardDataOf(form));
      const result = await api(acceptPayment, {
        body: {
          amount: selection.amount,
          tier: selection.tier,
          ...(selection.priceId === null ? {} : { priceId: selection.priceId }),
          opaqueDataDescriptor: card.dataDescriptor,
          opaqueDataValue: card.dataValue,
          customerEmail: form.email.trim(),
          customerName: fullNameOf(form),
          ...(consent === undefined ? {} : { renewalConsent: consent }),
        },
      });
      const { purchaseId, transactionId, tier, message } = result;
      if (result.status === "pending") setStage({ at: "confirming", awaited: { purchaseId } });
      else if (!result.success) fail(message || fallback);
      else finish({ purchaseId, tier, transactionId, message, planName: plan.name, amount: plan.price });
    } catch (error) {
      await recover(error, known);
    } finally {
      isBusy.current = false;
    }
  }

  /** After a failure: another try is offered only when it is certain that this one did not charge the card. */
  async function recover(error: unknown, known: ReadonlySet<string>): Promise<void> {
    if (error instanceof CardRefused) return fail(error.message);
    if (!(error instanceof ApiError)) return fail(fallback);
    if (error.status === 0) return setStage({ at: "confirming", awaited: { known } });
    if (isCertainlyUncharged(error)) {
      // What is on sale, or what the student has, has changed since the page was opened.
      queryClient.invalidateQueries({ queryKey: plansQuery.queryKey });
      queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      return fail(messageOf(error, fallback), error);
    }
    const found = await listNow().then(
      (now) => now.find(({ id }) => !known.has(id)) ?? pendingPurchase(now),
      () => undefined,
    );
    if (found === undefined) setStage({ at: "confirming", awaited: { known } });
    else if (found === null) fail(messageOf(error, fallback));
    else if (!follow(found)) setStage({ at: "confirming", awaited: { purchaseId: found.id } });
  }

  const awaited = stage.at === "confirming" ? stage.awaited : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the loop belongs to what is waited for; its functions are new at each rendering
  useEffect(() => {
    if (!awaited) return;
    let polls = 0;
    const poll = async () => {
      const now = await listNow().catch(() => null);
      if (!now || isOver) return;
      const found = now.find(({ id }) =>
        "purchaseId" in awaited ? id === awaited.purchaseId : !awaited.known.has(id),
      );
      if (found) follow(found);
      else if (++polls >= pollsBeforeGivingUp) fail("Your payment did not reach us. Please try again.");
    };
    let isOver = false;
    const timer = setInterval(poll, pollMilliseconds);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [awaited]);

  return { stage, pay };
}

/** Whether the answer rules out that the card was charged. */
export function isCertainlyUncharged({ problem }: ApiError): boolean {
  if (!problem || problem.code === "payment-in-progress") return false;
  return problem.status < 500 || problem.code === "payment-unavailable";
}

function receiptOf({ id, tier, planName, amount, transactionId }: Purchase): Receipt {
  return {
    purchaseId: id,
    tier,
    planName,
    amount: Number(amount),
    transactionId,
    message: welcomeMessages[tier],
  };
}
