import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { onPage } from "#app/plans/on-page.ts";
import { getOffer, type Offer } from "#contract/offer.ts";

const offerQuery = queryOptions({
  queryKey: ["offer"],
  queryFn: ({ signal }) => api(getOffer, { signal }),
});

/** The offer as its owner published it; the one that came with the page until the server has answered. */
export function usePublishedOffer(): Offer | null {
  const queryClient = useQueryClient();
  return useQuery(offerQuery).data ?? onPage(queryClient)?.offer ?? null;
}
