import { type ComponentType, lazy, Suspense } from "react";
import { createPortal } from "react-dom";
import { dismissToast, type ToasterProps, useToast } from "./toast.ts";

// Most visits never see a toast, so what draws it is fetched with the first one.
const Toaster = lazy<ComponentType<ToasterProps>>(() => import("./toaster.tsx").catch(() => ({ default: PlainToast })));

/** For when that cannot be fetched: just then there is something to say. It goes when it is pressed. */
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

/** Where toasts appear; once per document. */
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
