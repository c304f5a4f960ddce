import { welcomeMessages } from "#content/welcome.ts";
import { formatMoney } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";
import {
  atMoment,
  type Card,
  cardWords,
  greeting,
  type Moment,
  onDay,
  type Reader,
  type StudentLetter,
} from "./wording.ts";

/** A payment as its receipt says it. */
export interface PaidCharge {
  readonly planName: string;
  readonly amountCents: number;
  readonly paidAt: Moment;
  readonly card: Card;
  readonly transactionId: string | null;
  /** What stands in the address of the receipt's page. */
  readonly receiptId: string;
}

export interface PurchasedFacts extends PaidCharge {
  readonly tier: Tier;
  /** Null: it never ends. */
  readonly accessUntil: Moment | null;
  /** Null: it does not renew. */
  readonly nextPaymentAt: Moment | null;
  /** The plan that stopped renewing because of this purchase. */
  readonly replacedPlan: string | null;
}

/** Confirmation, welcome and receipt in one: what was bought, what it opens, what it cost and when it renews. */
export function purchasedLetter(reader: Reader, facts: PurchasedFacts): StudentLetter {
  const { planName, tier, amountCents, accessUntil, nextPaymentAt, replacedPlan } = facts;
  const renewal = nextPaymentAt
    ? `It renews every 30 days, next on ${onDay(nextPaymentAt)} for ${formatMoney(amountCents)}, until you cancel. You can cancel at any time.`
    : "It is paid once and does not renew by itself.";
  return {
    subject: `Your ${planName} is open`,
    letter: {
      heading: "Payment received",
      paragraphs: [
        greeting(reader),
        welcomeMessages[tier],
        renewal,
        ...(replacedPlan ? [`Your ${replacedPlan} no longer renews: nothing more is charged for it.`] : []),
      ],
      rows: [...receiptRows(facts), ["Open until", accessUntil ? atMoment(accessUntil) : "no end date"]],
      action: { text: "Open the course", url: `${reader.publicUrl}/dashboard` },
      links: [receiptLink(reader, facts)],
      closing: `Questions? Write to ${reader.supportEmail}. First purchases can be refunded within 7 days.`,
    },
  };
}

export interface RenewedFacts extends PaidCharge {
  readonly paidUntil: Moment;
  /** Null: it was cancelled in the meantime. */
  readonly nextPaymentAt: Moment | null;
}

/** The receipt of a renewal. */
export function renewedLetter(reader: Reader, facts: RenewedFacts): StudentLetter {
  const { planName, amountCents, paidUntil, nextPaymentAt } = facts;
  return {
    subject: `Your ${planName} is renewed: receipt for ${formatMoney(amountCents)}`,
    letter: {
      heading: "Renewal paid",
      paragraphs: [
        greeting(reader),
        `We charged ${formatMoney(amountCents)} for the next 30 days of ${planName}. The course stays open, nothing is to be done.`,
        nextPaymentAt
          ? `It renews every 30 days, next on ${onDay(nextPaymentAt)}, until you cancel. You can cancel at any time.`
          : "It does not renew again.",
      ],
      rows: [...receiptRows(facts), ["Paid until", atMoment(paidUntil)]],
      action: { text: "See your membership", url: `${reader.publicUrl}/membership` },
      links: [receiptLink(reader, facts)],
      closing: `Questions? Write to ${reader.supportEmail}.`,
    },
  };
}

export function receiptRows({ planName, amountCents, paidAt, card, transactionId }: PaidCharge): [string, string][] {
  return [
    ["Plan", planName],
    ["Amount", formatMoney(amountCents)],
    ["Date", onDay(paidAt)],
    ["Card", cardWords(card)],
    ...(transactionId ? [["Transaction", transactionId] as [string, string]] : []),
  ];
}

export function receiptLink({ publicUrl }: Reader, { receiptId }: PaidCharge) {
  return { text: "Receipt to print", url: `${publicUrl}/receipts/${encodeURIComponent(receiptId)}` };
}
