import type { ComponentProps } from "react";
import type { z } from "zod";
import { Reason } from "#contract/admin/admin.ts";
import type { ActionWords } from "./act.ts";
import { useActForm } from "./act-form.ts";
import { FormDialog } from "./form-dialog.tsx";

interface ReasonDialogProps<Reply> extends Omit<ComponentProps<typeof FormDialog>, "form" | "children"> {
  /** Of the reason. Without it, the reason is optional. */
  schema?: z.ZodType<Reason>;
  /** The id of what the action changes. */
  about: string;
  /** Performs the action. `reason` is undefined if nothing was typed. */
  act: (reason: string | undefined) => Promise<Reply>;
  words: ActionWords<Reply>;
  /** The id of what the action deletes. */
  goneId?: string;
  /** Called on success. Defaults to `onClose`. */
  onDone?: () => void;
}

/** Asks for confirmation and for a reason before an action that the audit log records. */
export function ReasonDialog<Reply>({
  schema = Reason,
  about,
  act,
  words,
  goneId,
  onDone,
  ...dialog
}: ReasonDialogProps<Reply>) {
  const form = useActForm(schema, {
    about: `${dialog.title} ${about}`,
    saved: { reason: undefined },
    send: ({ reason }) => act(reason),
    words,
    goneId,
    onDone: onDone ?? dialog.onClose,
  });
  return <FormDialog {...dialog} form={form} isReasonRequired={!schema.safeParse({}).success} />;
}
