import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getOwnSubscription, readCardLink } from "#contract/purchases/subscriptions.ts";

/** The signed-in student's tier, its sources, and the subscription that renews it. */
export const subscriptionQuery = queryOptions({
  queryKey: ["subscription"],
  queryFn: ({ signal }) => api(getOwnSubscription, { signal }),
});

/** What a link from an email is for. Each page asks the server again, and drops the reply when it closes. */
export function cardLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["card-link", token],
    queryFn: ({ signal }) => api(readCardLink, { body: { token }, signal }),
    gcTime: 0,
  });
}
