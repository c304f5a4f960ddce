import type { ReactNode } from "react";
import { type Faults, useForm } from "#app/api/use-form.ts";
import { useResumable } from "#app/identity/resumable.ts";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { type ActionWords, useOutcome } from "./act.ts";
import { ActionDialog } from "./action-dialog.tsx";

export const auditHint = "Saved in the audit log. Don't enter names or addresses.";

interface ReasonDialogProps<Reply> {
  title: string;
  /** What the action does, in one or two sentences. */
  description: ReactNode;
  /** The label of the confirm button. */
  confirm: string;
  isDangerous?: boolean;
  /** Whether required input other than the reason is missing. */
  isIncomplete?: boolean;
  isReasonRequired?: boolean;
  /** What the reason is used for. Defaults to saying that the audit log keeps it. */
  reasonHint?: string | undefined;
  /** Performs the action. `reason` is undefined if nothing was typed. */
  act: (reason: string | undefined) => Promise<Reply>;
  words: ActionWords<Reply>;
  /** The id of what the action deletes. */
  goneId?: string;
  onClose: () => void;
  /** Called on success. Defaults to `onClose`. */
  onDone?: () => void;
  /** Fields above the reason. As a function, gets their errors. */
  children?: ReactNode | ((faults: Faults) => ReactNode);
}

/** Asks for confirmation and for a reason before an action that the audit log records. */
export function ReasonDialog<Reply>(props: ReasonDialogProps<Reply>) {
  const {
    isIncomplete,
    isReasonRequired = false,
    reasonHint = auditHint,
    act,
    words,
    goneId,
    onClose,
    onDone = onClose,
  } = props;
  const [typed, setTyped] = useResumable("reason", "");
  const reason = typed.trim() || undefined;
  const { succeed, fail } = useOutcome(words, onDone, goneId);
  const form = useForm({ send: async () => succeed(await act(reason)), onFailed: fail });
  return (
    <ActionDialog
      title={props.title}
      description={props.description}
      confirm={props.confirm}
      isDangerous={props.isDangerous}
      form={form}
      isIncomplete={isIncomplete || (isReasonRequired && !reason)}
      onClose={onClose}
    >
      {typeof props.children === "function" ? props.children(form.faults) : props.children}
      <Field
        name="reason"
        error={form.faults.reason}
        label={isReasonRequired ? "Reason" : "Reason (optional)"}
        hint={reasonHint}
      >
        <Textarea
          rows={2}
          maxLength={500}
          required={isReasonRequired}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
    </ActionDialog>
  );
}
