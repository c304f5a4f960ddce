import { useEffect, useState } from "react";
import { viewer } from "#app/api/api.ts";
import { viewerHeader } from "#contract/identity/identity.ts";

const storageKey = "resumed-after-sign-in";
/** Anybody who signs in at all is back by then; what was typed longer ago would only surprise. */
const longestAway = 10 * 60_000;

/** What the page shows now, by name. */
const live = new Map<string, unknown>();
/** What it showed when this browser left for the sign-in, and to whom; each is taken once. */
const { left, leftBy } = takeLeft();

/**
 * State that outlives a sign-in on the way: a dialog that was open opens again, with what was typed into it. `name` is
 * unique among what is on screen together; values are plain data.
 */
export function useResumable<Value>(name: string, initial: Value) {
  const [value, setValue] = useState<Value>(() =>
    // Somebody else may have signed in.
    left.has(name) && leftBy === viewer[viewerHeader] ? (left.get(name) as Value) : initial,
  );
  useEffect(() => {
    left.delete(name);
    live.set(name, value);
    return () => void live.delete(name);
  }, [name, value]);
  return [value, setValue] as const;
}

/** Keeps what is on screen until this browser comes back to the same page. */
export function keepForReturn(): void {
  const { pathname } = window.location;
  // JSON would make null of what is undefined.
  const values = [...live].filter(([, value]) => value !== undefined);
  const kept = { pathname, leftAt: Date.now(), leftBy: viewer[viewerHeader], values };
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // Blocked or full: it is typed once more.
  }
}

function takeLeft(): { left: Map<string, unknown>; leftBy?: string } {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    sessionStorage.removeItem(storageKey);
    const isOurs = kept?.pathname === window.location.pathname && Date.now() - kept.leftAt < longestAway;
    return isOurs ? { left: new Map(kept.values), leftBy: kept.leftBy } : { left: new Map() };
  } catch {
    return { left: new Map() };
  }
}
