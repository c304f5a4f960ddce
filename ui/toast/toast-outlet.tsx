import { type ComponentType, lazy, Suspense } from "react";
import { createPortal } from "react-dom";
import { dismissToast, type ToasterProps, useToast } from "./toast.ts";

// Most visits show no toast, so the component loads with the first one.
const Toaster = lazy<ComponentType<ToasterProps>>(() => import("./toaster.tsx").catch(() => ({ default: PlainToast })));

/** Shown when the component fails to load, because then there is an error to show. A click closes it. */
function PlainToast({ toast, container }: ToasterProps) {
  if (!toast.open) return null;
  return createPortal(
    <button
      type="button"
      onClick={() => dismissToast(toast.id)}
      className="fixed right-4 bottom-[calc(var(--foot-bar)+var(--offline-bar,0px)+1rem)] z-100 rounded-sm border-2 border-danger bg-surface p-4 text-left text-ink"
    >
      <span role="alert">
        <b>{toast.title}</b> {toast.description}
      </span>
    </button>,
    container,
  );
}

/** Renders toasts. Used once per document. */
export function ToastOutlet() {
  const current = useToast();
  return (
    current && (
      <Suspense>
        <Toaster {...current} />
      </Suspense>
    )
  );
}
