import { api } from "#app/api/api.ts";
import {
  type AdminUser,
  cancelUserSubscription,
  deleteUserAccount,
  endUserSessions,
  Suspension,
  seeAsStudent,
  suspendAccount,
} from "#contract/admin/users.ts";
import { holdDialog, type ReasonDialogOf, reactivateDialog } from "../account-dialogs.ts";
import { nameOf } from "../words.tsx";

export type UserAction = "cancel" | "suspend" | "hold" | "reactivate" | "end-sessions" | "see" | "delete";

/** The dialogs of a user's actions that need nothing but a reason. */
export function userDialogs(user: AdminUser): Readonly<Record<UserAction, ReasonDialogOf>> {
  const userId = user.id;
  const name = nameOf(user);
  return {
    cancel: {
      about: userId,
      title: `Cancel the subscription of ${name}`,
      description: "It won’t renew. The course stays open until the end of the paid period.",
      confirm: "Cancel Subscription",
      isDangerous: true,
      act: (reason) => api(cancelUserSubscription, { body: { userId, reason } }),
      words: { done: "User subscription cancelled successfully", failed: "Failed to cancel user subscription" },
    },
    suspend: {
      about: userId,
      title: `Suspend ${name}`,
      description: "The course closes right away, and we don’t charge anything until you reactivate the account.",
      confirm: "Suspend",
      isDangerous: true,
      schema: Suspension.pick({ reason: true }),
      reasonHint: "The student sees it.",
      act: (reason = "") => api(suspendAccount, { body: { userId, reason } }),
      words: { done: "Account suspended successfully", failed: "Failed to suspend account" },
    },
    hold: holdDialog(userId, name, user.may.hold ?? ""),
    reactivate: reactivateDialog(userId, name),
    "end-sessions": {
      about: userId,
      title: `Sign ${name} out everywhere`,
      description: "They’ll have to sign in again in every browser.",
      confirm: "Sign out everywhere",
      act: (reason) => api(endUserSessions, { body: { userId, reason } }),
      words: { done: "Signed out everywhere", failed: "Failed to sign the user out" },
    },
    see: {
      about: userId,
      title: `See the academy as ${name}`,
      description:
        "For 15 minutes, this browser shows you what the student sees. You can’t change anything, and nothing counts as watched. The audit log records when you start and stop.",
      confirm: "See as this student",
      act: (reason) => api(seeAsStudent, { body: { userId, reason } }),
      words: {
        done: `You’re seeing the academy as ${name}`,
        failed: "We couldn’t show you the academy as this student",
      },
    },
    delete: {
      about: userId,
      title: `Delete ${name}?`,
      description: `We’ll delete the account of ${name === user.email ? name : `${name} (${user.email})`} with its profile, progress and sign-in. Purchases stay in your records without a name. This cannot be undone.`,
      confirm: "Delete account",
      isDangerous: true,
      act: (reason) => api(deleteUserAccount, { body: { userId, reason } }),
      words: { done: "User account deleted successfully", failed: "Failed to delete user account" },
      goneId: userId,
    },
  };
}
