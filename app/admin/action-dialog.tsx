import type { ReactNode } from "react";
import type { useForm } from "#app/api/use-form.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";

interface ActionDialogProps {
  title: string;
  /** What the action does, in one or two sentences. */
  description: ReactNode;
  /** The label of the confirm button. */
  confirm: string;
  isDangerous?: boolean | undefined;
  /** The form that performs the action. */
  form: ReturnType<typeof useForm>;
  /** Whether required input is missing, which disables the confirm button. */
  isIncomplete?: boolean | undefined;
  onClose: () => void;
  /** Called by the Cancel button. Defaults to `onClose`. */
  onCancel?: (() => void) | undefined;
  /** Beside the buttons. Phones have no space for it. */
  aside?: ReactNode;
  children?: ReactNode;
}

/** Asks for confirmation before an action. The dialog stays open after a failure, so that the input is not lost. */
export function ActionDialog(props: ActionDialogProps) {
  const {
    title,
    description,
    confirm,
    isDangerous,
    form,
    isIncomplete,
    onClose,
    onCancel = onClose,
    aside,
    children,
  } = props;
  const isPending = form.isSending;
  return (
    <Dialog open title={title} description={description} onOpenChange={(open) => !open && !isPending && onClose()}>
      <form {...form.frame} className="grid gap-5">
        {children}
        {/* In view at the bottom of a long dialog, down to its edge. */}
        <div className="sticky -bottom-4 z-10 -mx-6 -mb-6 flex flex-wrap justify-end gap-3 max-sm:*:grow rounded-b-md border-line border-t bg-surface px-6 pt-3 pb-6 sm:-mx-8 sm:-mb-8 sm:px-8 sm:pb-8 [@media(max-height:26rem)]:static">
          {aside && <div className="min-w-40 flex-1 self-center max-sm:sr-only">{aside}</div>}
          <Button variant="outline" disabled={isPending} onClick={onCancel}>
            {/* Beside “Cancel session”, “Cancel” could mean either. */}
            {confirm.startsWith("Cancel") ? "Go back" : "Cancel"}
          </Button>
          <Button type="submit" variant={isDangerous ? "danger" : "action"} pending={isPending} disabled={isIncomplete}>
            {confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
