import type { ComponentProps } from "react";
import { useForm } from "#app/api/use-form.ts";
import { type ActionWords, useOutcome } from "./act.ts";
import { ActionDialog } from "./action-dialog.tsx";

interface ConfirmDialogProps<Reply> extends Omit<ComponentProps<typeof ActionDialog>, "form"> {
  act: () => Promise<Reply>;
  words: ActionWords<Reply>;
  /** What the action deletes, whose queries are not refetched. */
  goneId?: string;
  /** Called on success. Defaults to `onClose`. */
  onDone?: ((reply: Reply) => void) | undefined;
}

/** Acts after a confirmation. */
export function ConfirmDialog<Reply>({ act, words, onDone, goneId, ...dialog }: ConfirmDialogProps<Reply>) {
  const { succeed, fail } = useOutcome(words, onDone ?? dialog.onClose, goneId);
  const form = useForm({ send: async () => void succeed(await act()), onFailed: fail });
  return <ActionDialog {...dialog} form={form} />;
}
