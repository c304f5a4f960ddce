import { useState } from "react";

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
 * a closed window loses nothing.
 */
export function useKeptDraft<Value>(name: string, saved: Value): KeptDraft<Value> {
  const key = `draft:${name}`;
  const [draft, setDraft] = useState<Value | null>(() => read<Value>(key));
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(saved);

  function keep(value: Value | null): void {
    setDraft(value);
    write(key, value);
  }

  return { value: isChanged ? draft : saved, isChanged, change: keep, discard: () => keep(null) };
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
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or blocked: the draft lives as long as the page.
  }
}
