import { queryOptions } from "@tanstack/react-query";
import { getMembership, readCardLink } from "#contract/purchases/memberships.ts";
import { api } from "../api.ts";

/** What the signed-in student may use and why, and the membership that renews it. */
export const membershipQuery = queryOptions({
  queryKey: ["membership"],
  queryFn: ({ signal }) => api(getMembership, { signal }),
});

/** What the link of a mail is for. Asked anew by each page that has one, and forgotten with it. */
export function cardLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["card-link", token],
    queryFn: ({ signal }) => api(readCardLink, { body: { token }, signal }),
    gcTime: 0,
  });
}
