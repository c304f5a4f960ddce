export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** When answers shall not go to the sender. */
  readonly replyTo?: string;
  /** Calendars put the entry in, change it or take it out by themselves (RFC 5546). */
  readonly calendar?: CalendarPart;
}

export interface CalendarPart {
  readonly method: "REQUEST" | "CANCEL";
  /** iCalendar (RFC 5545). */
  readonly content: string;
}

export interface Mail {
  /** Rejects unless the server accepted it. The same `id` gives the same Message-ID; ASCII letters and digits. */
  send(message: Message, id: string): Promise<void>;
  close(): Promise<void>;
}
