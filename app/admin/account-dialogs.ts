import type { ComponentProps } from "react";
import { api } from "#app/api/api.ts";
import type { Done } from "#contract/admin/admin.ts";
import { holdAccount } from "#contract/admin/purchases.ts";
import { reactivateAccount } from "#contract/admin/users.ts";
import type { ReasonDialog } from "./reason-dialog.tsx";

/** A ReasonDialog without what follows from its page. */
export type ReasonDialogOf = Omit<ComponentProps<typeof ReasonDialog<Done>>, "onClose" | "onDone">;

/** Puts a subscriber's account on hold. Opened from the user's page and from the purchase. */
export function holdDialog(userId: string, name: string, subscriptionId: string): ReasonDialogOf {
  return {
    about: subscriptionId,
    title: `Put ${name} on hold`,
    description: "The course closes, and we don’t charge anything until you reactivate the account.",
    confirm: "Hold Account",
    isDangerous: true,
    reasonHint: "The student sees it.",
    act: (reason) => api(holdAccount, { body: { userId, subscriptionId, reason } }),
    words: { done: "Account placed on hold", failed: "Failed to hold account" },
  };
}

/** Reactivates an account that is on hold, suspended or declined. */
export function reactivateDialog(userId: string, name: string): ReasonDialogOf {
  return {
    about: userId,
    title: `Reactivate ${name}`,
    description:
      "The course opens again. We don’t charge anything now. If a payment is due, the course stays open for at most three days, and only once until the student pays.",
    confirm: "Reactivate",
    act: (reason) => api(reactivateAccount, { body: { userId, reason } }),
    words: { done: ({ message }) => message, failed: "Failed to reactivate account" },
  };
}
