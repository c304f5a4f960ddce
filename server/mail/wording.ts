import type { EmailContent } from "./layout.ts";
import type { CalendarPart } from "./mail.ts";

/** Whom an email is for and where it leads. */
export interface Reader {
  readonly firstName: string | null;
  /** The academy's own address, without a slash at its end. */
  readonly publicUrl: string;
  readonly supportEmail: string;
}

/** What a student is sent: a subject, and the content from which both bodies are made. */
export interface WrittenEmail {
  readonly subject: string;
  readonly content: EmailContent;
  readonly calendar?: CalendarPart | undefined;
}

/** Of a card no more than may be shown. */
export interface Card {
  readonly brand: string | null;
  readonly last4: string | null;
}

/** "Visa ending in 1111" */
export function cardWords({ brand, last4 }: Card): string {
  return `${brand ?? "Card"} ending in ${last4 ?? "····"}`;
}

export function greeting({ firstName }: Reader): string {
  return `Hello ${firstName ?? "there"},`;
}

export function questions({ supportEmail }: Reader): string {
  return `Questions? Write to ${supportEmail}. We typically answer within 24 hours.`;
}
