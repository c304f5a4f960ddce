import { renderEmail } from "#server/mail/layout.ts";
import type { Message } from "#server/mail/mail.ts";
import { paragraphsOf } from "#server/mail/wording.ts";
import type { Academy } from "#server/settings/settings.ts";

interface Written {
  readonly name: string;
  readonly email: string;
  readonly message: string;
  readonly isSuspected: boolean;
}

export function receivedEmail(contact: Written, academy: Academy): Message {
  const { name, email, message, isSuspected } = contact;
  const heading = "New message from the contact form";
  const written = {
    subject: `${heading}${isSuspected ? " (suspected spam)" : ""}`,
    heading,
    paragraphs: message.split(/\n{2,}/),
    rows: [
      ["Name", name],
      ["Email", email],
    ],
    closing: "Reply to this email to answer the sender.",
  } as const;
  return { to: academy.supportEmail, replyTo: email, ...renderEmail(written, { academy }) };
}

/** A reply to a message; replies to it go to support. */
export function replyEmail(contact: Pick<Written, "email" | "message">, text: string, academy: Academy): Message {
  const { supportEmail } = academy;
  const written = {
    subject: "Our reply to your message",
    paragraphs: [...paragraphsOf(text), "You wrote:", ...paragraphsOf(contact.message)],
    closing: `Still have questions? Reply to this email, or write to ${supportEmail}.`,
  };
  return { to: contact.email, replyTo: supportEmail, ...renderEmail(written, { academy }) };
}
