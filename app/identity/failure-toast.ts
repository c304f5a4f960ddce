import { ApiError, isSomebodyElse, messageOf, type WordsIn } from "#app/api/api.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { type ToastMessage, toast } from "#ui/toast/toast.ts";
import { keepForReturn } from "./resumable.ts";

/**
 * Says that something failed, in the server's own words where it gave some, else in `fallback`. Whose sign-in is over is
 * given the way to sign in again, and somebody else who signed in since the page as their own.
 */
export function toastFailure(title: string, error: unknown, fallback: string, wordsIn?: readonly WordsIn[]): void {
  toastRefusal(title, error, messageOf(error, fallback, wordsIn));
}

/** The same in words that stand fast, whatever the server says. */
export function toastRefusal(title: string, error: unknown, description: string): void {
  const action = linkFor(error);
  toast({ title, description, destructive: true, ...(action && { action }) });
}

/** The link that recovers from an ended sign-in; it leads back to this page and what was typed on it. */
export function linkFor(error: unknown): ToastMessage["action"] {
  const { pathname, search } = window.location;
  if (isSomebodyElse(error)) return { label: "Reload", to: pathname + search };
  const isSignedOut = error instanceof ApiError && error.status === 401;
  return isSignedOut ? { label: "Sign in", to: loginUrl(pathname + search), onPress: keepForReturn } : undefined;
}
