import type { AdminPurchase } from "#contract/admin/purchases.ts";
import type { Purchase } from "#contract/purchases/purchases.ts";
import type { Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { Badge } from "#ui/badge.tsx";

/** Other statuses are shown as they are. */
const accountWords: Readonly<Record<string, string>> = {
  active: "Active",
  on_hold: "On Hold",
  suspended: "Suspended",
  deleted: "Deleted",
};

const purchaseWords: Readonly<Record<Purchase["status"], string>> = {
  pending: "Pending",
  completed: "Completed",
  declined: "Declined",
  failed: "Failed",
  refunded: "Refunded",
};

const subscriptionWords: Readonly<Record<string, string>> = {
  active: "Active",
  cancelled: "Cancelled",
  on_hold: "On Hold",
};

const sourceWords: Readonly<Record<string, string>> = {
  purchase: "Bought",
  renewal: "Renewed",
  grace: "Grace period",
  administrator: "Given by an administrator",
  import: "Imported",
};

export function TierBadge({ tier }: { tier: Tier | null }) {
  if (!tier) return <span className="text-ink-soft">No plan</span>;
  return <Badge tone={tier === "vip" ? "ink" : tier === "premium" ? "kraft" : "plain"}>{planName(tier)}</Badge>;
}

export function AccountBadge({ status }: { status: string }) {
  return <Badge tone={status === "active" ? "success" : "danger"}>{accountWords[status] ?? status}</Badge>;
}

/** `refunded`: US dollars that went back. A purchase is refunded when all of it did. */
export function PurchaseBadge({ status, refunded }: { status: Purchase["status"]; refunded: number }) {
  if (status === "completed" && refunded > 0) return <Badge>Partly refunded</Badge>;
  const tone = status === "completed" ? "success" : status === "pending" || status === "refunded" ? "plain" : "danger";
  return <Badge tone={tone}>{purchaseWords[status]}</Badge>;
}

/** What happens to a recurring purchase. A declined payment replaces the status. Nothing for other purchases. */
export function SubscriptionBadge({
  purchase,
}: {
  purchase: Pick<AdminPurchase, "isRecurring" | "paymentDeclined" | "subscriptionStatus">;
}) {
  if (!purchase.isRecurring) return null;
  if (purchase.paymentDeclined) return <Badge tone="danger">Payment Declined</Badge>;
  const status = purchase.subscriptionStatus;
  return (
    <Badge tone={status === "active" ? "success" : status === "on_hold" ? "danger" : "plain"}>
      {subscriptionWords[status] ?? status}
    </Badge>
  );
}

/** A grant's source in words. */
export function sourceOf(source: string): string {
  return sourceWords[source] ?? source;
}

/** "Ada Shelf", or the email address of a user without a name. */
export function nameOf(person: { firstName: string | null; lastName: string | null; email: string }): string {
  return [person.firstName, person.lastName].filter(Boolean).join(" ") || person.email;
}
