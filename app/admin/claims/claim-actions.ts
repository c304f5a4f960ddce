import { useQueryClient } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { type ClaimsMoved, listClaims, restoreClaims, withdrawClaims } from "#contract/admin/claims.ts";
import { useAct } from "../act.ts";

const said = (what: string) => (reply: ClaimsMoved) =>
  `${reply.moved.length === 1 ? "1 claim is" : `${reply.moved.length} claims are`} ${what}`;

/** Takes claims off the pages. Null means all unbacked claims. */
export function useWithdraw(onDone?: (reply: ClaimsMoved) => void) {
  const follow = useOwnPages(onDone);
  return useAct(
    (only: readonly string[] | null) => api(withdrawClaims, { body: only ? { only: [...only] } : {} }),
    { done: said("off all pages"), failed: "Failed to remove claims" },
    follow,
  );
}

export function useRestore(onDone?: (reply: ClaimsMoved) => void) {
  const follow = useOwnPages(onDone);
  return useAct(
    (only: readonly string[]) => api(restoreClaims, { body: { only: [...only] } }),
    { done: said("on the pages again"), failed: "Failed to restore claims" },
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
