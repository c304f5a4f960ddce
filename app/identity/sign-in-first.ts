import { useEffect } from "react";
import { useLocation } from "react-router";
import { loginUrl } from "#contract/identity/identity.ts";

/** Sends visitors to sign in, from where they come back to this address. */
export function useSignInFirst(isVisitor: boolean): void {
  const { pathname, search } = useLocation();
  const returnTo = pathname + search;
  useEffect(() => {
    if (isVisitor) window.location.replace(loginUrl(returnTo));
  }, [isVisitor, returnTo]);
}
