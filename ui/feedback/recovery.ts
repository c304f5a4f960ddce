import { useSyncExternalStore } from "react";
import type { ToastMessage } from "#ui/toast/toast.ts";

/** What recovers a page on which nothing loads any more and retrying does not help. */
export interface Recovery {
  /** Why nothing loads. */
  sentence: string;
  link: NonNullable<ToastMessage["action"]>;
}

let offered: Recovery | null = null;
const listeners = new Set<() => void>();

/** From now on, every part of the page that failed to load shows this link instead of Retry. Null withdraws it. */
export function offerRecovery(recovery: Recovery | null): void {
  offered = recovery;
  for (const listener of listeners) listener();
}

export function useRecovery(): Recovery | null {
  return useSyncExternalStore(
    subscribe,
    () => offered,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
