import type { PurchaseRights } from "#contract/admin/purchases.ts";
import { isBlocked } from "#server/access/access.ts";
import { countsAsPaid, type PurchaseStatus, wasPaid } from "#server/purchases/purchases.ts";

/** `accountStatus` is the buyer's. */
export function rightsOverPurchase(purchase: {
  readonly status: PurchaseStatus;
  readonly isRecurring: boolean;
  readonly subscriptionStatus: string;
  readonly paymentDeclined: boolean;
  readonly accountStatus: string;
  /** The sum of its charges minus its refunds. */
  readonly leftCents: number;
}): PurchaseRights {
  const isOpen = purchase.accountStatus !== "deleted";
  const isActive = purchase.isRecurring && countsAsPaid(purchase) && purchase.subscriptionStatus === "active";
  const isHeld = isOpen && isBlocked(purchase.accountStatus);
  return {
    cancelSubscription: isOpen && isActive,
    hold: isOpen && isActive && !purchase.paymentDeclined && !isHeld,
    reactivate: isOpen && (purchase.paymentDeclined || isHeld),
    refund: wasPaid(purchase) && purchase.leftCents > 0,
  };
}
