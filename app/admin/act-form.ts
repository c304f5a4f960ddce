import type { z } from "zod";
import { type DraftName, type FormOfCalls, useFormOf } from "#app/editing/use-form-of.ts";
import { toast } from "#ui/toast/toast.ts";
import { type ActionWords, useOutcome } from "./act.ts";

interface ActFormCalls<Body, Reply> extends Omit<FormOfCalls<Body>, "send" | "onFailed" | "onHidden"> {
  send: (body: Body, version: string | undefined) => Promise<Reply>;
  words: ActionWords<Reply>;
  onDone?: ((reply: Reply) => void) | undefined;
  /** The id of what the action deletes. */
  goneId?: string | undefined;
}

/** A form that acts like `useAct`. A failure that no field shows gets a toast. */
export function useActForm<Schema extends z.ZodType<object>, Reply>(
  schema: Schema,
  { send, words, onDone, goneId, ...form }: DraftName & ActFormCalls<z.infer<Schema>, Reply>,
) {
  const { succeed, fail } = useOutcome(words, onDone, goneId);
  return useFormOf(schema, {
    ...form,
    send: async (body, version) => void succeed(await send(body, version)),
    onFailed: fail,
    onHidden: (description) => toast({ title: words.failed, description, destructive: true }),
  });
}
