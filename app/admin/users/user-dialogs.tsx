import { api } from "#app/api/api.ts";
import {
  type AdminUser,
  cancelUserSubscription,
  deleteUserAccount,
  endUserSessions,
  Suspension,
  suspendAccount,
} from "#contract/admin/users.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { nameOf } from "../words.tsx";

interface UserDialogProps {
  user: Pick<AdminUser, "id" | "email" | "firstName" | "lastName">;
  onClose: () => void;
}

export function CancelUserSubscriptionDialog({ user, onClose }: UserDialogProps) {
  return (
    <ReasonDialog
      title={`Cancel the subscription of ${nameOf(user)}`}
      description="It renews no more. The course stays open until the end of the time that is paid."
      confirm="Cancel Subscription"
      isDangerous
      act={(reason) => api(cancelUserSubscription, { body: { userId: user.id, reason } })}
      words={{ done: "User subscription cancelled successfully", failed: "Failed to cancel user subscription" }}
      onClose={onClose}
    />
  );
}

export function SuspendDialog({ user, onClose }: UserDialogProps) {
  return (
    <ReasonDialog
      title={`Suspend ${nameOf(user)}`}
      description="The course closes at once, and nothing is charged until the account is reactivated."
      confirm="Suspend"
      isDangerous
      schema={Suspension.pick({ reason: true })}
      reasonHint="The student sees it."
      act={(reason = "") => api(suspendAccount, { body: { userId: user.id, reason } })}
      words={{ done: "Account suspended successfully", failed: "Failed to suspend account" }}
      onClose={onClose}
    />
  );
}

export function EndSessionsDialog({ user, onClose }: UserDialogProps) {
  return (
    <ReasonDialog
      title={`Sign ${nameOf(user)} out everywhere`}
      description="Every browser of theirs has to sign in again."
      confirm="Sign out everywhere"
      act={(reason) => api(endUserSessions, { body: { userId: user.id, reason } })}
      words={{ done: "Signed out everywhere", failed: "Failed to sign the user out" }}
      onClose={onClose}
    />
  );
}

/** Deletes an account. Calls `onDeleted` on success. */
export function DeleteDialog({ user, onDeleted, onClose }: UserDialogProps & { onDeleted: (() => void) | undefined }) {
  const name = nameOf(user);
  return (
    <ReasonDialog
      title={`Delete ${name}?`}
      description={`The account of ${name === user.email ? name : `${name} (${user.email})`} is erased: profile, progress and sign-in. Purchases stay in the books without a name. This cannot be undone.`}
      confirm="Delete account"
      isDangerous
      act={(reason) => api(deleteUserAccount, { body: { userId: user.id, reason } })}
      words={{ done: "User account deleted successfully", failed: "Failed to delete user account" }}
      goneId={user.id}
      onClose={onClose}
      onDone={() => {
        onClose();
        onDeleted?.();
      }}
    />
  );
}
