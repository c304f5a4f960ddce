import { useQuery } from "@tanstack/react-query";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { href } from "#contract/addresses.ts";
import { formatDay } from "#ui/format/dates.ts";
import { purchasesQuery } from "./purchases-query.ts";
import { subscriptionQuery } from "./subscription-query.ts";

/** Above the course while a renewal is declined and the course is kept open; nothing otherwise. */
export function DeclinedBanner() {
  const { user } = useCurrentUser();
  const { data: purchases } = useQuery({ ...purchasesQuery, enabled: Boolean(user) });
  const isDeclined = purchases?.some(({ paymentDeclined }) => paymentDeclined) ?? false;
  const { data } = useQuery({ ...subscriptionQuery, enabled: isDeclined });
  const subscription = data?.subscription;
  if (subscription?.state !== "declined") return null;
  const { nextPaymentAt, accessUntil } = subscription;
  return (
    <p role="status" className="mb-6 rounded-sm bg-danger-soft px-5 py-4">
      <strong className="text-danger">Your last payment did not go through.</strong>
      {nextPaymentAt && ` We try again on ${formatDay(nextPaymentAt)}.`}
      {accessUntil && ` The course stays open until ${formatDay(accessUntil)}.`}{" "}
      <a href={href.paymentMethod()} className="font-bold underline underline-offset-4">
        Update your card
      </a>
    </p>
  );
}
