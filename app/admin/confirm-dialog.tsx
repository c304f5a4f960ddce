import type { ComponentProps, ReactNode } from "react";
import { type Faults, useForm } from "#app/api/use-form.ts";
import { type ActionWords, useOutcome } from "./act.ts";
import { ActionDialog } from "./action-dialog.tsx";

export interface ConfirmDialogProps<Reply> extends Omit<ComponentProps<typeof ActionDialog>, "form" | "children"> {
  act: () => Promise<Reply>;
  words: ActionWords<Reply>;
  /** The id of what the action deletes. */
  goneId?: string | undefined;
  /** Called on success. Defaults to `onClose`. */
  onDone?: ((reply: Reply) => void) | undefined;
  /** As a function, gets the fields' errors. */
  children?: ReactNode | ((faults: Faults) => ReactNode);
}

/** Acts after a confirmation. */
export function ConfirmDialog<Reply>(props: ConfirmDialogProps<Reply>) {
  const { act, words, goneId, onDone, children, ...dialog } = props;
  const { succeed, fail } = useOutcome(words, onDone ?? dialog.onClose, goneId);
  const form = useForm({ send: async () => succeed(await act()), onFailed: fail });
  return (
    <ActionDialog {...dialog} form={form}>
      {typeof children === "function" ? children(form.faults) : children}
    </ActionDialog>
  );
}
