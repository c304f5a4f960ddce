import type { QueryClient } from "@tanstack/react-query";
import { isRefusal, isSomebodyElse, messageOf } from "#app/api/api.ts";
import { offerRecovery } from "#ui/feedback/recovery.ts";
import { currentUserQuery } from "./current-user.ts";
import { linkFor } from "./failure-toast.ts";

/**
 * Offers a sign-in on a page whose session ended while it was open. What is already on screen stays, because the user may
 * be typing.
 */
export function watchForEndedSignIn(queryClient: QueryClient): void {
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "error") return;
    const { error } = event.action;
    // It may be required since the page was opened.
    if (isRefusal(error, "second-factor-required")) queryClient.invalidateQueries(currentUserQuery);
    const link = linkFor(error);
    const ended = "Your sign-in has ended. Sign in to come back to this page.";
    if (link) offerRecovery({ sentence: isSomebodyElse(error) ? messageOf(error, ended) : ended, link });
  });
}
