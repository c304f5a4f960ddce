import { useSyncExternalStore } from "react";

export interface ToastMessage {
  title: string;
  description?: string;
  /** Something failed. */
  destructive?: boolean;
  /** A link under the words, to what can be done about it. */
  action?: { label: string; to: string; onPress?: () => void } | undefined;
  /** Milliseconds on screen; 5000 unless told. */
  duration?: number;
}

export interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

export interface ToasterProps {
  toast: ShownToast;
  /** Toasts that wander from one to another keep their time. */
  container: HTMLElement;
}

/** Milliseconds that a dismissed toast stays known before it is forgotten. */
const forgetAfter = 1_000_000;

let shown: ShownToast | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a message above everything. There is one at a time: a new one takes the place of the one before it. */
export function toast(message: ToastMessage): void {
  lastId += 1;
  show({ ...message, id: lastId, open: true });
}

/** Takes the toast off the screen. */
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

/** The newest is the last. */
let containers: readonly HTMLElement[] = [];

/** Toasts stand in `container` from now on: a dialog keeps focus and screen readers from everything outside of it. */
export function showToastsIn(container: HTMLElement | null): () => void {
  if (!container) return () => {};
  containers = [...containers, container];
  notify();
  return () => {
    containers = containers.filter((other) => other !== container);
    notify();
  };
}

/** The toast at hand and the element that it stands in; null until there is one. */
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
