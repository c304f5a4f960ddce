import type { PurchaseRights } from "#contract/admin/purchases.ts";

/** `accountStatus` is the buyer's. */
export function rightsOverPurchase(purchase: {
  readonly status: string;
  readonly isRecurring: boolean;
  readonly subscriptionStatus: string;
  readonly paymentDeclined: boolean;
  readonly accountStatus: string;
  /** The sum of its charges minus its refunds. */
  readonly leftCents: number;
}): PurchaseRights {
  const isOpen = purchase.accountStatus !== "deleted";
  const isActive = purchase.isRecurring && purchase.status === "completed" && purchase.subscriptionStatus === "active";
  const isBlocked = purchase.accountStatus === "on_hold" || purchase.accountStatus === "suspended";
  return {
    cancelSubscription: isOpen && isActive,
    hold: isOpen && isActive && !purchase.paymentDeclined && !isBlocked,
    reactivate: isOpen && (purchase.paymentDeclined || isBlocked),
    refund: (purchase.status === "completed" || purchase.status === "refunded") && purchase.leftCents > 0,
  };
}
