import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useResumable } from "#app/identity/resumable.ts";

/** State that stays with the page's entry in the history: reloading, going back and a sign-in on the way keep it. Plain data. */
export function useEntryState<Value>(name: string) {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const kept: Value | null = state?.[name] ?? null;
  const [value, setValue] = useResumable<Value | null>(name, kept);
  const isKept = JSON.stringify(kept) === JSON.stringify(value);
  useEffect(() => {
    const { location } = window;
    // The browser may be on its way to another entry, which is not this one's to change.
    if (isKept || location.pathname + location.search !== pathname + search) return;
    navigate({ search, hash }, { replace: true, preventScrollReset: true, state: { ...state, [name]: value } });
  }, [isKept, name, value, pathname, search, hash, state, navigate]);
  return [value, setValue] as const;
}
