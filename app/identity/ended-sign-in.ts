import { hashKey, type QueryClient } from "@tanstack/react-query";
import { isRefusal, isSomebodyElse, messageOf } from "#app/api/api.ts";
import { offerRecovery } from "#ui/feedback/recovery.ts";
import { currentUserQuery } from "./current-user.ts";
import { linkFor } from "./failure-toast.ts";

/**
 * Offers a sign-in on a page whose session ended while it was open, such as by signing out in another tab. What is
 * already on screen stays, because the user may be typing.
 */
export function watchForEndedSignIn(queryClient: QueryClient): void {
  const ownHash = hashKey(currentUserQuery.queryKey);
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    // The user has signed in again in another tab.
    if (event.action.type === "success" && event.query.queryHash === ownHash) offerRecovery(null);
    if (event.action.type !== "error") return;
    const { error } = event.action;
    // It may be required since the page was opened.
    if (isRefusal(error, "second-factor-required")) queryClient.invalidateQueries(currentUserQuery);
    const link = linkFor(error);
    const ended = "Your sign-in has ended. Sign in to come back to this page.";
    if (link) offerRecovery({ sentence: isSomebodyElse(error) ? messageOf(error, ended) : ended, link });
  });
  const recheck = () => queryClient.refetchQueries(currentUserQuery, { cancelRefetch: false });
  window.addEventListener("focus", recheck);
  document.addEventListener("visibilitychange", () => document.hidden || recheck());
  // Safari and Firefox restore a page that was left by signing out. It must not show its user again.
  window.addEventListener("pageshow", async ({ persisted }) => {
    if (!persisted) return;
    await recheck();
    if (linkFor(queryClient.getQueryState(currentUserQuery.queryKey)?.error)) window.location.reload();
  });
}
