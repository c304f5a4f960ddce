import { useQuery } from "@tanstack/react-query";
import { type CourseAccess, defaultBlockReason } from "#contract/access.ts";
import { href } from "#contract/addresses.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { subscriptionQuery } from "./subscription-query.ts";

/** Explains why the course is closed to this account, and links to the ways out. */
export default function AccountBlocked({ access }: { access: CourseAccess }) {
  const isOnHold = access.accountStatus === "on_hold";
  const { data, isPending } = useQuery({ ...subscriptionQuery, enabled: isOnHold });
  const opensByCard = data?.subscription?.state === "on-hold" && !data.subscription.isHeldByAdministrator;
  return (
    <StateCard
      level={1}
      tone="held"
      title={isOnHold ? "Account On Hold" : "Account Suspended"}
      actions={
        <>
          {opensByCard && (
            <a href={href.paymentMethod()} className={buttonStyle({ variant: "tag", size: "large" })}>
              Update Payment Method
            </a>
          )}
          <a href={href.contact()} className={buttonStyle({ variant: opensByCard ? "outline" : "tag", size: "large" })}>
            Contact Support
          </a>
        </>
      }
    >
      <p className="text-ink">{access.suspensionReason ?? defaultBlockReason}</p>
      {opensByCard && <p>You can use the course again as soon as your payment goes through.</p>}
      {isOnHold && !opensByCard && !isPending && (
        <p>We won't charge you while your account is on hold. A new card won't lift the hold. Please contact us.</p>
      )}
    </StateCard>
  );
}
