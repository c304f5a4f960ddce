export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** When answers shall not go to the sender. */
  readonly replyTo?: string;
  /** Calendars put the entry in, change it or take it out by themselves (RFC 5546). */
  readonly calendar?: CalendarPart;
  /** Mail programs show a button that posts to it (RFC 8058); for what goes to many at once. */
  readonly unsubscribeUrl?: string;
}

export interface CalendarPart {
  readonly method: "REQUEST" | "CANCEL";
  /** iCalendar (RFC 5545). */
  readonly content: string;
}

export class MailNotAccepted extends Error {
  override name = "MailNotAccepted";
  /** The server refused this recipient and would refuse it again. */
  readonly isForGood: boolean;

  constructor(message: string, { isForGood }: { readonly isForGood: boolean }) {
    super(message);
    this.isForGood = isForGood;
  }
}

export interface Mail {
  /** Rejects with MailNotAccepted unless the server accepted it. The same `id` gives the same Message-ID; ASCII letters and digits. */
  send(message: Message, id: string): Promise<void>;
  close(): Promise<void>;
}
