import { formatCents } from "#contract/money.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { atTime, onDay, questions, type Reader, type WrittenEmail } from "#server/mail/wording.ts";
import { type CardLinkFacts, type CardPage, makeCardLink } from "./card-link-tokens.ts";

export const keptProgress = "Your progress and your account stay as they are.";

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
    subject: `Your payment of ${price} for ${planName} did not go through`,
    heading: "Your card was declined",
    paragraphs: [
      `Your bank declined the ${price} that renews your ${planName} for 30 days. Nothing was charged.`,
      `${openUntil ? `The course stays open until ${atTime(openUntil, reader)}.` : "The course is closed until a payment comes."} ${keptProgress}`,
      nextTryAt
        ? `We try the same card again on ${onDay(nextTryAt, reader)}. If it works, nothing is to be done. You can also give another card now: it is charged ${price} at once, and all is well again.`
        : `This card cannot be charged again, so we do not try it. Please give another card: it is charged ${price} at once, and all is well again.`,
    ],
    rows: [
      ["Due", price],
      ["Next try", nextTryAt ? onDay(nextTryAt, reader) : "none on this card"],
      ["Open until", openUntil && atTime(openUntil, reader)],
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
    subject: `Your renewal of ${planName} is not paid yet`,
    heading: "Your renewal is not paid yet",
    paragraphs: [
      `For a week we have not been able to charge the ${price} that renews your ${planName} for 30 days. It may be no fault of your card: the payment service gave us no answer that counts.`,
      `If nothing works, the course closes until a payment comes. ${keptProgress}`,
      "You need do nothing while your membership page says that a payment is being confirmed. Else you can give another card: it is charged at once.",
    ],
    rows: [["Due", price]],
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
    paragraphs: [
      `We could not charge the ${price} that renews your ${planName}, and have stopped trying. The course is closed for now.`,
      `${keptProgress} A new card opens the course again at once: it is charged ${price}, and your next 30 days begin.`,
    ],
    rows: [["Due", price]],
    link: ["Give a new card", facts.cardLink],
    closing: `${linkWords(facts, reader)} ${questions(reader)}`,
  };
}

function linkWords({ cardLinkExpiresAt }: CardLinkFacts, reader: Reader): string {
  return `The link needs no sign-in and works once, until ${atTime(cardLinkExpiresAt, reader)}: please do not pass it on.`;
}
