import { viewer } from "#app/api/api.ts";
import { viewerHeader } from "#contract/identity/identity.ts";
import { removeDraft, sendDraft, useResumable } from "./resumable.ts";

interface KeptDraft<Value> {
  value: Value;
  /** Whether it differs from the saved value. */
  isChanged: boolean;
  change: (value: Value) => void;
  /** Reverts to the saved value. */
  discard: () => void;
  /** Discards the draft once it is sent. */
  send: (request: () => Promise<void>) => Promise<void>;
}

const keyOf = (name: string) => `draft:${viewer[viewerHeader] ?? ""}:${name}`;

/** The user's drafts that this browser keeps under names with this beginning, by the rest of the name. */
export function listKeptDrafts<Value>(beginning: string): [rest: string, value: Value][] {
  const prefix = keyOf(beginning);
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.flatMap((key) => {
      const value = read<Value>(key);
      return value ? [[key.slice(prefix.length), value] as [string, Value]] : [];
    });
  } catch {
    // Storage is blocked, so nothing was stored.
    return [];
  }
}

/**
 * A draft that is kept in this browser under `name` until it is saved or discarded, so that it survives a reload, a
 * wrong click and a closed window. The key contains the user's id, so that other users of this browser do not get it.
 * Without a name, it survives only a sign-in, and returns only to the form of the same `about`.
 */
export function useKeptDraft<Value>(name: string | undefined, saved: Value, about = ""): KeptDraft<Value> {
  const key = name && keyOf(name);
  const [draft, setDraft] = useResumable<Value | null>(key ?? `draft: ${about}`, () => (key ? read<Value>(key) : null));
  const isChanged = draft !== null && typedIn(draft) !== typedIn(saved);

  function change(value: Value): void {
    setDraft(value);
    if (key) write(key, value);
  }

  function discard(): void {
    setDraft(null);
    if (key) removeDraft(key, JSON.stringify(draft));
  }

  async function send(request: () => Promise<void>): Promise<void> {
    await (key ? sendDraft(key, JSON.stringify(draft), request) : request());
    discard();
  }

  return { value: isChanged ? draft : saved, isChanged, change, discard, send };
}

/** Leaves out the version, which nobody types. */
function typedIn(value: unknown): string {
  return JSON.stringify(value, (name, part) => (name === "version" ? undefined : part));
}

function read<Value>(key: string): Value | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as Value | null;
  } catch {
    // Storage is blocked, or holds something else.
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or blocked: the draft lives as long as the page.
  }
}
