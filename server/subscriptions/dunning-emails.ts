import { formatCents } from "#contract/money.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { atTime, onDay, questions, type Reader, type WrittenEmail } from "#server/mail/wording.ts";
import { type CardLinkFacts, type CardPage, makeCardLink } from "./card-link-tokens.ts";

export const keptProgress = "We keep your account and your progress.";

export interface DeclinedFacts extends CardPage {
  readonly planName: string;
  readonly amountCents: number;
  /** Null: the card can never be charged, so there is no next try. */
  readonly nextTryAt: Timestamp | null;
  /** Null: access has ended already. */
  readonly openUntil: Timestamp | null;
}

export const declinedEmail: StudentEmail<DeclinedFacts, CardLinkFacts> = {
  kind: "declined",
  write: writeDeclined,
  prepare: makeCardLink,
};

function writeDeclined(facts: DeclinedFacts & CardLinkFacts, reader: Reader): WrittenEmail {
  const { planName, amountCents, nextTryAt, openUntil } = facts;
  const price = formatCents(amountCents);
  return {
    subject: `Your payment of ${price} for ${planName} didn't go through`,
    heading: "Your card was declined",
    amount: price,
    paragraphs: [
      `Your bank declined the ${price} payment for the next 30 days of ${planName}. You weren't charged.`,
      `${openUntil ? `You can use the course until ${atTime(openUntil, reader)}.` : "You can't use the course until you pay."} ${keptProgress}`,
      nextTryAt
        ? `We'll try the same card again on ${onDay(nextTryAt, reader)}. If it goes through, you don't need to do anything. If you add another card now, we'll charge ${price} right away, and your membership continues.`
        : `We can't charge this card again. Add another card, and we'll charge ${price} right away, and your membership continues.`,
    ],
    rows: [
      ["Next attempt", nextTryAt ? onDay(nextTryAt, reader) : "None with this card"],
      ["Access until", openUntil && atTime(openUntil, reader)],
    ],
    link: ["Update your card", facts.cardLink],
    closing: `${linkWords(facts, reader)} ${questions(reader)}`,
  };
}

export interface UnpaidRenewalFacts extends CardPage {
  readonly planName: string;
  readonly amountCents: number;
}

/** For a renewal that is unpaid although no card was declined. */
export const unpaidEmail: StudentEmail<UnpaidRenewalFacts, CardLinkFacts> = {
  kind: "unpaid",
  write: writeUnpaid,
  prepare: makeCardLink,
};

function writeUnpaid(facts: UnpaidRenewalFacts & CardLinkFacts, reader: Reader): WrittenEmail {
  const { planName, amountCents } = facts;
  const price = formatCents(amountCents);
  return {
    subject: `Your ${planName} renewal hasn't been paid`,
    heading: "Your renewal hasn't been paid",
    amount: price,
    paragraphs: [
      `For a week, we haven't been able to charge you ${price} for the next 30 days of ${planName}. Your card may be fine: the payment service hasn't given us a clear answer.`,
      "If your membership page says that a payment is being confirmed, you don't need to do anything. Otherwise, add another card, and we'll charge it right away.",
      `If no payment goes through, you'll lose access until you pay. ${keptProgress}`,
    ],
    link: ["Update your card", facts.cardLink],
    closing: `${linkWords(facts, reader)} ${questions(reader)}`,
  };
}

export const onHoldEmail: StudentEmail<UnpaidRenewalFacts, CardLinkFacts> = {
  kind: "on-hold",
  write: writeOnHold,
  prepare: makeCardLink,
};

function writeOnHold(facts: UnpaidRenewalFacts & CardLinkFacts, reader: Reader): WrittenEmail {
  const { planName, amountCents } = facts;
  const price = formatCents(amountCents);
  return {
    subject: `Your ${planName} is on hold`,
    heading: "Your account is on hold",
    amount: price,
    paragraphs: [
      `We couldn't charge you ${price} to renew your ${planName}, and we've stopped trying. You can't use the course for now. ${keptProgress}`,
      `Add a new card to get back in. We'll charge ${price} right away, and your next 30 days begin.`,
    ],
    link: ["Add a new card", facts.cardLink],
    closing: `${linkWords(facts, reader)} ${questions(reader)}`,
  };
}

function linkWords({ cardLinkExpiresAt }: CardLinkFacts, reader: Reader): string {
  return `The link works once, without signing in, until ${atTime(cardLinkExpiresAt, reader)}. Please don't share it.`;
}
