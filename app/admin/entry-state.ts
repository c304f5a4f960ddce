import { useEffect, useState } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router";
import { ofEntry, useResumable } from "#app/editing/resumable.ts";

/** State in the page's history entry, which survives reloading, going back and a sign-in. Values must be plain data. */
export function useEntryState<Value>(name: string) {
  const { pathname, search, hash, state, key } = useLocation();
  const navigate = useNavigate();
  const kept: Value | null = state?.[name] ?? null;
  const [value, setValue] = useResumable<Value | null>(ofEntry + name, kept);
  const isBack = useNavigationType() === "POP";
  const [shownKey, setShownKey] = useState(key);
  if (shownKey !== key) {
    setShownKey(key);
    if (isBack) setValue(kept);
  }
  const isKept = JSON.stringify(kept) === JSON.stringify(value);
  useEffect(() => {
    const { location } = window;
    // The browser may already be on its way to another entry, whose state must not change.
    if (isKept || location.pathname + location.search !== pathname + search) return;
    navigate({ search, hash }, { replace: true, preventScrollReset: true, state: { ...state, [name]: value } });
  }, [isKept, name, value, pathname, search, hash, state, navigate]);
  return [value, setValue] as const;
}
