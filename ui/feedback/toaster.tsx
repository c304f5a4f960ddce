import { cx } from "class-variance-authority";
import {
  type CSSProperties,
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { dismissToast, type ShownToast } from "./toast.tsx";

const defaultDuration = 5000;
/** Pixels to the right after which letting go dismisses the toast. */
const swipeThreshold = 50;

/**
 * A slip from the label printer in the corner; swiped away to the right, closed by its cross, by Escape or by time,
 * which stands still while it is hovered, focused or out of sight. F8 leads to it.
 */
export default function Toaster({ toast }: { toast: ShownToast }) {
  const region = useRef<HTMLElement>(null);
  const isOnTop = useOnTop(region, toast.id);
  const [goneId, setGoneId] = useState(0);
  const [hoveredId, setHoveredId] = useState(0);
  const [focusedId, setFocusedId] = useState(0);
  const cameFrom = useRef<Element | null>(null);
  const swipe = useSwipe(toast.id, () => dismissToast(toast.id));
  useClosing(toast, useIsPageHidden() || hoveredId === toast.id || focusedId === toast.id);

  const isShown = isOnTop && goneId !== toast.id;
  const words = isShown && (
    <>
      <p className={cx("font-bold", toast.destructive && "text-danger")}>{toast.title}</p>
      {toast.description && <p className="text-sm">{toast.description}</p>}
      {toast.action && (
        <a href={toast.action.to} className="justify-self-start font-bold text-sm underline underline-offset-4">
          {toast.action.label}
        </a>
      )}
    </>
  );
  function dismiss(): void {
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    dismissToast(toast.id);
  }
  function rememberFocus(event: FocusEvent): void {
    if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget;
    setFocusedId(toast.id);
  }
  return (
    <section
      ref={region}
      popover="manual"
      aria-label="Notifications (F8)"
      tabIndex={-1}
      onFocus={rememberFocus}
      onBlur={() => setFocusedId(0)}
      onKeyDown={(event) => event.key === "Escape" && dismiss()}
      className="fixed inset-auto right-0 bottom-(--foot-bar) m-0 max-h-[calc(100dvh-var(--foot-bar))] w-full max-w-md overflow-x-hidden overflow-y-auto border-0 bg-transparent p-4 text-ink outline-none sm:p-6"
    >
      <div
        {...swipe}
        data-state={toast.open ? "open" : "closed"}
        onPointerEnter={() => setHoveredId(toast.id)}
        onPointerLeave={() => setHoveredId(0)}
        onAnimationEnd={() => !toast.open && setGoneId(toast.id)}
        className={cx(
          isShown &&
            "toast-slip pointer-events-auto grid w-full touch-pan-y select-none grid-cols-[1fr_auto] items-start gap-3 rounded-sm border-2 bg-surface p-4 pl-5 shadow-raised",
          toast.destructive ? "border-danger" : "border-ink",
        )}
      >
        {/* Both are there before their words are, or they would not be read out. */}
        <div>
          <div role="status" className="grid gap-1">
            {!toast.destructive && words}
          </div>
          <div role="alert" className="grid gap-1">
            {toast.destructive && words}
          </div>
        </div>
        {isShown && (
          <button
            type="button"
            aria-label="Dismiss"
            onClick={dismiss}
            className="-m-2 grid size-10 place-items-center rounded-sm hover:bg-sunken"
          >
            <svg aria-hidden="true" viewBox="0 0 16 16" className="size-3.5 fill-none stroke-2 stroke-current">
              <path d="m2 2 12 12M14 2 2 14" />
            </svg>
          </button>
        )}
      </div>
    </section>
  );
}

/** Brings the region above everything for each toast anew, also above a dialog that opened since; true once it is there. */
function useOnTop(region: RefObject<HTMLElement | null>, id: number): boolean {
  const [onTopId, setOnTopId] = useState(0);
  useEffect(() => {
    region.current?.togglePopover(false);
    region.current?.togglePopover(true);
    const timer = setTimeout(() => setOnTopId(id));
    const focusOnF8 = (event: KeyboardEvent) => event.key === "F8" && region.current?.focus();
    window.addEventListener("keydown", focusOnF8);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("keydown", focusOnF8);
    };
  }, [region, id]);
  return onTopId === id;
}

/** Dismisses the toast when its time is over; a paused one keeps what was left. */
function useClosing({ id, open, duration = defaultDuration }: ShownToast, isPaused: boolean): void {
  const left = useRef({ id: 0, milliseconds: 0 });
  useEffect(() => {
    if (!open || isPaused) return;
    if (left.current.id !== id) left.current = { id, milliseconds: duration };
    const startedAt = performance.now();
    const timer = setTimeout(() => dismissToast(id), left.current.milliseconds);
    return () => {
      clearTimeout(timer);
      left.current.milliseconds -= performance.now() - startedAt;
    };
  }, [id, open, duration, isPaused]);
}

/** The slip follows the pointer to the right; far enough it is `onEnd`, else it slides back. Spread what it gives. */
function useSwipe(id: number, onEnd: () => void) {
  const [swipe, setSwipe] = useState({ id: 0, phase: "", startX: 0, x: 0 });
  const isMoving = swipe.id === id && swipe.phase === "move";
  return {
    "data-swipe": swipe.id === id ? swipe.phase : undefined,
    style: { "--swipe-x": `${swipe.id === id ? swipe.x : 0}px` } as CSSProperties,
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0 || (event.target as Element).closest("button, a")) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setSwipe({ id, phase: "move", startX: event.clientX, x: 0 });
    },
    onPointerMove(event: PointerEvent) {
      if (isMoving) setSwipe({ ...swipe, x: Math.max(0, event.clientX - swipe.startX) });
    },
    onPointerUp() {
      if (!isMoving) return;
      const isEnd = swipe.x >= swipeThreshold;
      setSwipe(isEnd ? { ...swipe, phase: "end" } : { ...swipe, phase: "cancel", x: 0 });
      if (isEnd) onEnd();
    },
    onPointerCancel() {
      if (isMoving) setSwipe({ ...swipe, phase: "cancel", x: 0 });
    },
  };
}

function useIsPageHidden(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener("visibilitychange", listener);
      return () => document.removeEventListener("visibilitychange", listener);
    },
    () => document.hidden,
  );
}
