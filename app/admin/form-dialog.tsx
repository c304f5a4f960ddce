import type { ComponentProps } from "react";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { controlOf } from "#app/editing/control.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { KeptState } from "#app/editing/kept-state.tsx";
import type { FormOf } from "#app/editing/use-form-of.ts";
import { schemaOf } from "#app/editing/written.ts";
import type { Reason } from "#contract/admin/admin.ts";
import { fieldsOf } from "#contract/entries.ts";
import { ActionDialog } from "./action-dialog.tsx";

interface FormDialogProps<Body> extends Omit<ComponentProps<typeof ActionDialog>, "form" | "onCancel" | "aside"> {
  form: FormOf<Body>;
  /** Returns the fields under the form's labels, to compare two versions. */
  describe?: (body: Omit<Body, "reason">) => object;
  /** Disables the confirm button until a reason is typed, also where the schema leaves it optional. */
  isReasonRequired?: boolean;
  /** What the reason is used for. */
  reasonHint?: string | undefined;
}

/**
 * A form in a dialog. If this browser keeps the input, it does until the input is saved or cancelled. Asks for a reason
 * if the body has one.
 */
export function FormDialog<Body extends object>(props: FormDialogProps<Body>) {
  const { form, describe = fieldsOf, isIncomplete, isReasonRequired, reasonHint, onClose, children, ...dialog } = props;
  const withReason = form as unknown as FormOf<Reason>;
  const inWords = ({ reason: _, ...body }: Reason) => describe(body as Omit<Body, "reason">);
  const { reason } = withReason.value;
  const takeTheirs = () => (reason ? withReason.change({ ...form.saved, reason }) : form.discard());
  const close = () => {
    form.discard();
    onClose();
  };
  return (
    <ActionDialog
      {...dialog}
      form={form}
      isIncomplete={isIncomplete || (isReasonRequired && !reason)}
      onClose={onClose}
      onCancel={close}
      aside={form.isKept && <KeptState isChanged={form.isChanged} />}
    >
      <fieldset disabled={form.isSending} className="grid min-w-0 gap-5">
        {children}
        {"reason" in form.value && <ReasonField form={withReason} isRequired={isReasonRequired} hint={reasonHint} />}
        <ChangedMeanwhile form={{ ...withReason, discard: takeTheirs }} describe={inWords} />
      </fieldset>
    </ActionDialog>
  );
}

interface ReasonFieldProps {
  form: FormOf<Reason>;
  isRequired: boolean | undefined;
  hint: string | undefined;
}

function ReasonField({ form, isRequired, hint }: ReasonFieldProps) {
  const required = isRequired || controlOf(schemaOf(form, "reason")).required;
  return (
    <FormField
      form={form}
      name="reason"
      label={required ? "Reason" : "Reason (optional)"}
      hint={hint ?? "Saved in the audit log. Don’t enter names or addresses."}
      required={required}
      rows={2}
    />
  );
}
