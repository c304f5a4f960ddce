import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { courseAccessQuery } from "#app/access/course-access-query.ts";
import { isBlocked } from "#app/access/is-blocked.ts";
import { purchasesQuery } from "#app/access/purchases-query.ts";
import { addToCart, initiateCheckout, viewContent } from "#app/analytics/analytics.ts";
import { isRefusal, messageOf } from "#app/api/api.ts";
import { cardPromise } from "#app/card/card-fields.tsx";
import { CheckoutColumns, CheckoutFrame, CheckoutLoading } from "#app/card/checkout-frame.tsx";
import { Confirming } from "#app/card/confirming.tsx";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { SignedOut } from "#app/identity/signed-out.tsx";
import { type ChosenPlan, planInQuery } from "#app/plans/chosen-plan.ts";
import { isOwned, ownedSentence } from "#app/plans/owned.ts";
import { isOutdated, type PlanOnSale, plansQuery, useBuiltInPlans } from "#app/plans/plans.ts";
import { listPriceOf, quoteQuery } from "#app/plans/quote.tsx";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { type Purchase, renewalConsent } from "#contract/purchases/purchases.ts";
import { late } from "#ui/feedback/late.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { CouponField } from "./coupon-field.tsx";
import { InvalidSession } from "./invalid-session.tsx";
import { AlreadyOwned, OutdatedPrice } from "./not-payable.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { type Selection, useCheckoutPayment } from "./payment.ts";
import { PaymentForm } from "./payment-form.tsx";
import { Paid } from "./payment-outcome.tsx";

const [AccountBlocked] = late("your account", () => import("#app/access/account-blocked.tsx"));
const title = "Checkout";

/** Shows the card form once the user and the plan are known. */
export default function Checkout() {
  const { pathname, search } = useLocation();
  const { user, isPending } = useCurrentUser();
  const chosen = planInQuery(new URLSearchParams(search));
  return (
    <CheckoutFrame
      title={title}
      description="Pay for your plan by card. Your card number goes straight to the payment provider. We never keep it."
    >
      {isPending ? (
        <Loading />
      ) : user === undefined ? (
        <LoadFailed title="We couldn't verify your account">
          The academy didn't answer. You haven't been charged.
        </LoadFailed>
      ) : user === null ? (
        <SignedOut title="Authentication required" returnTo={pathname + search} action={null}>
          Please sign in to continue. Your purchase belongs to your account, and you'll come back to this page.
        </SignedOut>
      ) : chosen === null ? (
        <InvalidSession />
      ) : (
        <Order user={user} chosen={chosen} />
      )}
    </CheckoutFrame>
  );
}

function Loading() {
  return <CheckoutLoading title={title} what="Verifying account…" />;
}

function Order({ user, chosen }: { user: CurrentUser; chosen: ChosenPlan }) {
  const builtIn = useBuiltInPlans();
  const plans = useQuery(plansQuery);
  const purchases = useQuery(purchasesQuery);
  const access = useQuery({ ...courseAccessQuery, enabled: isBlocked(user) });
  // Not `isLoading`: a link to the dashboard prefetches the access of everybody, and the receipt would be lost.
  if (plans.isPending || purchases.isPending || (isBlocked(user) && access.isPending)) return <Loading />;
  if (access.data && isBlocked(access.data)) {
    return (
      <Suspense fallback={<Loading />}>
        <AccountBlocked access={access.data} />
      </Suspense>
    );
  }
  const plan = (plans.data ?? builtIn).find(({ tier }) => tier === chosen.tier);
  if (!plan) return <InvalidSession />;
  // A purchases list that fails to load blocks nobody: the server itself refuses a second payment.
  return <Purchasing user={user} chosen={chosen} plan={plan} purchases={purchases.data ?? []} />;
}

interface PurchasingProps {
  user: CurrentUser;
  chosen: ChosenPlan;
  plan: PlanOnSale;
  purchases: readonly Purchase[];
}

