import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "#ui/controls/button.tsx";

interface ShowMoreProps {
  list: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  /** Completes "Show more". */
  what: string;
}

/** Loads the next page of a list. Absent on its last one. */
export function ShowMore({ list: { hasNextPage, isFetchingNextPage, fetchNextPage }, what }: ShowMoreProps) {
  if (!hasNextPage) return null;
  return (
    <Button
      variant="outline"
      className="justify-self-start"
      pending={isFetchingNextPage}
      onClick={() => void fetchNextPage()}
    >
      Show more {what}
    </Button>
  );
}
