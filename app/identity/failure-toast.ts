import { ApiError, messageOf, type WordsIn } from "#app/api/api.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { toast } from "#ui/feedback/toast.tsx";

/**
 * Says that something failed, in the server's own words where it gave some, else in `fallback`. Whose sign-in is over is
 * given the way to sign in again.
 */
export function toastFailure(title: string, error: unknown, fallback: string, wordsIn?: readonly WordsIn[]): void {
  toastRefusal(title, error, messageOf(error, fallback, wordsIn));
}

/** The same in words that stand fast, whatever the server says. */
export function toastRefusal(title: string, error: unknown, description: string): void {
  const isSignedOut = error instanceof ApiError && error.status === 401;
  const { pathname, search } = window.location;
  toast({
    title,
    description,
    destructive: true,
    // It leads back to this page.
    ...(isSignedOut && { action: { label: "Sign in", to: loginUrl(pathname + search) } }),
  });
}
