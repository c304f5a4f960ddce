import { useQuery } from "@tanstack/react-query";
import { href } from "#contract/addresses.ts";
import { formatDay } from "#ui/format/dates.ts";
import { subscriptionQuery } from "./subscription-query.ts";

/** Explains what follows a declined renewal, and links to the change of the card. */
export default function DeclinedRenewal() {
  const { data } = useQuery(subscriptionQuery);
  const subscription = data?.subscription;
  if (subscription?.state !== "declined") return null;
  const { nextPaymentAt, accessUntil } = subscription;
  return (
    <p role="status" className="mb-6 rounded-sm bg-danger-soft px-5 py-4">
      <strong className="text-danger">Your last payment didn't go through.</strong>
      {nextPaymentAt && ` We'll try again on ${formatDay(nextPaymentAt)}.`}
      {accessUntil && ` You can use the course until ${formatDay(accessUntil)}.`}{" "}
      <a href={href.paymentMethod()} className="font-bold underline underline-offset-4">
        Update your card
      </a>
    </p>
  );
}
