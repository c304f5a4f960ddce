import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { Pager } from "#ui/table.tsx";
import type { useAddress } from "./address.ts";

/** Rows per page. The server's default. */
export const pageSize = 50;
/** The number of pages to go back by, which limits the length of the URL. */
const maxCursors = 50;

/**
 * The page of a long list, from the URL. `cursors` holds the last row's id of each page before it. The page begins
 * after the last cursor.
 */
export function pageOf({ read, write }: ReturnType<typeof useAddress>) {
  const cursors = read("cursors").split(".").filter(Boolean);
  const page = Math.max(1, Number.parseInt(read("page"), 10) || 1);
  const after = cursors.at(-1);
  return {
    query: after ? { limit: pageSize, after } : { limit: pageSize },
    offset: after ? (page - 1) * pageSize : 0,
    next: (lastId: string) => write({ cursors: [...cursors, lastId].slice(-maxCursors).join("."), page: page + 1 }),
    previous: after ? () => write({ cursors: cursors.slice(0, -1).join("."), page: page - 1 }) : null,
    /** Changes the filter or the order, and returns to the first page. `replace` adds no history entry. */
    refine: (changes: Readonly<Record<string, string | null>>, replace = false) =>
      write({ ...changes, cursors: null, page: null }, { replace }),
  };
}

interface PagedListProps<Row extends { id: string }> {
  list: UseQueryResult<Row[]>;
  count: UseQueryResult<{ total: number }>;
  page: ReturnType<typeof pageOf>;
  /** What the rows are, such as "users". */
  what: string;
  /** Shown when no row matches the filter. Defaults to a sentence. */
  empty?: ReactNode;
  children: (rows: readonly Row[], isStale: boolean) => ReactNode;
}

/** A page of a list with a pager. Also shows when the list is loading, is empty or has failed to load. */
export function PagedList<Row extends { id: string }>({
  list,
  count,
  page,
  what,
  empty,
  children,
}: PagedListProps<Row>) {
  const rows = list.data;
  if (!rows)
    return list.isPending ? <PartLoading what={what} /> : <PartFailed what={`the ${what}`} retry={list.refetch} />;
  const total = count.data?.total ?? null;
  const last = rows.at(-1);
  const hasMore = total === null ? rows.length === pageSize : page.offset + rows.length < total;
  if (!last && page.offset === 0)
    return <div className="border-line border-y py-12 text-center">{empty ?? `No ${what} found`}</div>;
  return (
    <>
      {list.isError && <PartFailed what={`the ${what}`} retry={list.refetch} />}
      {children(rows, list.isPlaceholderData)}
      <Pager
        offset={page.offset}
        shown={rows.length}
        total={total}
        onPrevious={page.previous}
        onNext={last && hasMore ? () => page.next(last.id) : null}
      />
    </>
  );
}
