import type { FormEvent, ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";

interface ActionDialogProps {
  title: string;
  /** What happens, in a sentence or two. */
  description: ReactNode;
  /** The words of the button that does it. */
  confirm: string;
  isDangerous?: boolean | undefined;
  isPending: boolean;
  /** Something needed is missing. */
  isIncomplete?: boolean | undefined;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks before an action. It stays until the action went through, so that what was typed is there when it did not. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, description, confirm, isDangerous, isPending, isIncomplete, onConfirm, onClose, children } = props;
  function submit(event: FormEvent): void {
    event.preventDefault();
    // A dialog's form is, for React, also inside of what opened it.
    event.stopPropagation();
    if (!isPending && !isIncomplete) onConfirm();
  }
  return (
    <Dialog open title={title} description={description} onOpenChange={(open) => !open && !isPending && onClose()}>
      <form onSubmit={submit} className="grid gap-5">
        {children}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant={isDangerous ? "danger" : "action"} pending={isPending} disabled={isIncomplete}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
