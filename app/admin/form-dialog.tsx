import type { ComponentProps } from "react";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { FormField } from "#app/editing/form-field.tsx";
import { KeptState } from "#app/editing/kept-state.tsx";
import type { FormOf } from "#app/editing/use-form-of.ts";
import { fieldsOf } from "#contract/entries.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { auditHint } from "./reason-dialog.tsx";

interface FormDialogProps<Body> extends Omit<ComponentProps<typeof ActionDialog>, "form" | "onCancel"> {
  form: FormOf<Body>;
  /** Returns the fields under the form's labels, to compare two versions. */
  describe?: (body: Omit<Body, "reason">) => object;
}

/** A form in a dialog. This browser keeps the input until it is saved or cancelled. Asks for a reason if the body has one. */
export function FormDialog<Body extends object>(props: FormDialogProps<Body>) {
  const { form, describe = fieldsOf, onClose, children, ...dialog } = props;
  const withReason = form as unknown as FormOf<{ reason?: string }>;
  const inWords = ({ reason: _, ...body }: { reason?: string }) => describe(body as Omit<Body, "reason">);
  const { reason } = withReason.value;
  const takeTheirs = () => (reason ? withReason.change({ ...form.saved, reason }) : form.discard());
  const close = () => {
    form.discard();
    onClose();
  };
  return (
    <ActionDialog {...dialog} form={form} onClose={onClose} onCancel={close}>
      <fieldset disabled={form.isSending} className="grid min-w-0 gap-5">
        {children}
        {"reason" in form.value && (
          <FormField form={withReason} name="reason" label="Reason" hint={auditHint} rows={2} />
        )}
        <ChangedMeanwhile form={{ ...withReason, discard: takeTheirs }} describe={inWords} />
        <KeptState isChanged={form.isChanged} />
      </fieldset>
    </ActionDialog>
  );
}
