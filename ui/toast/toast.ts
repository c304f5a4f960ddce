import { useSyncExternalStore } from "react";

export interface ToastMessage {
  title: string;
  description?: string;
  /** Whether it reports a failure. */
  destructive?: boolean;
  /** A link below the text, to what helps. */
  action?: { label: string; to: string; onPress?: () => void } | undefined;
  /** Milliseconds on screen. 5000 by default. */
  duration?: number;
}

export interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

export interface ToasterProps {
  toast: ShownToast;
  /** A toast that moves between containers keeps its remaining time. */
  container: HTMLElement;
}

/** Milliseconds until a dismissed toast is forgotten. */
const forgetAfter = 1_000_000;

let shown: ShownToast | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a message above everything else. Replaces the previous toast. */
export function toast(message: ToastMessage): void {
  lastId += 1;
  show({ ...message, id: lastId, open: true });
}

/** Hides the toast. */
export function dismissToast(id: number): void {
  if (shown?.id !== id || !shown.open) return;
  show({ ...shown, open: false });
  setTimeout(() => shown?.id === id && show(null), forgetAfter);
}

function show(next: ShownToast | null): void {
  shown = next;
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The last one is the newest. */
let containers: readonly HTMLElement[] = [];

/** Shows toasts in `container`, because a dialog hides everything outside from the focus and screen readers. */
export function showToastsIn(container: HTMLElement | null): () => void {
  if (!container) return () => {};
  containers = [...containers, container];
  notify();
  return () => {
    containers = containers.filter((other) => other !== container);
    notify();
  };
}

/** The current toast and its container. Null without a toast. */
export function useToast(): ToasterProps | null {
  const toast = useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
  const container = useSyncExternalStore(
    subscribe,
    () => containers.at(-1) ?? document.body,
    () => null,
  );
  return toast && container && { toast, container };
}
