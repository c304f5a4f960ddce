import { type OfCourse, withCourse } from "#contract/course-words.ts";
import { formatDollars } from "#contract/money.ts";
import type {
  CardMarks,
  OwnSubscription,
  OwnSubscriptionState,
  SubscriptionOverview,
} from "#contract/purchases/subscriptions.ts";
import { tierLabels } from "#contract/tiers.ts";
import { formatDay } from "#ui/format/dates.ts";

/** "Visa ending in 1111" */
export function cardWords({ brand, last4 }: CardMarks): string {
  return last4 ? `${brand ?? "Card"} ending in ${last4}` : (brand ?? "A card");
}

/**
 * The student's access with its end, and its source: "Modules 1-4 until March 3, 2027" and "Opened by your purchase of
 * Annual Access on March 3, 2026."
 */
export function accessWords(
  { tier, until, source, since }: SubscriptionOverview["access"],
  modules: readonly OfCourse[],
): [what: string, why: string] {
  if (tier === null) return ["No module is open for you at the moment", ""];
  const what = `${withCourse(`{Modules:${tier}}`, modules)} ${until ? `until ${formatDay(until)}` : "without an end date"}`;
  const why = reasonWords(tierLabels[tier], source, since);
  return [what, why && `${why}.`];
}

function reasonWords(label: string, source: string | null, since: string | null): string {
  const on = since ? ` on ${formatDay(since)}` : "";
  switch (source) {
    case "purchase":
      return `Opened by your purchase of ${label}${on}`;
    case "renewal":
      return `Opened by the renewal of your ${label}${on}`;
    case "grace":
      return `Kept open while the renewal of your ${label} is outstanding`;
    case "credit-returned":
      return `The days of your ${label} that came back when an upgrade was refunded`;
    case "administrator":
      return `Given to you by the academy${on}`;
    default:
      return "";
  }
}

export const stateLabels: Readonly<Record<OwnSubscriptionState, string>> = {
  renewing: "Active",
  cancelled: "Cancelled",
  declined: "Payment Declined",
  "on-hold": "On hold",
};

/** What happens next with a subscription, in one or two sentences. */
export function renewalWords(subscription: OwnSubscription, accountStatus: string): string {
  if (accountStatus === "suspended") return "Nothing is charged while your account is suspended.";
  const { state, planName, price, nextPaymentAt, accessUntil, amountDue } = subscription;
  const amount = formatDollars(Number(price));
  const next = nextPaymentAt && formatDay(nextPaymentAt);
  switch (state) {
    case "renewing":
      if (Number(amountDue) > 0) {
        return `The renewal for ${amount} could not be charged yet.${next ? ` We try again on ${next}.` : ""}${accessUntil ? ` The course stays open until ${formatDay(accessUntil)}.` : ""}`;
      }
      return `${planName} renews every 30 days${next ? `, next on ${next} for ${amount}` : ""}, until you cancel.`;
    case "cancelled":
      return `Cancelled: nothing more is charged.${accessUntil ? ` The course stays open until ${formatDay(accessUntil)}.` : ""}`;
    case "declined":
      return `Your last payment did not go through.${next ? ` We try again on ${next}.` : ""}${accessUntil ? ` The course stays open until ${formatDay(accessUntil)}.` : ""}`;
    case "on-hold":
      return subscription.isHeldByAdministrator
        ? "The course is closed for now, and nothing is charged. Write to us to have it opened again; a new card does not open it. Your progress is kept."
        : `${formatDollars(Number(amountDue))} is due. A new card opens the course again; your progress is kept.`;
  }
}
