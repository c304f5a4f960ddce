import { useQueryClient } from "@tanstack/react-query";
import { courseAccessQuery } from "#app/access/course-access-query.ts";
import { pendingPurchase, purchasesQuery } from "#app/access/purchases-query.ts";
import { purchase as announcePurchase } from "#app/analytics/analytics.ts";
import { ApiError, api, isRefusal, messageOf } from "#app/api/api.ts";
import { fullNameOf } from "#app/card/card-form.ts";
import { isCertainlyUncharged, type PaymentNews, usePayment } from "#app/card/use-payment.ts";
import { currentUserQuery } from "#app/identity/current-user.ts";
import { forgetPlan } from "#app/plans/chosen-plan.ts";
import { plansQuery } from "#app/plans/plans.ts";
import { quoteKey } from "#app/plans/quote.tsx";
import { acceptPayment, type Purchase, type RenewalConsentVersion } from "#contract/purchases/purchases.ts";
import type { Quote } from "#contract/purchases/quotes.ts";
import type { Tier } from "#contract/tiers.ts";
import { toast } from "#ui/toast/toast.ts";

/** The selection in the URL. The server compares it with the plan on sale. */
export interface Selection {
  tier: Tier;
  priceId: string | null;
}

export interface Receipt {
  purchaseId: string;
  tier: Tier;
  planName: string;
  /** US dollars. */
  amount: number;
  /** US dollars every 30 days, once the discounted renewals are paid. Null without a renewal. */
  renewal: number | null;
  /** Renewals that cost as much as the first payment. */
  discountedRenewals: number;
  transactionId: string | null;
  message: string;
}

/** The awaited purchase: its id, or the first purchase that is not among `known`. */
type AwaitedPurchase = { purchaseId: string } | { known: ReadonlySet<string> };
type News = PaymentNews<Receipt, AwaitedPurchase>;

const fallback = "Payment processing failed";

/** Refusals of a payment whose total is another one now. */
const newTotal = ["quote-expired", "quote-changed", "amount-mismatch"] as const;

interface Purchasing {
  selection: Selection;
  /** The version of the ticked renewal text, for a plan that renews. */
  consent: RenewalConsentVersion | undefined;
  purchases: readonly Purchase[];
}

/** The payment of a checkout page. A purchase that was pending when the page opened is polled first. */
export function useCheckoutPayment({ selection, consent, purchases }: Purchasing) {
  const queryClient = useQueryClient();
  const pending = pendingPurchase(purchases);
  const listNow = () => queryClient.fetchQuery({ ...purchasesQuery, staleTime: 0 });

  return usePayment<Receipt, AwaitedPurchase, Quote>({
    failureTitle: "Payment Failed",
    underWay: pending && { purchaseId: pending.id },

    async send(card, form, quote): Promise<News> {
      const known = new Set((queryClient.getQueryData(purchasesQuery.queryKey) ?? []).map(({ id }) => id));
      try {
        const { status, success, purchaseId, transactionId, tier, message } = await api(acceptPayment, {
          body: {
            amount: quote.total,
            quoteId: quote.quoteId,
            tier: selection.tier,
            ...(selection.priceId === null ? {} : { priceId: selection.priceId }),
            opaqueDataDescriptor: card.dataDescriptor,
            opaqueDataValue: card.dataValue,
            customerEmail: form.email,
            customerName: fullNameOf(form),
            ...(consent === undefined ? {} : { renewalConsent: consent }),
          },
        });
        if (status === "pending") return { is: "pending", awaited: { purchaseId } };
        if (!success) return { is: "failed", message: message || fallback };
        return {
          is: "done",
          done: { ...quote, purchaseId, tier, transactionId, message, amount: quote.total },
        };
      } catch (error) {
        return afterFailure(error, known);
      }
    },

    async ask(awaited): Promise<News> {
      const now = await listNow();
      const found = now.find(({ id }) =>
        "purchaseId" in awaited ? id === awaited.purchaseId : !awaited.known.has(id),
      );
      return found ? newsOf(found) : { is: "unseen" };
    },

    onDone(receipt) {
      forgetPlan();
      queryClient.invalidateQueries({ queryKey: courseAccessQuery.queryKey });
      queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      queryClient.removeQueries({ queryKey: quoteKey });
      announcePurchase({
        tier: receipt.tier,
        priceId: selection.tier === receipt.tier ? selection.priceId : null,
        name: receipt.planName,
        value: receipt.amount,
        purchaseId: receipt.purchaseId,
      });
      toast({ title: "Payment Successful!", description: receipt.message });
    },
  });

  async function afterFailure(error: unknown, known: ReadonlySet<string>): Promise<News> {
    const message = messageOf(error, fallback);
    const failed: News = { is: "failed", message, error };
    // Asking for the user again would replace the form by a request to sign in, and lose what was typed.
    if (error instanceof ApiError && error.status === 401) return failed;
    if (isCertainlyUncharged(error)) {
      // The plans on sale or the student's access have changed since the page was opened.
      queryClient.invalidateQueries({ queryKey: plansQuery.queryKey });
      queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
      const updating = queryClient.invalidateQueries({ queryKey: quoteKey });
      if (!newTotal.some((code) => isRefusal(error, code))) return failed;
      await updating;
      return { is: "updated", message };
    }
    const unknown: News = { is: "pending", awaited: { known } };
    if (error instanceof ApiError && error.status === 0) return unknown;
    const now = await listNow().catch(() => null);
    if (!now) return unknown;
    const found = now.find(({ id }) => !known.has(id)) ?? pendingPurchase(now);
    return found ? newsOf(found) : failed;
  }
}

/** The state of a purchase in the list. */
function newsOf(purchase: Purchase): News {
  if (purchase.status === "pending") return { is: "pending", awaited: { purchaseId: purchase.id } };
  if (purchase.status === "completed") return { is: "done", done: receiptOf(purchase) };
  return { is: "failed", message: purchase.statusMessage ?? fallback };
}

function receiptOf(purchase: Purchase): Receipt {
  const amount = Number(purchase.amount);
  return {
    ...purchase,
    purchaseId: purchase.id,
    amount,
    renewal: purchase.isRecurring ? amount + Number(purchase.discount) : null,
    message: `Welcome to ${purchase.planName}. Your course is open.`,
  };
}
