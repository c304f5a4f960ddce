import type { AnnouncementText } from "#contract/admin/announcements.ts";
import type { Message } from "#server/mail/mail.ts";
import { composeEmail } from "#server/mail/student-emails.ts";
import { greeting, type Reader, type WrittenEmail } from "#server/mail/wording.ts";

export interface AnnouncementFacts {
  readonly announcement: Pick<AnnouncementText, "subject" | "text" | "button">;
  readonly unsubscribeUrl: string;
}

export function composeAnnouncement(reader: Reader, to: string, facts: AnnouncementFacts): Message {
  const { unsubscribeUrl } = facts;
  const replyTo = reader.academy.supportEmail;
  return { to, replyTo, unsubscribeUrl, ...composeEmail({ write: writeAnnouncement }, reader, facts) };
}

function writeAnnouncement(reader: Reader, { announcement, unsubscribeUrl }: AnnouncementFacts): WrittenEmail {
  const { subject, text, button } = announcement;
  return {
    subject,
    content: {
      heading: subject,
      paragraphs: [greeting(reader), ...text.split(/\n+/).filter((line) => line.trim() !== "")],
      ...(button && { action: { text: button.label, url: button.url } }),
      links: [{ text: "Unsubscribe from announcements", url: unsubscribeUrl }],
      closing: `You get announcements because you have an account at ${reader.academy.name}.`,
    },
  };
}

/** Sent to the support address before the first mail, so that an unexpected announcement can still be stopped. */
export function composeNotice(
  { academy, publicUrl }: Omit<Reader, "firstName">,
  { subject, recipients }: { readonly subject: string; readonly recipients: number },
): Message {
  const write = (): WrittenEmail => ({
    subject: "An announcement is about to go out",
    content: {
      heading: "An announcement is about to go out",
      paragraphs: ["An administrator has started it. It goes out in a minute, a few mails a second."],
      rows: [
        ["Subject", subject],
        ["Recipients", String(recipients)],
      ],
      action: { text: "Look at it, or stop it", url: `${publicUrl}/admin/announcements` },
      closing: "The audit log says who started it.",
    },
  });
  const reader = { firstName: null, publicUrl, academy };
  return { to: academy.supportEmail, ...composeEmail({ write }, reader, undefined) };
}
