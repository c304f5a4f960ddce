import { useState } from "react";
import { viewer } from "#app/api/api.ts";
import { viewerHeader } from "#contract/identity/identity.ts";

interface KeptDraft<Value> {
  value: Value;
  /** Differs from what is saved. */
  isChanged: boolean;
  change: (value: Value) => void;
  /** Back to what is saved. */
  discard: () => void;
}

/**
 * Something being edited, kept in this browser under `name` until it is saved or discarded: a reload, a wrong press or
 * a closed window loses nothing. Whoever else signs in with this browser finds nothing of it.
 */
export function useKeptDraft<Value>(name: string, saved: Value): KeptDraft<Value> {
  const key = `draft:${viewer[viewerHeader] ?? ""}:${name}`;
  const [draft, setDraft] = useState<Value | null>(() => read<Value>(key));
  const isChanged = draft !== null && typedIn(draft) !== typedIn(saved);

  function change(value: Value): void {
    setDraft(value);
    write(key, value);
  }

  function discard(): void {
    setDraft(null);
    remove(key, draft);
  }

  return { value: isChanged ? draft : saved, isChanged, change, discard };
}

/** Nobody types the version that it was made from. */
function typedIn(value: unknown): string {
  return JSON.stringify(value, (name, part) => (name === "version" ? undefined : part));
}

function read<Value>(key: string): Value | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as Value | null;
  } catch {
    // Storage that is blocked or holds something else keeps nothing.
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or blocked: the draft lives as long as the page.
  }
}

/** Leaves what another tab is writing. */
function remove(key: string, value: unknown): void {
  try {
    if (localStorage.getItem(key) === JSON.stringify(value)) localStorage.removeItem(key);
  } catch {
    // Blocked: there is nothing.
  }
}
