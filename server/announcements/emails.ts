import type { AnnouncementText } from "#contract/admin/announcements.ts";
import { renderEmail } from "#server/mail/layout.ts";
import type { Message } from "#server/mail/mail.ts";
import { atTime, type Reader } from "#server/mail/wording.ts";

export interface AnnouncementFacts {
  readonly announcement: Pick<AnnouncementText, "subject" | "text" | "button">;
  readonly unsubscribeUrl: string;
}

export function composeAnnouncement(
  reader: Reader,
  to: string,
  { announcement: { subject, text, button }, unsubscribeUrl }: AnnouncementFacts,
): Message {
  const { name, supportEmail } = reader.academy;
  const email = renderEmail(
    {
      subject,
      paragraphs: [],
      markup: text,
      link: button && [button.label, button.url],
      otherLinks: [["Unsubscribe from news and reminders", unsubscribeUrl]],
      closing: `You're getting announcements because you have an account at ${name}.`,
    },
    reader,
  );
  return { to, replyTo: supportEmail, unsubscribeUrl, ...email };
}

/** Sent to the support address before the first mail, so that an unexpected announcement can still be stopped. */
export function composeNotice(
  reader: Omit<Reader, "firstName">,
  {
    subject,
    recipients,
    beginsAt,
  }: {
    readonly subject: string;
    readonly recipients: number;
    /** Null: in a minute. */
    readonly beginsAt: Date | null;
  },
): Message {
  const email = renderEmail(
    {
      subject: beginsAt ? "An announcement is scheduled" : "An announcement is about to go out",
      paragraphs: [
        beginsAt
          ? `An administrator scheduled an announcement. We'll begin to send it on ${atTime(beginsAt, reader)}. Until then, you can cancel it.`
          : "An administrator started an announcement. We'll begin to send it in a minute. Until it's done, you can stop it.",
      ],
      rows: [
        ["Subject", subject],
        ["Recipients", String(recipients)],
      ],
      link: ["Review or stop it", "/admin/announcements"],
      closing: "The audit log shows who started it.",
    },
    reader,
  );
  return { to: reader.academy.supportEmail, ...email };
}

/** Sent to the support address. */
export function composeWithdrawal(
  reader: Omit<Reader, "firstName">,
  { subject }: Pick<AnnouncementText, "subject">,
): Message {
  const email = renderEmail(
    {
      subject: "A scheduled announcement was not sent",
      paragraphs: [
        "The administrator who scheduled it can't send announcements anymore, so we made it a draft again. Review it, and send it or schedule it again if you still need it.",
      ],
      rows: [["Subject", subject]],
      link: ["Review it", "/admin/announcements"],
      closing: "The audit log shows who scheduled it.",
    },
    reader,
  );
  return { to: reader.academy.supportEmail, ...email };
}
