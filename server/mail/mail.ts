export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where answers go, when not to the sender. */
  readonly replyTo?: string;
  /** An invitation, change or cancellation that calendar programs apply by themselves (RFC 5546). */
  readonly calendar?: CalendarPart;
  /** For bulk mail: mail programs show a button that posts to this address (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

export interface CalendarPart {
  readonly method: "REQUEST" | "CANCEL";
  /** iCalendar (RFC 5545). */
  readonly content: string;
}

export class MailNotAccepted extends Error {
  override name = "MailNotAccepted";
  /** The server would refuse this recipient each time. */
  readonly isForGood: boolean;

  constructor(message: string, { isForGood }: { readonly isForGood: boolean }) {
    super(message);
    this.isForGood = isForGood;
  }
}

export interface Mail {
  /**
   * @param id ASCII letters and digits; the same id gives the same Message-ID
   * @throws MailNotAccepted unless the server accepted the message
   */
  send(message: Message, id: string): Promise<void>;
  /** False for a letter beyond ASCII before the @, when the server did not offer SMTPUTF8 when it last answered. */
  canWriteTo(address: string): Promise<boolean>;
  close(): Promise<void>;
}
