import { cx } from "class-variance-authority";
import { Toast } from "radix-ui";
import { useEffect, useRef } from "react";
import { dismissToast, type ShownToast } from "./toast.tsx";

const defaultDuration = 5000;
/** Pixels to the right after which letting go dismisses the toast. */
const swipeThreshold = 50;

/** A slip from the label printer in the corner; swiped away to the right, closed by its cross or by time. */
export default function Toaster({ toast }: { toast: ShownToast }) {
  const viewport = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each toast goes to the top again, above a dialog that opened since
  useEffect(() => {
    viewport.current?.togglePopover(false);
    viewport.current?.togglePopover(true);
  }, [toast.id]);
  return (
    <Toast.Provider swipeDirection="right" swipeThreshold={swipeThreshold} duration={toast.duration ?? defaultDuration}>
      <Toast.Root
        key={toast.id}
        open={toast.open}
        onOpenChange={(open) => !open && dismissToast(toast.id)}
        type={toast.destructive ? "foreground" : "background"}
        className={cx(
          "toast-slip grid w-full grid-cols-[1fr_auto] items-start gap-3 rounded-sm border-2 bg-surface p-4 pl-5 text-ink shadow-raised",
          toast.destructive ? "border-danger" : "border-ink",
        )}
      >
        <div className="grid gap-1">
          <Toast.Title className={cx("font-bold", toast.destructive && "text-danger")}>{toast.title}</Toast.Title>
          {toast.description && <Toast.Description className="text-sm">{toast.description}</Toast.Description>}
        </div>
        <Toast.Close aria-label="Dismiss" className="-m-2 grid size-10 place-items-center rounded-sm hover:bg-sunken">
          <svg aria-hidden="true" viewBox="0 0 16 16" className="size-3.5 fill-none stroke-2 stroke-current">
            <path d="m2 2 12 12M14 2 2 14" />
          </svg>
        </Toast.Close>
      </Toast.Root>
      <Toast.Viewport
        ref={viewport}
        popover="manual"
        className="fixed inset-auto right-0 bottom-0 m-0 w-full max-w-md border-0 bg-transparent p-4 text-ink outline-none sm:p-6"
      />
    </Toast.Provider>
  );
}
