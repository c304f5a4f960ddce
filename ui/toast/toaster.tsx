import { cx } from "class-variance-authority";
import { Toast as Parts } from "radix-ui";
import { type FocusEvent, useRef } from "react";
import { createPortal } from "react-dom";
import { Icon } from "#ui/icon.tsx";
import { dismissToast, type ToasterProps } from "./toast.ts";

const defaultDuration = 5000;
/** Swiping further to the right than this many pixels dismisses the toast. */
const swipeThreshold = 50;

/**
 * A toast in the corner. Closed by a swipe to the right, its button, Escape, or after its time, which pauses while the
 * toast is hovered, focused or hidden. F8 focuses it.
 */
export default function Toaster({ toast, container }: ToasterProps) {
  const cameFrom = useRef<EventTarget | null>(null);
  function rememberFocus({ currentTarget, relatedTarget }: FocusEvent): void {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
  }
  function dismiss(): void {
    const isFocused = container.querySelector("[data-toasts]:focus-within") !== null;
    if (isFocused && cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    dismissToast(toast.id);
  }
  return (
    <Parts.Provider
      duration={defaultDuration}
      swipeDirection="right"
      swipeThreshold={swipeThreshold}
      announcerContainer={container}
    >
      <Parts.Root
        key={toast.id}
        open={toast.open}
        onOpenChange={(isOpen) => isOpen || dismiss()}
        type={toast.destructive ? "foreground" : "background"}
        duration={toast.duration ?? defaultDuration}
        className={cx(
          "toast-slip grid w-full grid-cols-[1fr_auto] items-start gap-3 rounded-sm border-2 bg-surface p-4 pl-5 text-ink shadow-raised [@media(max-height:20rem)]:py-1",
          toast.destructive ? "border-danger" : "border-ink",
        )}
      >
        <div className="grid gap-1">
          <Parts.Title asChild>
            <p className={cx("font-bold", toast.destructive && "text-danger")}>{toast.title}</p>
          </Parts.Title>
          {toast.description && (
            <Parts.Description asChild>
              <p className="text-sm">{toast.description}</p>
            </Parts.Description>
          )}
          {toast.action && (
            <Parts.Action asChild altText={toast.action.label}>
              <a
                href={toast.action.to}
                onClick={toast.action.onPress}
                className="justify-self-start font-bold text-sm underline underline-offset-4"
              >
                {toast.action.label}
              </a>
            </Parts.Action>
          )}
        </div>
        <Parts.Close aria-label="Dismiss" className="-m-2 grid size-10 place-items-center rounded-sm hover:bg-sunken">
          <Icon name="cross" className="size-3.5" />
        </Parts.Close>
      </Parts.Root>
      {createPortal(
        <Parts.Viewport
          data-toasts=""
          onFocus={rememberFocus}
          className="fixed right-0 bottom-[calc(var(--foot-bar)+var(--offline-bar,0px)+var(--action-bar,0px))] z-100 max-h-[calc(100dvh-var(--foot-bar)-var(--offline-bar,0px)-var(--action-bar,0px))] w-full max-w-md list-none overflow-x-hidden overflow-y-auto p-4 outline-none empty:hidden sm:p-6 [@media(max-height:20rem)]:max-h-[25dvh] [@media(max-height:20rem)]:p-1"
        />,
        container,
      )}
    </Parts.Provider>
  );
}
