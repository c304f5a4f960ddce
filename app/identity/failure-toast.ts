import { ApiError, isSomebodyElse, messageOf, type WordsIn } from "#app/api/api.ts";
import { keepForReturn } from "#app/editing/resumable.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { type ToastMessage, toast } from "#ui/toast/toast.ts";

/**
 * Shows a failure with the server's sentence, or with `fallback` if there is none. Offers to sign in again when the
 * session has ended, and to reload when another user has signed in since.
 */
export function toastFailure(title: string, error: unknown, fallback: string, wordsIn?: readonly WordsIn[]): void {
  toastRefusal(title, error, messageOf(error, fallback, wordsIn));
}

/** The same with a fixed description instead of the server's sentence. */
export function toastRefusal(title: string, error: unknown, description: string): void {
  const action = linkFor(error);
  toast({ title, description, destructive: true, ...(action && { action }) });
}

/** A link back to this page by way of the sign-in, which also restores typed text. Undefined for other failures. */
export function linkFor(error: unknown): ToastMessage["action"] {
  const { pathname, search } = window.location;
  if (isSomebodyElse(error)) return { label: "Reload", to: pathname + search };
  const isSignedOut = error instanceof ApiError && error.status === 401;
  return isSignedOut ? { label: "Sign in", to: loginUrl(pathname + search), onPress: keepForReturn } : undefined;
}
