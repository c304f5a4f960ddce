import { answer, saveBody, textOf, viewer } from "#app/api/api.ts";
import { maxAwayMilliseconds } from "#app/editing/resumable.ts";
import { viewerHeader } from "#contract/identity/identity.ts";
import { randomId } from "#ui/random-id.ts";

const storageKey = "interrupted-by-sign-in";

/** A request that the user left unfinished to sign in. */
export interface Interrupted {
  readonly address: string;
  readonly method: string;
  /** JSON. Null for a file or a form, which outlives no page. */
  readonly body: string | null;
}

/**
 * Stores a change until this browser returns to the same page from the sign-in.
 * @returns the hash of the address to return to. Who comes back without it, by the Back button, has not signed in.
 */
export function keepInterrupted(request: Interrupted): string {
  if (request.method === "GET" || request.body === null) return "";
  const { pathname } = window.location;
  const hash = `#finish-${randomId()}`;
  try {
    const kept = { ...request, pathname, hash, leftAt: Date.now(), leftBy: viewer[viewerHeader] };
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
    return hash;
  } catch {
    // Storage is blocked or full: the user must do it again.
    return "";
  }
}

/** Whether this user left a change unfinished on this page. */
export function hasInterrupted(): boolean {
  return findKept() !== null;
}

/** Returns that change, once. */
export function takeInterrupted(): Interrupted | null {
  const kept = findKept();
  if (!kept) return null;
  sessionStorage.removeItem(storageKey);
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, "", pathname + search);
  return kept;
}

function findKept(): Interrupted | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    const { pathname, hash } = window.location;
    const isHere = kept?.pathname === pathname && kept.hash === hash && kept.leftBy === viewer[viewerHeader];
    return isHere && Date.now() - kept.leftAt < maxAwayMilliseconds ? kept : null;
  } catch {
    return null;
  }
}

/** Sends it. Saves a file that comes. @returns the reply's message. @throws ApiError */
export async function sendInterrupted({ address, method, body }: Interrupted): Promise<string | null> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const response = await answer(address, { method, credentials: "same-origin", headers, body });
  if (response.ok && response.headers.has("content-disposition")) {
    await saveBody(response);
    return null;
  }
  const { message } = (JSON.parse(await textOf(response)) ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : null;
}
