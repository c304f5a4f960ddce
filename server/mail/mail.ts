/** One message as the product writes it; both bodies say the same. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where an answer goes, when that is not the sender. */
  readonly replyTo?: string;
  /** An entry that calendars put in, change or take out by themselves (RFC 5546). */
  readonly calendar?: CalendarPart;
}

export interface CalendarPart {
  readonly method: "REQUEST" | "CANCEL";
  /** iCalendar (RFC 5545). */
  readonly content: string;
}

/** Sends mail. Rejects when the server did not accept the message, so that the job tries again. */
export interface Mail {
  /** @param id names the email in its Message-ID, by which mail systems recognise one that is sent twice; ASCII letters and digits. */
  send(message: Message, id: string): Promise<void>;
  close(): Promise<void>;
}
