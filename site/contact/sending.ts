import { api } from "#app/api/api.ts";
import type { Faults } from "#app/api/use-form.ts";
import { z } from "#app/api/zod.ts";
import { ContactMessage, minWritingMs, sendContactMessage } from "#contract/contact.ts";

/** Validates the message like the server. Returns an empty object when it is valid. */
export function faultsOf(message: z.input<typeof ContactMessage>): Faults {
  const checked = ContactMessage.safeParse(message);
  if (checked.success) return {};
  const found = Object.entries(z.flattenError(checked.error).fieldErrors).map(([name, [first]]) => [name, first]);
  // An empty address is missing rather than invalid, which the schema cannot distinguish.
  return { ...Object.fromEntries(found), ...(message.email.trim() === "" && { email: "Required" }) };
}

/**
 * Sends a validated message from a form that has been visible since `shownAt`. Waits if autofill made the user as fast
 * as a bot, because the server marks messages that were written so fast.
 * @throws ApiError when the server refuses the message
 */
export async function send(message: z.input<typeof ContactMessage>, shownAt: number): Promise<void> {
  const early = minWritingMs - (performance.now() - shownAt);
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  await api(sendContactMessage, { body: { ...message, elapsed: Math.ceil(performance.now() - shownAt) } });
}
