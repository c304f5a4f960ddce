import { useEffect, useState } from "react";
import { type Interrupted, viewer } from "#app/api/api.ts";
import { viewerHeader } from "#contract/identity/identity.ts";

const storageKey = "resumed-after-sign-in";
/** Signing in takes less than this. Restoring older input would be unexpected. */
const maxAwayMilliseconds = 10 * 60_000;

/** The current values on the page, by name. */
const live = new Map<string, unknown>();
/** The values from before the sign-in, and the user who left them. Each is restored once. */
const { left, leftBy, ...before } = takeLeft();
let { interrupted = null } = before;

/**
 * State that survives a sign-in: an open dialog opens again, with its input. `name` must be unique on the page, and
 * values must be plain data.
 */
export function useResumable<Value>(name: string, initial: Value) {
  const [value, setValue] = useState<Value>(() =>
    // Only for the same user: another one may have signed in.
    left.has(name) && leftBy === viewer[viewerHeader] ? (left.get(name) as Value) : initial,
  );
  useEffect(() => {
    left.delete(name);
    live.set(name, value);
    return () => void live.delete(name);
  }, [name, value]);
  return [value, setValue] as const;
}

/** Whether the same user left a request unfinished on this page. */
export function hasInterrupted(): boolean {
  return interrupted !== null && leftBy === viewer[viewerHeader];
}

/** Returns that request, once. */
export function takeInterrupted(): Interrupted | null {
  const taken = hasInterrupted() ? interrupted : null;
  interrupted = null;
  return taken;
}

/** Discards the restored state, when what it was for is done. */
export function forgetLeft(): void {
  left.clear();
}

/**
 * Stores the page's state until this browser returns to the same page, and what is to be sent then. A file or a form
 * cannot be stored.
 */
export function keepForReturn(request?: Interrupted): void {
  const { pathname } = window.location;
  // JSON turns undefined into null.
  const values = [...live].filter(([, value]) => value !== undefined);
  const isSent = request !== undefined && request.method !== "GET" && request.body !== null;
  const kept = {
    ...{ pathname, leftAt: Date.now(), leftBy: viewer[viewerHeader], values },
    ...(isSent && { interrupted: request }),
  };
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // Storage is blocked or full: the user must type it again.
  }
}

interface Left {
  left: Map<string, unknown>;
  leftBy?: string;
  interrupted?: Interrupted;
}

function takeLeft(): Left {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    sessionStorage.removeItem(storageKey);
    const isOurs = kept?.pathname === window.location.pathname && Date.now() - kept.leftAt < maxAwayMilliseconds;
    return isOurs ? { ...kept, left: new Map(kept.values) } : { left: new Map() };
  } catch {
    return { left: new Map() };
  }
}
