import { cx } from "class-variance-authority";
import { Dialog as Parts } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { showToastsIn } from "#ui/toast/toast.ts";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** Fills wide windows. */
  isWide?: boolean;
  children: ReactNode;
}

/** What had the focus before the open dialog. A dialog that replaces it in one step finds nothing focused. */
let openerOfReplaced: HTMLElement | null = null;

/** A modal dialog. */
export function Dialog({ open, onOpenChange, title, description, isWide = false, children }: DialogProps) {
  const opener = useRef<HTMLElement | null>(null);
  return (
    <Parts.Root open={open} onOpenChange={onOpenChange}>
      <Parts.Portal>
        <Parts.Overlay className="fixed inset-0 z-70 grid place-items-center overflow-y-auto bg-rail/75 p-4 scroll-pb-28">
          <Parts.Content
            onOpenAutoFocus={() => {
              const { activeElement } = document;
              opener.current = activeElement === document.body ? openerOfReplaced : openerOf(activeElement);
              openerOfReplaced = opener.current;
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              opener.current?.focus();
              openerOfReplaced = null;
            }}
            onKeyDown={(event) => {
              // Radix only closes the newest layer, which may be a toast.
              if (event.key === "Escape" && !event.defaultPrevented) onOpenChange(false);
            }}
            onInteractOutside={(event) => {
              // A click on a toast, which is inside the dialog's element but not among its React children.
              if ((event.target as Element).closest("[role=dialog]")) event.preventDefault();
            }}
            {...(!description && { "aria-describedby": undefined })}
            className={cx(
              "grid w-full gap-5 rounded-md border-2 border-edge bg-surface p-6 text-ink shadow-raised outline-none sm:p-8",
              isWide ? "max-w-7xl" : "max-w-xl",
            )}
          >
            <div className="grid gap-2">
              <Parts.Title className="wide text-heading wrap-anywhere">{title}</Parts.Title>
              {description && (
                <Parts.Description className="text-ink-soft wrap-anywhere">{description}</Parts.Description>
              )}
            </div>
            {children}
            {/* Outside the flow, so that a toast adds no space to the dialog. */}
            <div ref={showToastsIn} className="absolute" />
          </Parts.Content>
        </Parts.Overlay>
      </Parts.Portal>
    </Parts.Root>
  );
}

/** The previously focused element. For a menu item, the button that opened the menu, because the menu is gone. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest("[role=menu]");
  const opener = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : element;
  return opener instanceof HTMLElement ? opener : null;
}
