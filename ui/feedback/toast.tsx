import { type ComponentType, lazy, Suspense, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";

export interface ToastMessage {
  title: string;
  description?: string;
  /** Something failed. */
  destructive?: boolean;
  /** A link under the words, to what can be done about it. */
  action?: { label: string; to: string } | undefined;
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

// Most visits never see a toast, so what draws it is fetched with the first one.
const Toaster = lazy<ComponentType<ToasterProps>>(() => import("./toaster.tsx").catch(() => ({ default: PlainToast })));

/** For when that cannot be fetched: just then there is something to say. It goes when it is pressed. */
function PlainToast({ toast, container }: ToasterProps) {
  if (!toast.open) return null;
  return createPortal(
    <button
      type="button"
      onClick={() => dismissToast(toast.id)}
      className="fixed right-4 bottom-[calc(var(--foot-bar)+1rem)] z-100 rounded-sm border-2 border-danger bg-surface p-4 text-left text-ink"
    >
      <span role="alert">
        <b>{toast.title}</b> {toast.description}
      </span>
    </button>,
    container,
  );
}

/** Where toasts appear; once per document. */
export function ToastOutlet() {
  const current = useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
  const container = useSyncExternalStore(
    subscribe,
    () => containers.at(-1) ?? document.body,
    () => null,
  );
  return current && container ? (
    <Suspense>
      <Toaster toast={current} container={container} />
    </Suspense>
  ) : null;
}
