import {
  type AdminUser,
  cancelUserSubscription,
  deleteUserAccount,
  endUserSessions,
  reactivateAccount,
  suspendAccount,
} from "#contract/admin-users.ts";
import { api } from "../../api.ts";
import { useAct } from "../act.ts";
import { ActionDialog, useReason } from "../action-dialog.tsx";
import { nameOf } from "../words.tsx";

interface UserDialogProps {
  user: Pick<AdminUser, "id" | "email" | "firstName" | "lastName">;
  onClose: () => void;
}

export function CancelUserSubscriptionDialog({ user, onClose }: UserDialogProps) {
  const { reason, field } = useReason();
  const act = useAct(
    () => api(cancelUserSubscription, { body: { userId: user.id, reason } }),
    { done: "User subscription cancelled successfully", failed: "Failed to cancel user subscription" },
    onClose,
  );
  return (
    <ActionDialog
      title={`Cancel the subscription of ${nameOf(user)}`}
      description="It renews no more. The course stays open until the end of the time that is paid."
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

export function SuspendDialog({ user, onClose }: UserDialogProps) {
  const { reason = "", field, isMissing } = useReason({ isRequired: true, hint: "The student is shown it." });
  const act = useAct(
    () => api(suspendAccount, { body: { userId: user.id, reason } }),
    { done: "Account suspended successfully", failed: "Failed to suspend account" },
    onClose,
  );
  return (
    <ActionDialog
      title={`Suspend ${nameOf(user)}`}
      description="The course closes at once, and nothing is charged until the account is reactivated."
      confirm="Suspend"
      isDangerous
      isPending={act.isPending}
      isIncomplete={isMissing}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      {field}
    </ActionDialog>
  );
}

export function ReactivateDialog({ user, onClose }: UserDialogProps) {
  const { reason, field } = useReason();
  const act = useAct(
    () => api(reactivateAccount, { body: { userId: user.id, reason } }),
    { done: "Account reactivated successfully", failed: "Failed to reactivate account" },
    onClose,
  );
  return (
    <ActionDialog
      title={`Reactivate ${nameOf(user)}`}
      description="The course opens again. Nothing is charged by it; a subscription gets a new date for its next charge."
      confirm="Reactivate"
      isPending={act.isPending}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      {field}
    </ActionDialog>
  );
}

export function EndSessionsDialog({ user, onClose }: UserDialogProps) {
  const { reason, field } = useReason();
  const act = useAct(
    () => api(endUserSessions, { body: { userId: user.id, reason } }),
    { done: "Signed out everywhere", failed: "Failed to sign the user out" },
    onClose,
  );
  return (
    <ActionDialog
      title={`Sign ${nameOf(user)} out everywhere`}
      description="Every browser of theirs has to sign in again."
      confirm="Sign out everywhere"
      isPending={act.isPending}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      {field}
    </ActionDialog>
  );
}

/** Deletes an account; `onDeleted` follows when it is gone. */
export function DeleteDialog({ user, onDeleted, onClose }: UserDialogProps & { onDeleted: (() => void) | undefined }) {
  const { reason, field } = useReason();
  const act = useAct(
    () => api(deleteUserAccount, { body: { userId: user.id, reason } }),
    { done: "User account deleted successfully", failed: "Failed to delete user account" },
    () => {
      onClose();
      onDeleted?.();
    },
    user.id,
  );
  const name = nameOf(user);
  return (
    <ActionDialog
      title={`Delete ${name}?`}
      description={`The account of ${name === user.email ? name : `${name} (${user.email})`} is erased: profile, progress and sign-in. Purchases stay in the books without a name. This cannot be undone.`}
      confirm="Delete account"
      isDangerous
      isPending={act.isPending}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      {field}
    </ActionDialog>
  );
}
