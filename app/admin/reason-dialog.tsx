import type { ReactNode } from "react";
import { faultsIn } from "#app/api/api.ts";
import { type Faults, useForm } from "#app/api/use-form.ts";
import { useResumable } from "#app/identity/resumable.ts";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { type ActionWords, useAct } from "./act.ts";
import { ActionDialog } from "./action-dialog.tsx";

interface ReasonDialogProps<Reply> {
  title: string;
  /** What happens, in a sentence or two. */
  description: ReactNode;
  /** The words of the button that does it. */
  confirm: string;
  isDangerous?: boolean;
  /** Something beside the reason is missing. */
  isIncomplete?: boolean;
  isReasonRequired?: boolean;
  /** What becomes of the reason; without one, that it is kept in the audit log. */
  reasonHint?: string | undefined;
  /** Does it; `reason` is what was typed, undefined for nothing. */
  act: (reason: string | undefined) => Promise<Reply>;
  words: ActionWords<Reply>;
  /** The id of what is no more afterwards. */
  goneId?: string;
  onClose: () => void;
  /** The button that gives up; without it, as `onClose`. */
  onCancel?: () => void;
  /** When it is done; without it, the dialog is closed. */
  onDone?: () => void;
  /** Fields above the reason, which are told what is wrong with them, and whether they are being sent. */
  children?: ReactNode | ((faults: Faults, isSending: boolean) => ReactNode);
}

/** Asks before an action that the audit log keeps, and for the reason of it. */
export function ReasonDialog<Reply>(props: ReasonDialogProps<Reply>) {
  const { isIncomplete, isReasonRequired = false, reasonHint, act, words, goneId, onClose, onDone = onClose } = props;
  const [typed, setTyped] = useResumable("reason", "");
  const reason = typed.trim() || undefined;
  const showFailure = (error: Error) => form.show(faultsIn(error));
  const { mutateAsync } = useAct(() => act(reason), words, onDone, goneId, showFailure);
  const form = useForm({ send: () => mutateAsync() });
  return (
    <ActionDialog
      title={props.title}
      description={props.description}
      confirm={props.confirm}
      isDangerous={props.isDangerous}
      form={form}
      isIncomplete={isIncomplete || (isReasonRequired && !reason)}
      onClose={onClose}
      onCancel={props.onCancel}
    >
      {typeof props.children === "function" ? props.children(form.faults, form.isSending) : props.children}
      <Field
        name="reason"
        error={form.faults.reason}
        label={isReasonRequired ? "Reason" : "Reason (optional)"}
        hint={reasonHint ?? "Kept in the audit log: no names, no addresses."}
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
