import type { CourseAccess } from "#contract/access.ts";
import type { Purchase } from "#contract/purchases/purchases.ts";
import type { Payment } from "#contract/purchases/receipts.ts";
import { planName } from "#ui/academy.ts";
import { formatDay } from "#ui/format/dates.ts";

const statusWords: Readonly<Record<Purchase["status"], string>> = {
  pending: "Being confirmed",
  completed: "Paid",
  declined: "Declined",
  failed: "Failed",
  refunded: "Refunded",
};

/** `payments`: also those of other purchases. */
export function statusOf({ id, status }: Purchase, payments: readonly Payment[]): string {
  const isReturned = payments.some(({ purchaseId, refunded }) => purchaseId === id && refunded !== null);
  return status === "completed" && isReturned ? "Partly refunded" : statusWords[status];
}

/** The state of a plan's renewal. Null for a purchase without renewals. One that was refunded can have been resumed. */
export function renewalWords(purchase: Purchase): string | null {
  const isResumed = purchase.status === "refunded" && purchase.subscriptionStatus !== "cancelled";
  if (!purchase.isRecurring || !(purchase.status === "completed" || isResumed)) return null;
  if (purchase.paymentDeclined) return "Payment Declined";
  if (purchase.subscriptionStatus === "cancelled") return "Cancelled, won't renew";
  if (purchase.subscriptionStatus === "on_hold") return "On hold";
  if (purchase.subscriptionStatus !== "active") return purchase.subscriptionStatus;
  return purchase.nextBillingDate && `Renews on ${formatDay(purchase.nextBillingDate)}`;
}

interface PlanInForce {
  label: string;
  /** Null without a plan. */
  lasts: string | null;
  /** The newest purchase of the plan that is paid, else refunded. Null for a granted plan, or without one. */
  purchase: Purchase | null;
}

/** The current plan. `purchases` are newest first, and stay completed after they expire. */
export function planInForce({ tier, until }: CourseAccess, purchases: readonly Purchase[]): PlanInForce {
  if (tier === null) return { label: "No Active Plan", lasts: null, purchase: null };
  const ofPlan = (status: Purchase["status"]) => purchases.find((one) => one.status === status && one.tier === tier);
  return {
    label: planName(tier),
    lasts: until ? `Until ${formatDay(until)}` : "No end date",
    // A refund can leave the course open.
    purchase: ofPlan("completed") ?? ofPlan("refunded") ?? null,
  };
}
