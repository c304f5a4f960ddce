import { renderEmail } from "#server/mail/layout.ts";
import type { Message } from "#server/mail/mail.ts";
import type { Academy } from "#server/settings/settings.ts";

interface Written {
  readonly name: string;
  readonly email: string;
  readonly message: string;
  readonly isSuspected: boolean;
}

export function receivedEmail(contact: Written, academy: Academy): Message {
  return {
    to: academy.supportEmail,
    replyTo: contact.email,
    subject: `A message from the contact form${contact.isSuspected ? " (suspected spam)" : ""}`,
    ...renderEmail(
      {
        heading: "A message from the contact form",
        paragraphs: contact.message.split(/\n{2,}/),
        rows: [
          ["Name", contact.name],
          ["Email", contact.email],
        ],
        closing: "An answer to this mail goes to the sender.",
      },
      academy,
    ),
  };
}

/** A reply to a message; replies to it go to support. */
export function replyEmail(contact: Pick<Written, "email" | "message">, text: string, academy: Academy): Message {
  return {
    to: contact.email,
    replyTo: academy.supportEmail,
    subject: "Our answer to your message",
    ...renderEmail(
      {
        heading: "Our answer to your message",
        paragraphs: [...paragraphsOf(text), "You wrote:", ...paragraphsOf(contact.message)],
        closing: `You can answer this mail, or write to ${academy.supportEmail}.`,
      },
      academy,
    ),
  };
}

function paragraphsOf(text: string): string[] {
  return text.split(/\n+/).filter((line) => line.trim() !== "");
}
