import { refundWindow } from "#contract/academy.ts";
import { href } from "#contract/addresses.ts";
import { formatCents } from "#contract/money.ts";
import type { QuoteLine } from "#contract/purchases/quotes.ts";
import { formatDay, type Timestamp } from "#server/base/dates.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import {
  atTime,
  type Card,
  cardWords,
  type Link,
  onDay,
  questions,
  type Reader,
  type Rows,
  type WrittenEmail,
} from "#server/mail/wording.ts";

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
  /** Null: it is neither the student's first purchase nor an upgrade of it. */
  readonly refundableUntil: Timestamp | null;
  /** False while the address is unconfirmed: another account may have made its first purchase. */
  readonly isRefundCertain: boolean;
}

export const purchasedEmail: StudentEmail<PurchasedFacts> = { kind: "purchased", write: writePurchased };

function writePurchased(facts: PurchasedFacts, reader: Reader): WrittenEmail {
  const { planName, welcome, renewalCents, accessUntil, nextPaymentAt, replacedPlan, coaching, lines } = facts;
  const renewal = nextPaymentAt
    ? `It renews every 30 days, next on ${onDay(nextPaymentAt, reader)} for ${formatCents(renewalCents)}, until you cancel. You can cancel any time.`
    : "This was a one-time payment. It won't renew.";
  const isUpgrade = lines.some(({ kind }) => kind === "credit");
  return {
    subject: `Your ${planName} is ready`,
    heading: "Payment received",
    amount: formatCents(facts.amountCents),
    paragraphs: [
      welcome,
      renewal,
      coaching &&
        `Your plan includes 1-on-1 coaching: ${coaching}. Book your sessions at ${reader.academy.publicUrl}${href.coaching()}.`,
      isUpgrade
        ? `We took the unused days of your ${replacedPlan ?? "earlier plan"} off the price. ${replacedPlan ?? "It"} has ended.`
        : replacedPlan && `Your ${replacedPlan} won't renew, and you won't be charged for it again.`,
    ],
    sum: sumOf(facts, lines),
    rows: [["Access until", accessUntil ? atTime(accessUntil, reader) : "No end date"], ...receiptRows(reader, facts)],
    link: ["Open the course", href.dashboard()],
    otherLinks: [receiptLink(facts)],
    closing: [questions(reader), refundWords(facts, isUpgrade, reader)].filter(Boolean).join(" "),
  };
}

function refundWords({ refundableUntil, isRefundCertain }: PurchasedFacts, isUpgrade: boolean, reader: Reader) {
  if (!refundableUntil) return null;
  if (!isRefundCertain) return `First purchases can be refunded within ${refundWindow(reader.academy)}.`;
  const what = isUpgrade ? "a full refund, including your earlier payment," : "a full refund";
  return `You can get ${what} until ${atTime(refundableUntil, reader)}.`;
}

export function sumOf({ planName, amountCents }: PaidCharge, lines: readonly QuoteLine[] = []): Rows {
  const parts = lines.length > 0 ? lines : [{ label: planName, cents: amountCents }];
  return [...parts, { label: "Total paid", cents: amountCents }].map(({ label, cents }) => [label, formatCents(cents)]);
}

export function receiptRows(
  { academy: { taxLine, timeZone } }: Reader,
  { paidAt, card, transactionId, receiptNumber }: PaidCharge,
): Rows {
  return [
    ["Receipt", receiptNumber],
    ["Date", formatDay(paidAt, timeZone)],
    ["Card", cardWords(card)],
    ["Transaction", transactionId],
    ["Tax", taxLine || null],
  ];
}

export function receiptLink({ receiptId }: PaidCharge): Link {
  return ["View your receipt", href.receipt(receiptId)];
}
