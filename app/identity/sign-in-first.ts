import { useEffect } from "react";
import { useLocation } from "react-router";
import { loginUrl } from "#contract/identity/identity.ts";

/** Redirects visitors to the sign-in, and from there back to this URL. */
export function useSignInFirst(isVisitor: boolean): void {
  const { pathname, search } = useLocation();
  const returnTo = pathname + search;
  useEffect(() => {
    if (isVisitor) window.location.replace(loginUrl(returnTo));
  }, [isVisitor, returnTo]);
}
