import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import {
  type BulkOperation,
  getBulkAction,
  listBulkActions,
  listBulkPeople,
  previewBulkAction,
  previewUndo,
  type UserSelection,
} from "#contract/admin/bulk-actions.ts";

const pollMilliseconds = 1000;

/** Never cached: the administrator confirms what the server says now. */
export const bulkPreviewQuery = (selection: UserSelection, operation: BulkOperation, isComplete: boolean) =>
  queryOptions({
    queryKey: ["admin", "bulk-preview", selection, operation],
    queryFn: ({ signal }) => api(previewBulkAction, { body: { selection, operation }, signal }),
    enabled: isComplete,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export const undoPreviewQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "undo-preview", id],
    queryFn: ({ signal }) => api(previewUndo, { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/** Polled while the action runs. */
export const bulkActionQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "bulk-action", id],
    queryFn: ({ signal }) => api(getBulkAction, { params: { id }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === "running" ? pollMilliseconds : false),
  });

export const bulkActionsQuery = queryOptions({
  queryKey: ["admin", "bulk-actions"],
  queryFn: ({ signal }) => api(listBulkActions, { signal }),
});

export const bulkPeopleQuery = (id: string, outcome: "done" | "skipped", after: string | undefined) =>
  queryOptions({
    queryKey: ["admin", "bulk-people", id, outcome, after],
    queryFn: ({ signal }) => api(listBulkPeople, { params: { id }, query: { outcome, limit: 50, after }, signal }),
    placeholderData: keepPreviousData,
  });
