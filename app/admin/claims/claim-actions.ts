import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { type ClaimsMoved, listClaims, restoreClaims, withdrawClaims } from "#contract/admin/claims.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { useAct } from "../act.ts";

const said = (what: string) => (reply: ClaimsMoved) => `${formatCountOf(reply.moved.length, "claim")} ${what}`;

/** Removes claims from the pages. Null means all without proof. */
export function useWithdraw(onDone?: (reply: ClaimsMoved) => void) {
  const follow = useOwnPages(onDone);
  return useAct(
    (only: readonly string[] | null) => api(withdrawClaims, { body: only ? { only: [...only] } : {} }),
    { done: said("removed from all pages"), failed: "Failed to remove claims" },
    follow,
  );
}

export function useRestore(onDone?: (reply: ClaimsMoved) => void) {
  const follow = useOwnPages(onDone);
  return useAct(
    (only: readonly string[]) => api(restoreClaims, { body: { only: [...only] } }),
    { done: said("restored on the pages"), failed: "Failed to restore claims" },
    follow,
  );
}

/** The public pages in this document show the claims too, so their queries are invalidated. */
function useOwnPages(onDone: ((reply: ClaimsMoved) => void) | undefined) {
  const queryClient = useQueryClient();
  return (reply: ClaimsMoved) => {
    const { moved: _, ...list } = reply;
    queryClient.setQueryData(queryOf(listClaims).queryKey, list);
    for (const queryKey of [["plans"], ["offer"], ["claims"]]) queryClient.invalidateQueries({ queryKey });
    onDone?.(reply);
  };
}
