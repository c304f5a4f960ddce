import type { Academy } from "#server/settings/settings.ts";
import type { EmailContent } from "./layout.ts";
import type { CalendarPart } from "./mail.ts";

export interface Reader {
  readonly firstName: string | null;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  readonly academy: Academy;
}

export interface WrittenEmail {
  readonly subject: string;
  readonly content: EmailContent;
  readonly calendar?: CalendarPart | undefined;
}

/** No more of a card than may be shown. */
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

export function questions({ academy }: Reader): string {
  return `Questions? Write to ${academy.supportEmail}. We typically answer within 24 hours.`;
}
