import type { ReactNode } from "react";
import { href } from "#contract/addresses.ts";
import { renewalPrices } from "#contract/purchases/sentences.ts";
import type { OwnSubscription, OwnSubscriptionState } from "#contract/purchases/subscriptions.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { CancelSubscription } from "./cancel-subscription.tsx";
import { useSubscriptionChange } from "./subscription-change.ts";
import { cardWords, renewalWords, stateLabels } from "./subscription-words.ts";

const tones = {
  renewing: "success",
  cancelled: "plain",
  declined: "danger",
  "on-hold": "danger",
} as const satisfies Record<OwnSubscriptionState, string>;

/** The subscription: its next payment, its card, and buttons to change, cancel or resume it. */
export function RenewalPanel({
  subscription,
  accountStatus,
}: {
  subscription: OwnSubscription;
  accountStatus: string;
}) {
  const { planName, state, price, later, nextPaymentAt, paidUntil, card, mayChangeCard, mayCancel, mayResume } =
    subscription;
  const isSuspended = accountStatus === "suspended";
  const isOutstanding = state === "declined" || state === "on-hold";
  const isUnpaid = Number(subscription.amountDue) > 0;
  return (
    <Card tone="raised">
      <section aria-labelledby="renewal-title" className="grid gap-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="renewal-title" className="font-bold text-heading">
            {planName}
          </h2>
          {!isSuspended && <Badge tone={tones[state]}>{stateLabels[state]}</Badge>}
        </div>
        <p className={isOutstanding ? "rounded-sm bg-danger-soft px-5 py-4" : ""}>
          {renewalWords(subscription, accountStatus)}
        </p>
        <dl className="grid border-line border-t">
          <Fact name="Price">{renewalPrices(price, later)}</Fact>
          {paidUntil !== nextPaymentAt && <Fact name="Paid until">{formatDay(paidUntil)}</Fact>}
          {nextPaymentAt && !isSuspended && (
            <Fact name={isUnpaid ? "Next attempt" : "Next payment"}>{formatDay(nextPaymentAt)}</Fact>
          )}
          <Fact name="Card">{card ? cardWords(card) : "None"}</Fact>
        </dl>
        <div className="flex flex-wrap gap-3">
          {mayChangeCard && (
            <a href={href.paymentMethod()} className={buttonStyle({ variant: isOutstanding ? "tag" : "outline" })}>
              {isOutstanding ? "Update your card" : "Change card"}
            </a>
          )}
          {mayResume && <Resume />}
          {mayCancel && <CancelSubscription subscription={subscription} />}
        </div>
      </section>
    </Card>
  );
}

function Resume() {
  const { resume } = useSubscriptionChange();
  return (
    <Button variant="tag" pending={resume.isPending} onClick={() => resume.mutate()}>
      Resume membership
    </Button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-line border-b py-3">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}
