import { isTimeZone, knownZone } from "#contract/coaching/times.ts";
import { formatDay, formatTime, type Timestamp } from "#server/base/dates.ts";
import type { Academy } from "#server/settings/settings.ts";

export interface Reader {
  /** Absent or null: the email greets nobody. */
  readonly firstName?: string | null;
  /** Absent or null: not known. */
  readonly timeZone?: string | null;
  readonly academy: Academy;
}

/** A page's path or a whole URL. */
export type Link = readonly [text: string, address: string];

type Optional = string | null | false | undefined;

/** Those without a value are left out. */
export type Rows = readonly (readonly [label: string, value: Optional])[];

/** What one email says. The layout adds who sends it, and the greeting. */
export interface WrittenEmail {
  readonly subject: string;
  /** Absent: the subject. */
  readonly heading?: string;
  /** Those without a text are left out. */
  readonly paragraphs: readonly Optional[];
  /** A formatted text, after the paragraphs. */
  readonly markup?: string;
  /** Shows pictures of the formatted text as their description, and tables as text. */
  readonly isPlain?: boolean;
  /** The sum of money that the email is about, shown large. */
  readonly amount?: Optional;
  /** How the sum adds up, with the total last. */
  readonly sum?: Rows;
  readonly rows?: Rows;
  readonly link?: Link | null;
  /** Less important ones. */
  readonly otherLinks?: readonly Link[];
  /** Absent: where to ask questions. */
  readonly closing?: string;
}

/** "March 3, 2027", in the reader's time zone, or in the academy's while it is unknown. */
export function onDay(timestamp: Timestamp, reader: Reader): string {
  return formatDay(timestamp, zoneOf(reader));
}

/** "March 3, 2027, 2:05 PM EST" */
export function atTime(timestamp: Timestamp, reader: Reader): string {
  return formatTime(timestamp, zoneOf(reader));
}

function zoneOf({ timeZone, academy }: Reader): string {
  return timeZone && isTimeZone(timeZone) ? timeZone : knownZone(academy.timeZone);
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

export function questions({ academy }: Reader): string {
  return `Questions? Write to ${academy.supportEmail}. We typically answer within 24 hours.`;
}

/** The lines of a text that a person wrote. */
export function paragraphsOf(text: string): string[] {
  return text.split(/\n+/).filter((line) => line.trim() !== "");
}
