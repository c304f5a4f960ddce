import { refundWindow } from "#contract/academy.ts";
import { href } from "#contract/addresses.ts";
import { formatCents } from "#contract/money.ts";
import type { QuoteLine } from "#contract/purchases/quotes.ts";
import { formatDay, type Timestamp } from "#server/base/dates.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { atTime, type Card, cardWords, type Link, onDay, type Reader, type WrittenEmail } from "#server/mail/wording.ts";

export interface PaidCharge {
  readonly planName: string;
  readonly amountCents: number;
  readonly paidAt: Timestamp;
  readonly card: Card;
  readonly transactionId: string | null;
  /** Part of the URL of the receipt's page. */
  readonly receiptId: string;
  /** As people read it. */
  readonly receiptNumber: string;
}

export interface PurchasedFacts extends PaidCharge {
  readonly welcome: string;
  /** Null: it never ends. */
  readonly accessUntil: Timestamp | null;
  /** Null: it does not renew. */
  readonly nextPaymentAt: Timestamp | null;
  /** For each period after the first. */
  readonly renewalCents: number;
  readonly replacedPlan: string | null;
  /** A description of the 1-on-1 coaching. */
  readonly coaching: string | null;
  /** The lines of an upgrade's amount. */
  readonly lines: readonly QuoteLine[];
}

export const purchasedEmail: StudentEmail<PurchasedFacts> = { kind: "purchased", write: writePurchased };

function writePurchased(facts: PurchasedFacts, reader: Reader): WrittenEmail {
  const { planName, welcome, renewalCents, accessUntil, nextPaymentAt, replacedPlan, coaching, lines } = facts;
  const renewal = nextPaymentAt
    ? `It renews every 30 days, next on ${onDay(nextPaymentAt, reader)} for ${formatCents(renewalCents)}, until you cancel. You can cancel at any time.`
    : "It is paid once and does not renew by itself.";
  return {
    subject: `Your ${planName} is open`,
    heading: "Payment received",
    paragraphs: [
      welcome,
      renewal,
      coaching &&
        `1-on-1 coaching comes with it: ${coaching}. Book it at ${reader.academy.publicUrl}${href.coaching()}.`,
      lines.some(({ kind }) => kind === "credit") &&
        "What was left of the days you had paid for is taken off the price. They ended when this plan began.",
      replacedPlan && `Your ${replacedPlan} no longer renews: nothing more is charged for it.`,
    ],
    rows: [
      ...lines.map(({ label, cents }) => [label, formatCents(cents)] as const),
      ...receiptRows(reader, facts),
      ["Open until", accessUntil ? atTime(accessUntil, reader) : "no end date"],
    ],
    link: ["Open the course", href.dashboard()],
    otherLinks: [receiptLink(facts)],
    closing: `Questions? Write to ${reader.academy.supportEmail}. First purchases can be refunded within ${refundWindow(reader.academy)}.`,
  };
}

export function receiptRows(
  { academy: { taxLine, timeZone } }: Reader,
  { planName, amountCents, paidAt, card, transactionId, receiptNumber }: PaidCharge,
): NonNullable<WrittenEmail["rows"]> {
  return [
    ["Plan", planName],
    ["Amount", formatCents(amountCents)],
    ["Tax", taxLine || null],
    ["Date", formatDay(paidAt, timeZone)],
    ["Card", cardWords(card)],
    ["Receipt", receiptNumber],
    ["Transaction", transactionId],
  ];
}

export function receiptLink({ receiptId }: PaidCharge): Link {
  return ["Receipt to print", href.receipt(receiptId)];
}
