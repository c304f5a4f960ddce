import { useResumable } from "#app/identity/resumable.ts";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { ConfirmDialog, type ConfirmDialogProps } from "./confirm-dialog.tsx";

export const auditHint = "Saved in the audit log. Don't enter names or addresses.";

interface ReasonDialogProps<Reply> extends Omit<ConfirmDialogProps<Reply>, "act"> {
  isReasonRequired?: boolean;
  /** What the reason is used for. */
  reasonHint?: string | undefined;
  /** Performs the action. `reason` is undefined if nothing was typed. */
  act: (reason: string | undefined) => Promise<Reply>;
}

/** Asks for confirmation and for a reason, below the other fields, before an action that the audit log records. */
export function ReasonDialog<Reply>(props: ReasonDialogProps<Reply>) {
  const { isReasonRequired = false, reasonHint = auditHint, isIncomplete, act, children, ...dialog } = props;
  const [typed, setTyped] = useResumable("reason", "");
  const reason = typed.trim() || undefined;
  return (
    <ConfirmDialog {...dialog} isIncomplete={isIncomplete || (isReasonRequired && !reason)} act={() => act(reason)}>
      {(faults) => (
        <>
          {typeof children === "function" ? children(faults) : children}
          <Field
            name="reason"
            error={faults.reason}
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
        </>
      )}
    </ConfirmDialog>
  );
}
