import { z } from "zod";
import { ApiError, api } from "#app/api/api.ts";
import { ContactMessage, sendContactMessage, shortestWriting } from "#contract/contact.ts";

// The page's policy forbids code made from strings, which the schema library would otherwise try.
z.config({ jitless: true });

/** What is wrong with the message, by field; the first sentence of each. */
export type ContactFaults = Partial<Record<"name" | "email" | "message", string>>;

/** Checks the message as the server does; empty when it can be sent. */
export function faultsOf(message: z.input<typeof ContactMessage>): ContactFaults {
  const checked = ContactMessage.safeParse(message);
  return checked.success ? {} : firstOfEach(required(message), z.flattenError(checked.error).fieldErrors);
}

/**
 * Sends a message that was checked, from a form that is on screen since `shownAt`. Whose browser fills forms in by itself
 * is as fast as a program and waits a moment, as the server keeps nothing that was written so fast.
 * @throws ApiError when the server did not take it.
 */
export async function send(message: z.input<typeof ContactMessage>, shownAt: number): Promise<void> {
  const early = shortestWriting - (performance.now() - shownAt);
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  await api(sendContactMessage, { body: { ...message, elapsed: Math.ceil(performance.now() - shownAt) } });
}

/** The faults that the server found, when it refused the message for them. */
export function faultsIn(error: unknown): ContactFaults {
  return error instanceof ApiError ? firstOfEach({}, error.problem?.errors ?? {}) : {};
}

/** An address left empty is missing rather than wrong; the schema's format knows no difference. */
function required({ email }: { email: string }): ContactFaults {
  return email === "" ? { email: "Required" } : {};
}

function firstOfEach(known: ContactFaults, errors: Readonly<Record<string, readonly string[] | undefined>>) {
  const faults = { ...known };
  for (const field of ["name", "email", "message"] as const) {
    const sentence = faults[field] ?? errors[field]?.[0];
    if (sentence) faults[field] = sentence;
  }
  return faults;
}
