import { queryOptions, useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { api } from "#app/api/api.ts";
import { OnPageContext } from "#app/plans/on-page.ts";
import { getOffer, type OfferOnPages } from "#contract/offer.ts";

export const offerQuery = queryOptions({
  queryKey: ["offer"],
  queryFn: ({ signal }) => api(getOffer, { signal }),
});

/** The published offer. The one in the page serves until the server has answered. */
export function usePublishedOffer(): OfferOnPages | null {
  const onPage = useContext(OnPageContext);
  return useQuery(offerQuery).data ?? onPage?.offer ?? null;
}
