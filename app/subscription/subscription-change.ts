import { useMutation, useQueryClient } from "@tanstack/react-query";
import { courseAccessQuery } from "#app/access/course-access-query.ts";
import { purchasesQuery } from "#app/access/purchases-query.ts";
import { subscriptionQuery } from "#app/access/subscription-query.ts";
import { api } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import {
  cancelOwnSubscription,
  resumeOwnSubscription,
  type SubscriptionOverview,
} from "#contract/purchases/subscriptions.ts";
import { formatDay } from "#ui/format/dates.ts";
import { toast } from "#ui/toast/toast.ts";

/** Cancels and resumes the subscription. The page changes only after the server's reply. */
export function useSubscriptionChange() {
  const queryClient = useQueryClient();

  function show(overview: SubscriptionOverview): void {
    queryClient.setQueryData(subscriptionQuery.queryKey, overview);
    queryClient.invalidateQueries({ queryKey: purchasesQuery.queryKey });
    queryClient.invalidateQueries({ queryKey: courseAccessQuery.queryKey });
  }

  function showFailed(fallback: string, error: unknown): void {
    toastFailure("Error", error, fallback);
    // Another tab may have changed it.
    queryClient.invalidateQueries({ queryKey: subscriptionQuery.queryKey });
  }

  const cancel = useMutation({
    mutationFn: () => api(cancelOwnSubscription, { body: {} }),
    onSuccess: (overview) => {
      show(overview);
      const until = overview.subscription?.accessUntil ?? overview.access.until;
      toast({
        title: "Membership cancelled",
        description: `You won't be charged again.${until ? ` The course stays open until ${formatDay(until)}.` : ""}`,
      });
    },
    onError: (error) => showFailed("We couldn't cancel your membership. Please try again.", error),
  });

  const resume = useMutation({
    mutationFn: () => api(resumeOwnSubscription, { body: {} }),
    onSuccess: (overview) => {
      show(overview);
      toast({ title: "Membership resumed", description: "It renews as before. You weren't charged today." });
    },
    onError: (error) => showFailed("We couldn't resume your membership. Please try again.", error),
  });

  return { cancel, resume };
}
