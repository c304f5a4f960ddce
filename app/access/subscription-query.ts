import { queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { getOwnSubscription, readCardLink } from "#contract/purchases/subscriptions.ts";

/** What the signed-in student may use and why, and the subscription that renews it. */
export const subscriptionQuery = queryOptions({
  queryKey: ["subscription"],
  queryFn: ({ signal }) => api(getOwnSubscription, { signal }),
});

/** What the link of a mail is for. Asked anew by each page that has one, and forgotten with it. */
export function cardLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["card-link", token],
    queryFn: ({ signal }) => api(readCardLink, { body: { token }, signal }),
    gcTime: 0,
  });
}
