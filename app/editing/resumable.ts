import { useEffect, useState } from "react";
import { viewer } from "#app/api/api.ts";
import { viewerHeader } from "#contract/identity/identity.ts";

/** Begins the names of what belongs to the history entry, such as the place in a list. A finished action keeps it. */
export const ofEntry = "entry: ";

const storageKey = "resumed-after-sign-in";
/** Signing in takes less than this. Restoring older input would be unexpected. */
export const maxAwayMilliseconds = 10 * 60_000;

/** The current values on the page, by name. */
const live = new Map<string, unknown>();
/** The drafts that are being sent, by their keys in this browser's storage. At most one for each form on the page. */
const sending = new Map<string, string>();
/** The values from before the sign-in, and the user who left them. Each is restored once. */
const { left, leftBy, wereSending } = takeLeft();

/**
 * State that survives a sign-in: an open dialog opens again, with its input. `name` must be unique on the page, and
 * values must be plain data.
 */
export function useResumable<Value>(name: string, initial: Value | (() => Value)) {
  const [value, setValue] = useState<Value>(() => {
    // Only for the same user: another one may have signed in.
    if (left.has(name) && leftBy === viewer[viewerHeader]) return left.get(name) as Value;
    return initial instanceof Function ? initial() : initial;
  });
  useEffect(() => {
    left.delete(name);
    live.set(name, value);
    return () => void live.delete(name);
  }, [name, value]);
  return [value, setValue] as const;
}

/** Discards the restored state and the drafts that were being sent, when what they were for is done. */
export function forgetLeft(): void {
  for (const name of left.keys()) if (!name.startsWith(ofEntry)) left.delete(name);
  for (const [key, text] of wereSending) removeDraft(key, text);
}

/** Removes a draft from this browser's storage, unless another tab has changed it since. */
export function removeDraft(key: string, text: string): void {
  try {
    if (localStorage.getItem(key) === text) localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

/** Sends a draft of this browser's storage. It may be interrupted by a sign-in and finished after it. */
export async function sendDraft(key: string, text: string, send: () => Promise<void>): Promise<void> {
  sending.set(key, text);
  try {
    await send();
  } finally {
    sending.delete(key);
  }
}

/** Stores the page's state until this browser returns to the same page. */
export function keepForReturn(): void {
  const { pathname } = window.location;
  // JSON turns undefined into null.
  const values = [...live].filter(([, value]) => value !== undefined);
  const kept = { pathname, leftAt: Date.now(), leftBy: viewer[viewerHeader], values, sending: [...sending] };
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // Storage is blocked or full: the user must type it again.
  }
}

function takeLeft(): {
  left: Map<string, unknown>;
  leftBy?: string;
  wereSending: readonly (readonly [string, string])[];
} {
  const nothing = { left: new Map(), wereSending: [] };
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    sessionStorage.removeItem(storageKey);
    const isOurs = kept?.pathname === window.location.pathname && Date.now() - kept.leftAt < maxAwayMilliseconds;
    // The page that left may be of a release that did not store them.
    const wereSending = kept?.sending ?? [];
    return isOurs ? { left: new Map(kept.values), leftBy: kept.leftBy, wereSending } : nothing;
  } catch {
    return nothing;
  }
}
