import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, isOutdated } from "#app/api/api.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { useAskForSignIn } from "#app/identity/fresh-sign-in.tsx";
import { isSignInAgain } from "#app/identity/sign-in-again.ts";
import { toast } from "#ui/toast/toast.ts";

/** What is said when an action went through, and when it did not. */
export interface ActionWords<Reply> {
  done: string | ((reply: Reply) => string);
  failed: string;
}

/**
 * An administrator's change. Once it went through it is said, `onDone` follows, and everything of the administration
 * that is on screen is fetched anew, the numbers at the top among it. Where the server wants a fresh sign-in first, the
 * administrator is asked for it.
 */
export function useAct<Input = void, Reply = unknown>(
  change: (input: Input) => Promise<Reply>,
  words: ActionWords<Reply>,
  onDone?: (reply: Reply) => void,
  /** The id of what is no more afterwards: it is not asked for again. */
  goneId?: string,
  /** Shows a failure where it belongs on the page; false for one that a toast must tell. */
  showFailure: (error: Error) => boolean = () => false,
): UseMutationResult<Reply, Error, Input> {
  const queryClient = useQueryClient();
  const askForSignIn = useAskForSignIn();
  return useMutation({
    mutationFn: change,
    onSuccess: (reply) => {
      toast({ title: typeof words.done === "string" ? words.done : words.done(reply) });
      onDone?.(reply);
      // Not waited for: what was asked is done, and a list that does not load says so itself.
      queryClient.invalidateQueries({
        queryKey: ["admin"],
        predicate: ({ queryKey }) => goneId === undefined || queryKey[2] !== goneId,
      });
    },
    onError: (error) => {
      if (isOutdated(error)) queryClient.invalidateQueries({ queryKey: ["admin"] });
      if (isSignInAgain(error)) askForSignIn();
      else if (!showFailure(error)) toastFailure(words.failed, error, adviceAbout(error));
    },
  });
}

/** What to do about a failure that the server says nothing about. */
function adviceAbout(error: Error): string {
  const isUnreachable = error instanceof ApiError && error.status === 0;
  return isUnreachable ? "Check your connection and try again." : "Try again in a moment.";
}
