import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Button } from "#ui/controls/button.tsx";

interface ShowMoreProps {
  list: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  /** Completes "Show more". */
  what: string;
}

/** Loads the next page of the list before it, and focuses its first item. Absent on the last page. */
export function ShowMore({ list: { hasNextPage, isFetchingNextPage, fetchNextPage }, what }: ShowMoreProps) {
  /** The last item of the list when its next page was asked for. */
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const first = last.current?.nextElementSibling;
    if (isFetchingNextPage || !(first instanceof HTMLElement)) return;
    last.current = null;
    first.tabIndex = -1;
    first.focus();
  }, [isFetchingNextPage]);
  if (!hasNextPage) return null;
  return (
    <Button
      variant="outline"
      className="justify-self-start"
      pending={isFetchingNextPage}
      onClick={({ currentTarget }) => {
        last.current = currentTarget.previousElementSibling?.lastElementChild ?? null;
        void fetchNextPage();
      }}
    >
      Show more {what}
    </Button>
  );
}
