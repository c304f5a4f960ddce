import type { ReactNode } from "react";
import type { useForm } from "#app/api/use-form.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";

interface ActionDialogProps {
  title: string;
  /** What happens, in a sentence or two. */
  description: ReactNode;
  /** The words of the button that does it. */
  confirm: string;
  isDangerous?: boolean | undefined;
  /** What sends it. */
  form: ReturnType<typeof useForm>;
  /** Something needed is missing. */
  isIncomplete?: boolean | undefined;
  onClose: () => void;
  /** The button that gives up; without it, as `onClose`. */
  onCancel?: (() => void) | undefined;
  children?: ReactNode;
}

/** Asks before an action. It stays until the action went through, so that what was typed is there when it did not. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, description, confirm, isDangerous, form, isIncomplete, onClose, onCancel = onClose, children } = props;
  const isPending = form.isSending;
  return (
    <Dialog open title={title} description={description} onOpenChange={(open) => !open && !isPending && onClose()}>
      <form {...form.frame} className="grid gap-5">
        {children}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" disabled={isPending} onClick={onCancel}>
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
