import { loginUrl } from "#contract/identity/identity.ts";
import { ApiError, messageOf } from "../api.ts";
import { toast } from "../ui/feedback/toast.tsx";

/**
 * Says that something failed, in the server's own words where it gave some, else in `fallback`. Whose sign-in is over is
 * given the way to sign in again, from where it leads back to this page.
 */
export function toastFailure(title: string, error: unknown, fallback: string): void {
  const isSignedOut = error instanceof ApiError && error.problem?.code === "not-signed-in";
  const { pathname, search } = window.location;
  toast({
    title,
    description: messageOf(error, fallback),
    destructive: true,
    ...(isSignedOut && { action: { label: "Sign in", to: loginUrl(pathname + search) } }),
  });
}
