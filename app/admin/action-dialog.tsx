import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Textarea } from "../ui/field.tsx";

interface ActionDialogProps {
  title: string;
  /** What happens, in a sentence or two. */
  description: ReactNode;
  /** The words of the button that does it. */
  confirm: string;
  isDangerous?: boolean;
  isPending: boolean;
  /** Something needed is missing. */
  isIncomplete?: boolean;
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

/** The reason of an action: what was typed, what is sent, and the field for it. */
export function useReason({ hint, isRequired = false }: { hint?: string | undefined; isRequired?: boolean } = {}) {
  const [typed, setTyped] = useState("");
  const reason = typed.trim() || undefined;
  const field = (
    <Field
      label={isRequired ? "Reason" : "Reason (optional)"}
      hint={hint ?? "Kept in the audit log: no names, no addresses."}
    >
      <Textarea
        rows={2}
        maxLength={500}
        required={isRequired}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  );
  return { reason, field, isMissing: isRequired && !reason };
}
