import { queryOptions, useQuery } from "@tanstack/react-query";
import { offer as builtIn } from "#content/offer.ts";
import { getOffer, type Offer } from "#contract/offer.ts";
import { api } from "../../api.ts";

const offerQuery = queryOptions({
  queryKey: ["offer"],
  queryFn: ({ signal }) => api(getOffer, { signal }),
});

/** The offer as its owner published it; the built-in one until the server has answered, and when it cannot. */
export function usePublishedOffer(): Offer {
  return useQuery(offerQuery).data ?? builtIn;
}
