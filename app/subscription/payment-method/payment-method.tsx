import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { cardLinkQuery, subscriptionQuery } from "#app/access/subscription-query.ts";
import { ApiError, api, messageOf } from "#app/api/api.ts";
import { CheckoutFrame, CheckoutLoading } from "#app/card/checkout-frame.tsx";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { SignedOut } from "#app/identity/signed-out.tsx";
import { href } from "#contract/addresses.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { changeCard, changeCardByLink, type SubscriptionOverview } from "#contract/purchases/subscriptions.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { CardChange, dueOf } from "./card-change.tsx";
import { NoCardToChange } from "./no-card-to-change.tsx";

const title = "Payment method";

/** A new card for a subscription, for a signed-in student or by an emailed link, which gives access to nothing else. */
export default function PaymentMethod() {
  const token = useLinkToken();
  return (
    <CheckoutFrame
      title={title}
      description="Use another card for your membership. Your card number goes to the payment provider, and we never store it."
    >
      {token === null ? <SignedIn /> : <ByLink token={token} />}
    </CheckoutFrame>
  );
}

/** The token in the URL. Removes it at once, so that no history, screenshot or copied URL contains it. */
function useLinkToken(): string | null {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(() => tokenIn(hash));
  useEffect(() => {
    const found = tokenIn(hash);
    if (found === null) return;
    setToken(found);
    navigate({ search, hash: "" }, { replace: true, preventScrollReset: true });
  }, [hash, search, navigate]);
  return token;
}

/** Other fragments, such as the skip link's, are shorter. */
function tokenIn(hash: string): string | null {
  return /^#([\w-]{20,100})$/.exec(hash)?.[1] ?? null;
}

function ByLink({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const query = cardLinkQuery(token);
  const { data: link, isPending, error, isFetching, refetch } = useQuery(query);
  if (isPending) return <CheckoutLoading title={title} what="Opening your link…" />;
  if (!link && error instanceof ApiError && error.problem && error.problem.status < 500)
    return <LinkOver error={error} />;
  if (!link) return <Failed isRetrying={isFetching} retry={refetch} />;
  return (
    <CardChange
      owed={link}
      name={{ firstName: link.firstName, lastName: null }}
      send={(card) => api(changeCardByLink, { body: { token, ...card } })}
      findDue={() =>
        queryClient.fetchQuery({ ...query, staleTime: 0 }).then(
          dueOf,
          // A link works once, so a refusal now says nothing about the payment.
          (refused) => (refused instanceof ApiError && refused.problem ? null : Promise.reject(refused)),
        )
      }
    />
  );
}

function LinkOver({ error }: { error: ApiError }) {
  return (
    <StateCard
      level={1}
      tone="failed"
      title="This link doesn't work anymore"
      actions={
        <>
          <a href={loginUrl(href.paymentMethod())} className={buttonStyle({ variant: "tag", size: "large" })}>
            Sign in
          </a>
          <a href={href.contact()} className={buttonStyle({ variant: "outline", size: "large" })}>
            Contact Support
          </a>
        </>
      }
    >
      <p>{messageOf(error, "It was already used, or it has expired.")}</p>
      <p>You don't need a link once you're signed in.</p>
    </StateCard>
  );
}

function SignedIn() {
  const { user, isPending } = useCurrentUser();
  if (isPending) return <CheckoutLoading title={title} what="Verifying account…" />;
  if (user === undefined) return <Failed />;
  return user ? (
    <OwnSubscription name={user} />
  ) : (
    <SignedOut title="Authentication required" returnTo={href.paymentMethod()} action={null}>
      Please sign in to change your card, or open the link in our email again.
    </SignedOut>
  );
}

function OwnSubscription({ name }: { name: { firstName: string | null; lastName: string | null } }) {
  const queryClient = useQueryClient();
  const { data: overview, isPending, isFetching, refetch } = useQuery(subscriptionQuery);
  if (isPending) return <CheckoutLoading title={title} what="Looking up your membership…" />;
  if (!overview) return <Failed isRetrying={isFetching} retry={refetch} />;
  const { subscription } = overview;
  if (!subscription?.mayChangeCard) return <NoCardToChange overview={overview} />;
  return (
    <CardChange
      owed={subscription}
      name={name}
      send={(card) => api(changeCard, { body: card })}
      findDue={() => queryClient.fetchQuery({ ...subscriptionQuery, staleTime: 0 }).then(dueNow)}
    />
  );
}

function dueNow({ subscription }: SubscriptionOverview) {
  return subscription && dueOf(subscription);
}

function Failed(retrying: { isRetrying?: boolean; retry?: () => unknown }) {
  return (
    <LoadFailed title="This page didn't load" {...retrying}>
      The academy didn't answer. You weren't charged.
    </LoadFailed>
  );
}
