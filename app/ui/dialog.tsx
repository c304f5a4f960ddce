import { Dialog as Parts } from "radix-ui";
import type { ReactNode } from "react";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** A sheet above the page, which waits until it is closed. */
export function Dialog({ open, onOpenChange, title, description, children }: DialogProps) {
  return (
    <Parts.Root open={open} onOpenChange={onOpenChange}>
      <Parts.Portal>
        <Parts.Overlay className="fixed inset-0 z-70 grid place-items-center overflow-y-auto bg-rail/75 p-4">
          <Parts.Content
            {...(!description && { "aria-describedby": undefined })}
            className="grid w-full max-w-xl gap-5 rounded-md border-2 border-edge bg-surface p-6 text-ink shadow-raised outline-none sm:p-8"
          >
            <div className="grid gap-2">
              <Parts.Title className="wide text-heading wrap-anywhere">{title}</Parts.Title>
              {description && (
                <Parts.Description className="text-ink-soft wrap-anywhere">{description}</Parts.Description>
              )}
            </div>
            {children}
          </Parts.Content>
        </Parts.Overlay>
      </Parts.Portal>
    </Parts.Root>
  );
}
