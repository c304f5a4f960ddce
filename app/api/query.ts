import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  notifyManager,
  QueryClient,
  type QueryKey,
  queryOptions,
} from "@tanstack/react-query";
import type { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { ApiError, api, type CallArguments, isSomebodyElse } from "./api.ts";

// Notifies queries in a microtask, so that a result is rendered before the next click. By default it comes a task
// later, and the second click of a double click could act again.
notifyManager.setScheduler(queueMicrotask);

class AppQueryClient extends QueryClient {
  /** Also starts first loads anew. The library lets them go on, and would take a reply from before the change. */
  override async invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    const loading = this.getQueryCache().findAll({ ...filters, type: "active", fetchStatus: "fetching" });
    const first = loading.filter(({ state }) => state.data === undefined);
    await Promise.all(first.map((query) => query.cancel({ revert: true })));
    await super.invalidateQueries(filters, options);
  }
}

/**
 * The default policy for server data: no retries, never stale, cached until invalidated, no refetch on focus or by
 * interval. Queries override it where the specification requires it.
 */
export function createQueryClient(): QueryClient {
  return new AppQueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
      },
      // Offline, a change fails at once. By default it would wait, and be made by itself when the browser is back.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/**
 * The query of an endpoint. Its key begins with the path's area, such as `admin`, which invalidates all of that area,
 * and the path, which invalidates all its calls.
 */
export function queryOf<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
>(endpoint: Endpoint<Params, Query, Body, Reply>, ...[call]: CallArguments<Params, Query, Body>) {
  const { path } = endpoint;
  const queryKey: QueryKey = [...keyOf(path), ...(call ? [call] : [])];
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => api(endpoint, ...([{ ...call, signal }] as unknown as CallArguments<Params, Query, Body>)),
  });
}

/** The key of a call without parameters. */
export function keyOf(path: string): QueryKey {
  return [path.split("/")[2], path];
}

/** For what the server must compute anew, such as the preview of an action that is about to be confirmed. */
export const uncached = { staleTime: 0, gcTime: 0 } as const;

/** The reply, or null when the server says that nobody is signed in. Other failures still reject. */
export async function nullWhenSignedOut<Reply>(reply: Promise<Reply>): Promise<Reply | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && !isSomebodyElse(error)) return null;
    throw error;
  }
}
