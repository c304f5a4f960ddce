import type { PurchaseRights } from "#contract/admin/purchases.ts";
import { roleMay } from "#contract/permissions.ts";
import type { StaffRole } from "#contract/roles.ts";
import { isBlocked } from "#server/access/access.ts";
import { isInEffect, type PurchaseStatus, wasPaid } from "#server/purchases/purchases.ts";

/** What somebody with `role` may do to a purchase. `accountStatus` is the buyer's. */
export function rightsOverPurchase(
  purchase: {
    readonly status: PurchaseStatus;
    readonly givesAccess: boolean | null;
    readonly isRecurring: boolean;
    readonly subscriptionStatus: string;
    readonly paymentDeclined: boolean;
    /** It was reopened without a payment before. */
    readonly waitsForPayment: boolean;
    readonly accountStatus: string;
    /** The sum of its charges less its refunds. */
    readonly leftCents: number;
  },
  role: StaffRole | null,
): PurchaseRights {
  const isOpen = purchase.accountStatus !== "deleted";
  const isActive = purchase.isRecurring && isInEffect(purchase) && purchase.subscriptionStatus === "active";
  const isHeld = isOpen && isBlocked(purchase.accountStatus);
  const isPaymentAwaited = purchase.waitsForPayment && purchase.accountStatus !== "suspended";
  const mayHold = roleMay(role, "people:hold");
  return {
    cancelSubscription: roleMay(role, "renewals:stop") && isOpen && isActive,
    hold: mayHold && isOpen && isActive && !purchase.paymentDeclined && !isHeld,
    reactivate: mayHold && isOpen && (purchase.paymentDeclined || isHeld) && !isPaymentAwaited,
    refund: roleMay(role, "purchases:refund") && wasPaid(purchase) && purchase.leftCents > 0,
  };
}
