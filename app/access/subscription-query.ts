import { queryOptions } from "@tanstack/react-query";
import { queryOf } from "#app/api/query.ts";
import { getOwnSubscription, readCardLink } from "#contract/purchases/subscriptions.ts";

/** The signed-in student's tier, its sources, and the subscription that renews it. */
export const subscriptionQuery = queryOf(getOwnSubscription);

/** What a link from an email is for. Each page asks the server again, and drops the reply when it closes. */
export function cardLinkQuery(token: string) {
  return queryOptions({
    ...queryOf(readCardLink, { body: { token } }),
    gcTime: 0,
  });
}
