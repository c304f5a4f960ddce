import { notifyManager, QueryClient } from "@tanstack/react-query";
import { ApiError, isSomebodyElse } from "./api.ts";

// What a press changed is on screen before the next press arrives, however quick: by default it would be a turn later,
// and the second press of a double click could act once more.
notifyManager.setScheduler(queueMicrotask);

/**
 * The one policy for server data: never retried, never stale, kept until invalidated, not fetched again when the
 * window is focused or on an interval. A query says so itself where the specification wants otherwise.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        refetchInterval: false,
      },
      mutations: { retry: false },
    },
  });
}

/** The reply, or null when the server answers that nobody is signed in; every other failure stays one. */
export async function nullWhenSignedOut<Reply>(reply: Promise<Reply>): Promise<Reply | null> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && !isSomebodyElse(error)) return null;
    throw error;
  }
}
