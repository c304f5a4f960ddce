import { api } from "#app/api/api.ts";
import { holdAccount } from "#contract/admin/purchases.ts";
import { reactivateAccount } from "#contract/admin/users.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

interface AccountDialogProps {
  userId: string;
  /** The user's name as the admin pages show it. */
  name: string;
  onClose: () => void;
}

/** Puts a subscriber's account on hold. Opened from the user's page and from the purchase. */
export function HoldDialog({ userId, name, subscriptionId, onClose }: AccountDialogProps & { subscriptionId: string }) {
  return (
    <ReasonDialog
      title={`Put ${name} on hold`}
      description="The course closes, and nothing is charged until the account is reactivated."
      confirm="Hold Account"
      isDangerous
      reasonHint="The student sees it."
      act={(reason) => api(holdAccount, { body: { userId, subscriptionId, reason } })}
      words={{ done: "Account placed on hold", failed: "Failed to hold account" }}
      onClose={onClose}
    />
  );
}

/** Reactivates an account that is on hold, suspended or declined. */
export function ReactivateDialog({ userId, name, onClose }: AccountDialogProps) {
  return (
    <ReasonDialog
      title={`Reactivate ${name}`}
      description="The course opens again. We don't charge anything now. If a payment is due, the course stays open for at most three days, and only once until the student pays."
      confirm="Reactivate"
      act={(reason) => api(reactivateAccount, { body: { userId, reason } })}
      words={{ done: ({ message }) => message, failed: "Failed to reactivate account" }}
      onClose={onClose}
    />
  );
}
