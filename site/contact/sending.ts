import "./without-eval.ts";
import { z } from "zod";
import { api } from "#app/api/api.ts";
import type { Faults } from "#app/api/use-form.ts";
import { ContactMessage, minWritingMs, sendContactMessage } from "#contract/contact.ts";

/** Checks the message as the server does; empty when it can be sent. */
export function faultsOf(message: z.input<typeof ContactMessage>): Faults {
  const checked = ContactMessage.safeParse(message);
  if (checked.success) return {};
  const found = Object.entries(z.flattenError(checked.error).fieldErrors).map(([name, [first]]) => [name, first]);
  // An address left empty is missing rather than wrong; the schema's format knows no difference.
  return { ...Object.fromEntries(found), ...(message.email === "" && { email: "Required" }) };
}

/**
 * Sends a message that was checked, from a form that is on screen since `shownAt`. Whose browser fills forms in by itself
 * is as fast as a program and waits a moment, as the server keeps nothing that was written so fast.
 * @throws ApiError when the server did not take it.
 */
export async function send(message: z.input<typeof ContactMessage>, shownAt: number): Promise<void> {
  const early = minWritingMs - (performance.now() - shownAt);
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  await api(sendContactMessage, { body: { ...message, elapsed: Math.ceil(performance.now() - shownAt) } });
}