function Purchasing({ user, chosen, plan, purchases }: PurchasingProps) {
  // The server compares the price in the URL with the plan: a link with another price is refused, not corrected.
  const selection: Selection = { tier: chosen.tier, priceId: chosen.priceId };
  const isRenewing = plan.tier === "basic";
  const consent = isRenewing ? renewalConsent.version : undefined;
  const { stage, pay } = useCheckoutPayment({ selection, consent, purchases });
  // A price that changes later leaves the form, and with it what was typed: its total is updated instead.
  const [isFilled, setIsFilled] = useState(false);
  const isOffered = !isOwned(plan.tier, user.purchasedTier) && (isFilled || !isOutdated(chosen, plan));
  const isAsked = isOffered && (stage.at === "form" || stage.at === "processing");
  const quote = useQuoteWithCode(plan, chosen.code, isAsked);
  const onSale = { ...plan, price: quote.data ? listPriceOf(quote.data) : plan.price };
  const isPayable = isOffered && (isFilled || !isOutdated(chosen, onSale));
  if (isPayable && quote.data && !isFilled) setIsFilled(true);
  useCheckoutAnnounced(plan);
  if (stage.at === "confirming") {
    return <Confirming isWatched={stage.isWatched}>your course opens once the payment is confirmed.</Confirming>;
  }
  if (stage.at === "done") return <Paid receipt={stage.done} />;
  if (isOwned(plan.tier, user.purchasedTier)) {
    return <AlreadyOwned user={user}>{ownedSentence(plan.tier, user.purchasedTier)}</AlreadyOwned>;
  }
  // Just paid: who comes back from the dashboard is not sold another year at once.
  if (isRefusal(quote.error, "already-owned")) {
    return <AlreadyOwned user={user}>{messageOf(quote.error, "")}</AlreadyOwned>;
  }
  const coupon = isPayable && quote.data && (
    <CouponField
      plan={plan}
      code={chosen.code}
      applied={quote.data.coupon}
      refused={quote.refused}
      isPaying={stage.at === "processing"}
    />
  );
  const summary = (
    <OrderSummary
      plan={onSale}
      user={user}
      quote={isPayable ? (quote.data ?? null) : null}
      isQuoted={isPayable && !quote.isError}
      coupon={coupon || null}
      isOpen={chosen.code !== null}
    />
  );
  return (
    <CheckoutColumns title={title} lead={cardPromise} summary={summary}>
      {!isPayable ? (
        <OutdatedPrice plan={onSale} code={chosen.code} />
      ) : quote.data ? (
        <PaymentForm
          user={user}
          quote={quote.data}
          isProcessing={stage.at === "processing"}
          failure={stage.at === "form" ? stage.failure : null}
          onPay={pay}
        />
      ) : quote.isError ? (
        <LoadFailed title="We couldn't get your total" level={2} isRetrying={quote.isFetching} retry={quote.refetch}>
          {messageOf(quote.error, "The academy didn't answer. You haven't been charged.")}
        </LoadFailed>
      ) : (
        <Skeleton className="h-96" />
      )}
    </CheckoutColumns>
  );
}

/** Today's total with the URL's coupon code, or without it plus the reason why the code was refused. */
function useQuoteWithCode({ tier, priceId }: PlanOnSale, code: string | null, enabled: boolean) {
  // Always fetched: refusing or removing a code must not unmount the card form and lose its input.
  const plain = useQuery({ ...quoteQuery(tier, priceId), enabled });
  const withCode = useQuery({ ...quoteQuery(tier, priceId, code), enabled: enabled && code !== null });
  const isRefused = code !== null && withCode.isError;
  return {
    ...plain,
    data: isRefused || code === null ? plain.data : (withCode.data ?? plain.data),
    isFetching: plain.isFetching || withCode.isFetching,
    refused: isRefused ? messageOf(withCode.error, "We couldn't check the code. Please try again.") : null,
  };
}

/** Reports once that somebody is about to buy this plan. */
function useCheckoutAnnounced({ tier, priceId, name, price }: PlanOnSale): void {
  const isAnnounced = useRef(false);
  useEffect(() => {
    if (isAnnounced.current) return;
    isAnnounced.current = true;
    const plan = { tier, priceId, name, value: price };
    addToCart(plan);
    viewContent(plan);
    initiateCheckout(plan);
  }, [tier, priceId, name, price]);
}
