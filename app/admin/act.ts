import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, isOutdated } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { toast } from "#ui/toast/toast.ts";

/** The toast titles of an action: after success and after a failure. */
export interface ActionWords<Reply> {
  done: string | ((reply: Reply) => string);
  failed: string;
}

/**
 * A mutation for administrators. On success it shows a toast, calls `onDone` and refetches all admin queries on screen,
 * including the numbers at the top. It is pending until they have come, so that its button does not act on the old state.
 */
export function useAct<Input = void, Reply = unknown>(
  change: (input: Input) => Promise<Reply>,
  words: ActionWords<Reply>,
  onDone?: (reply: Reply) => void,
): UseMutationResult<Reply, Error, Input> {
  const { succeed, fail } = useOutcome(words, onDone);
  return useMutation({ mutationFn: change, onSuccess: succeed, onError: (error) => fail(error, false) });
}

/** Toasts and fresh queries after an action. Those of `goneId`, which the action deletes, are not refetched. */
export function useOutcome<Reply>(words: ActionWords<Reply>, onDone?: (reply: Reply) => void, goneId?: string) {
  const queryClient = useQueryClient();
  return {
    async succeed(reply: Reply): Promise<void> {
      toast({ title: typeof words.done === "string" ? words.done : words.done(reply) });
      onDone?.(reply);
      const isGone = ({ queryKey }: { queryKey: QueryKey }) => goneId !== undefined && isAbout(goneId, queryKey);
      // Does not reject: a list that fails to reload shows its own error.
      await queryClient.invalidateQueries({ queryKey: ["admin"], predicate: (query) => !isGone(query) });
      // Going back must not show it again.
      queryClient.removeQueries({ type: "inactive", predicate: isGone });
    },
    fail(error: unknown, isShown: boolean): void {
      if (isOutdated(error)) queryClient.invalidateQueries({ queryKey: ["admin"] });
      if (!isShown) toastFailure(words.failed, error, adviceAbout(error));
    },
  };
}

/** Whether the id is in the path of the query's call. */
function isAbout(id: string, [, , call]: QueryKey): boolean {
  const { params = {} } = (call ?? {}) as { params?: Record<string, unknown> };
  return Object.values(params).includes(id);
}

/** The advice for a failure that comes without a message from the server. */
function adviceAbout(error: unknown): string {
  const isUnreachable = error instanceof ApiError && error.status === 0;
  return isUnreachable ? "Check your connection and try again." : "Try again in a moment.";
}
