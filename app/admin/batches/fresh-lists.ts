import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** Refetches the lists once a batch has ended, of which this is the id: also if it had before it was first seen. */
export function useFreshLists(ended: string | null): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (ended) queryClient.invalidateQueries({ queryKey: ["admin"] });
  }, [ended, queryClient]);
}
