import { type AdminPurchase, cancelSubscription, holdAccount } from "#contract/admin-purchases.ts";
import { reactivateAccount } from "#contract/admin-users.ts";
import { api } from "../../api.ts";
import { useAct } from "../act.ts";
import { ActionDialog, useReason } from "../action-dialog.tsx";
import { formatDollars } from "../format.ts";

export interface PurchaseDialogProps {
  purchase: AdminPurchase;
  onClose: () => void;
}

export function CancelSubscriptionDialog({ purchase, onClose }: PurchaseDialogProps) {
  const { reason, field } = useReason();
  const body = { userId: purchase.userId, subscriptionId: purchase.subscriptionId ?? "", reason };
  const words = { done: "Subscription cancelled successfully", failed: "Failed to cancel subscription" };
  const act = useAct(() => api(cancelSubscription, { body }), words, onClose);
  return (
    <ActionDialog
      title={`Cancel the subscription of ${purchase.userName}`}
      description={`${purchase.planName} at ${formatDollars(purchase.amount)} renews no more. The course stays open until the end of the time that is paid.`}
      confirm="Cancel Subscription"
      isDangerous
      isPending={act.isPending}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      {field}
    </ActionDialog>
  );
}

export function HoldDialog({ purchase, onClose }: PurchaseDialogProps) {
  const { reason, field } = useReason({ hint: "The student is shown it." });
  const body = { userId: purchase.userId, subscriptionId: purchase.subscriptionId ?? "", reason };
  const words = { done: "Account placed on hold", failed: "Failed to hold account" };
  const act = useAct(() => api(holdAccount, { body }), words, onClose);
  return (
    <ActionDialog
      title={`Put ${purchase.userName} on hold`}
      description="The course closes, and nothing is charged until the account is reactivated."
      confirm="Hold Account"
      isDangerous
      isPending={act.isPending}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      {field}
    </ActionDialog>
  );
}

export function ReactivateBuyerDialog({ purchase, onClose }: PurchaseDialogProps) {
  const { reason, field } = useReason();
  const words = { done: "Account reactivated successfully", failed: "Failed to reactivate account" };
  const act = useAct(() => api(reactivateAccount, { body: { userId: purchase.userId, reason } }), words, onClose);
  return (
    <ActionDialog
      title={`Reactivate ${purchase.userName}`}
      description="The course opens again. Nothing is charged by it; the subscription gets a new date for its next charge."
      confirm="Reactivate"
      isPending={act.isPending}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      {field}
    </ActionDialog>
  );
}
