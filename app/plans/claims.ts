import { queryOptions, useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { api } from "#app/api/api.ts";
import { getClaims, type PageClaims } from "#contract/page-facts.ts";
import { OnPageContext } from "./on-page.ts";

const claimsQuery = queryOptions({
  queryKey: ["claims"],
  queryFn: ({ signal }) => api(getClaims, { signal }),
});

/** The academy's claims. Those in the page serve until the server has answered. */
export function useClaims(): PageClaims | null {
  const onPage = useContext(OnPageContext);
  return useQuery(claimsQuery).data ?? onPage?.claims ?? null;
}
