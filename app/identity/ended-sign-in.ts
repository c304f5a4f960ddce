import type { QueryClient } from "@tanstack/react-query";
import { messageOf } from "#app/api/api.ts";
import { offerRecovery } from "#ui/feedback/recovery.ts";
import { linkFor } from "./failure-toast.ts";

/**
 * Offers a sign-in on a page whose session ended while it was open. What is already on screen stays, because the user may
 * be typing.
 */
export function watchForEndedSignIn(queryClient: QueryClient): void {
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "error") return;
    const { error } = event.action;
    const link = linkFor(error);
    if (link) offerRecovery({ sentence: messageOf(error, "Your sign-in has ended."), link });
  });
}
