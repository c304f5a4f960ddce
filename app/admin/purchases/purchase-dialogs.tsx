import { type AdminPurchase, cancelSubscription, holdAccount } from "#contract/admin/purchases.ts";
import { reactivateAccount } from "#contract/admin/users.ts";
import { api } from "../../api.ts";
import { formatDollars } from "../format.ts";
import { ReasonDialog } from "../reason-dialog.tsx";

export interface PurchaseDialogProps {
  purchase: AdminPurchase;
  onClose: () => void;
}

export function CancelSubscriptionDialog({ purchase, onClose }: PurchaseDialogProps) {
  const { userId, subscriptionId } = purchase;
  return (
    <ReasonDialog
      title={`Cancel the subscription of ${purchase.userName}`}
      description={`${purchase.planName} at ${formatDollars(purchase.amount)} renews no more. The course stays open until the end of the time that is paid.`}
      confirm="Cancel Subscription"
      isDangerous
      act={(reason) => api(cancelSubscription, { body: { userId, subscriptionId: subscriptionId ?? "", reason } })}
      words={{ done: "Subscription cancelled successfully", failed: "Failed to cancel subscription" }}
      onClose={onClose}
    />
  );
}

export function HoldDialog({ purchase, onClose }: PurchaseDialogProps) {
  const { userId, subscriptionId } = purchase;
  return (
    <ReasonDialog
      title={`Put ${purchase.userName} on hold`}
      description="The course closes, and nothing is charged until the account is reactivated."
      confirm="Hold Account"
      isDangerous
      reasonHint="The student is shown it."
      act={(reason) => api(holdAccount, { body: { userId, subscriptionId: subscriptionId ?? "", reason } })}
      words={{ done: "Account placed on hold", failed: "Failed to hold account" }}
      onClose={onClose}
    />
  );
}

export function ReactivateBuyerDialog({ purchase, onClose }: PurchaseDialogProps) {
  return (
    <ReasonDialog
      title={`Reactivate ${purchase.userName}`}
      description="The course opens again. Nothing is charged by it; the subscription gets a new date for its next charge."
      confirm="Reactivate"
      act={(reason) => api(reactivateAccount, { body: { userId: purchase.userId, reason } })}
      words={{ done: "Account reactivated successfully", failed: "Failed to reactivate account" }}
      onClose={onClose}
    />
  );
}
