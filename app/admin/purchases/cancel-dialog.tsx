import { api } from "#app/api/api.ts";
import { type AdminPurchase, cancelSubscription } from "#contract/admin/purchases.ts";
import { formatDollars } from "#contract/money.ts";
import { ReasonDialog } from "../reason-dialog.tsx";

/** Stops a purchase's renewal. Access stays until the end of the paid time. */
export function CancelDialog({ purchase, onClose }: { purchase: AdminPurchase; onClose: () => void }) {
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
