import { refundWindow } from "#contract/academy.ts";
import { href } from "#contract/addresses.ts";
import { dollarsOf, formatCents } from "#contract/money.ts";
import type { LaterPrice } from "#contract/purchases/purchases.ts";
import type { QuoteLine } from "#contract/purchases/quotes.ts";
import { renewalPrices } from "#contract/purchases/sentences.ts";
import { formatDay, type Timestamp } from "#server/base/dates.ts";
import type { Say } from "#server/mail/email-texts.ts";
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
  /** How the amount adds up; empty or absent when the agreed price was charged. */
  readonly lines?: readonly QuoteLine[];
}

export interface PurchasedFacts extends PaidCharge {
  readonly welcome: string;
  /** Null: it never ends. */
  readonly accessUntil: Timestamp | null;
  /** Null: it does not renew. */
  readonly nextPaymentAt: Timestamp | null;
  /** For the next period, and for each after it unless `later` has another price. */
  readonly renewalCents: number;
  /** Absent in emails of an earlier release. */
  readonly later?: LaterPrice | null;
  readonly replacedPlan: string | null;
  /** A description of the 1-on-1 coaching. */
  readonly coaching: string | null;
  /** Null: it is neither the student's first purchase nor an upgrade of it. */
  readonly refundableUntil: Timestamp | null;
  /** False while the address is unconfirmed: another account may have made its first purchase. */
  readonly isRefundCertain: boolean;
}

export const purchasedEmail: StudentEmail<PurchasedFacts, object, "purchased"> = {
  kind: "purchased",
  write: writePurchased,
};

function writePurchased(facts: PurchasedFacts, reader: Reader, say: Say<"purchased">): WrittenEmail {
  const {
    planName,
    welcome,
    renewalCents,
    accessUntil,
    nextPaymentAt,
    replacedPlan: earlierPlan,
    coaching,
    lines = [],
    later,
  } = facts;
  const renewal = nextPaymentAt
    ? `It renews every 30 days, next on ${onDay(nextPaymentAt, reader)} for ${formatCents(renewalCents)}, until you cancel. You can cancel any time.${laterWords(renewalCents, later)}`
    : "This was a one-time payment. It won't renew.";
  const isUpgrade = lines.some(({ kind }) => kind === "credit");
  return {
    subject: say("subject", { plan: planName }),
    heading: say("heading"),
    amount: formatCents(facts.amountCents),
    paragraphs: [
      welcome,
      renewal,
      coaching && say("coaching", { coaching, page: `${reader.academy.publicUrl}${href.coaching()}` }),
      earlierPlan
        ? say(isUpgrade ? "upgraded" : "replaced", { earlierPlan })
        : isUpgrade && "We took the unused days of your earlier plan off the price. It has ended.",
    ],
    sum: sumOf(facts),
    rows: [["Access until", accessUntil ? atTime(accessUntil, reader) : "No end date"], ...receiptRows(reader, facts)],
    link: ["Open the course", href.dashboard()],
    otherLinks: [receiptLink(facts)],
    closing: [questions(reader), refundWords(facts, isUpgrade, reader)].filter(Boolean).join(" "),
  };
}

/** Follows the price of the next renewal. Empty while that is the price of each. */
export function laterWords(priceCents: number, later: LaterPrice | null | undefined): string {
  return later ? ` You pay ${renewalPrices(dollarsOf(priceCents), later)}.` : "";
}

function refundWords({ refundableUntil, isRefundCertain }: PurchasedFacts, isUpgrade: boolean, reader: Reader) {
  if (!refundableUntil) return null;
  if (!isRefundCertain) return `First purchases can be refunded within ${refundWindow(reader.academy)}.`;
  const what = isUpgrade ? "a full refund, including your earlier payment," : "a full refund";
  return `You can get ${what} until ${atTime(refundableUntil, reader)}.`;
}

export function sumOf({ planName, amountCents, lines = [] }: PaidCharge): Rows {
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
