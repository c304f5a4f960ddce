import { type OfCourse, withCourse } from "#contract/course-words.ts";
import { formatDollars } from "#contract/money.ts";
import type {
  CardMarks,
  OwnSubscription,
  OwnSubscriptionState,
  SubscriptionOverview,
} from "#contract/purchases/subscriptions.ts";
import { planName } from "#ui/academy.ts";
import { formatDay } from "#ui/format/dates.ts";

/** "Visa ending in 1111" */
export function cardWords({ brand, last4 }: CardMarks): string {
  return last4 ? `${brand ?? "Card"} ending in ${last4}` : (brand ?? "A card");
}

/**
 * The student's access with its end, and its source: "Modules 1-4 until March 3, 2027" and "You bought
 * Annual Access on March 3, 2026."
 */
export function accessWords(
  { tier, until, source, since }: SubscriptionOverview["access"],
  modules: readonly OfCourse[],
): [what: string, why: string] {
  if (tier === null) return ["You don't have a plan right now", ""];
  const what = `${withCourse(`{Modules:${tier}}`, modules)} ${until ? `until ${formatDay(until)}` : "without an end date"}`;
  const why = reasonWords(planName(tier), source, since);
  return [what, why && `${why}.`];
}

function reasonWords(label: string, source: string | null, since: string | null): string {
  const on = since ? ` on ${formatDay(since)}` : "";
  switch (source) {
    case "purchase":
      return `You bought ${label}${on}`;
    case "renewal":
      return `Your ${label} renewed${on}`;
    case "grace":
      return `Your ${label} stays open while its renewal is unpaid`;
    case "credit-returned":
      return `We returned the rest of your ${label} when we refunded your upgrade`;
    case "administrator":
    case "import":
      return `The academy gave you ${label}${on}`;
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
  if (accountStatus === "suspended") return "You won't be charged while your account is suspended.";
  const { state, planName, price, nextPaymentAt, accessUntil, amountDue } = subscription;
  const amount = formatDollars(Number(price));
  const next = nextPaymentAt && formatDay(nextPaymentAt);
  switch (state) {
    case "renewing":
      if (Number(amountDue) > 0) {
        return `We couldn't charge ${amount} for your renewal yet.${next ? ` We'll try again on ${next}.` : ""}${accessUntil ? ` The course stays open until ${formatDay(accessUntil)}.` : ""}`;
      }
      return `${planName} renews every 30 days${next ? `, next on ${next} for ${amount}` : ""}, until you cancel.`;
    case "cancelled":
      return `Your membership is cancelled. You won't be charged again.${accessUntil ? ` The course stays open until ${formatDay(accessUntil)}.` : ""}`;
    case "declined":
      return `Your last payment didn't go through.${next ? ` We'll try again on ${next}.` : ""}${accessUntil ? ` The course stays open until ${formatDay(accessUntil)}.` : ""}`;
    case "on-hold":
      return subscription.isHeldByAdministrator
        ? "The course is closed for now, and you won't be charged. A new card doesn't open it. Contact us to open it again. We've saved your progress."
        : `${formatDollars(Number(amountDue))} is due. Add a new card to open the course again. We've saved your progress.`;
  }
}
