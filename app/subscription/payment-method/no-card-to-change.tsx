import type { ReactNode } from "react";
import { defaultBlockReason } from "#contract/access.ts";
import { href } from "#contract/addresses.ts";
import type { SubscriptionOverview } from "#contract/purchases/subscriptions.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";

/** Explains why there is no card form here, and where to go instead. */
export function NoCardToChange({ overview }: { overview: SubscriptionOverview }) {
  const { subscription, accountStatus, suspensionReason } = overview;
  if (accountStatus === "suspended") {
    return (
      <Standstill title="Account Suspended" to={href.contact()} label="Contact Support">
        <p>{suspensionReason ?? defaultBlockReason}</p>
        <p>You won't be charged while your account is suspended.</p>
      </Standstill>
    );
  }
  if (subscription?.isHeldByAdministrator) {
    return (
      <Standstill title="Account On Hold" to={href.contact()} label="Contact Support">
        <p>{suspensionReason ?? defaultBlockReason}</p>
        <p>You won't be charged while your account is on hold. A new card doesn't open it, so please contact us.</p>
      </Standstill>
    );
  }
  if (subscription?.state === "cancelled") {
    return (
      <Standstill title="Nothing renews" to={href.subscription()} label="See your membership">
        <p>Your {subscription.planName} is cancelled. You won't be charged again.</p>
        {subscription.mayResume && <p>To continue, resume it first.</p>}
      </Standstill>
    );
  }
  return (
    <Standstill title="Nothing renews" to={href.subscription()} label="See your membership">
      <p>None of your plans renews, so there's no card to change.</p>
    </Standstill>
  );
}

function Standstill({ title, to, label, children }: { title: string; to: string; label: string; children: ReactNode }) {
  return (
    <StateCard
      level={1}
      title={title}
      actions={
        <>
          <a href={to} className={buttonStyle({ variant: "tag", size: "large" })}>
            {label}
          </a>
          <a href={href.dashboard()} className={buttonStyle({ variant: "outline", size: "large" })}>
            Go to your dashboard
          </a>
        </>
      }
    >
      {children}
    </StateCard>
  );
}
