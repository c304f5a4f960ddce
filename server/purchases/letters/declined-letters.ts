import { formatMoney } from "#contract/money.ts";
import { type PaidCharge, receiptLink, receiptRows } from "./purchase-letters.ts";
import { atMoment, greeting, type Moment, onDay, questions, type Reader, type StudentLetter } from "./wording.ts";

const keptProgress = "Your progress and your account stay as they are.";

interface CardLinkFacts {
  /** Opens the card page without sign-in. */
  readonly cardLink: string;
  readonly cardLinkExpiresAt: Moment;
}

export interface DeclinedFacts extends CardLinkFacts {
  readonly planName: string;
  readonly amountCents: number;
  /** Null: this card can never be charged, so it is not tried again. */
  readonly nextTryAt: Moment | null;
  /** When the account goes on hold if no payment comes. */
  readonly finalAt: Moment;
  /** Null: the course is closed already. An email that the release before scheduled lacks it: it is `finalAt`. */
  readonly openUntil?: Moment | null;
}

/** A renewal was declined: what is owed, what is kept, when we try again, and the way to another card. */
export function declinedLetter(reader: Reader, facts: DeclinedFacts): StudentLetter {
  const { planName, amountCents, nextTryAt, finalAt, openUntil = finalAt } = facts;
  const price = formatMoney(amountCents);
  return {
    subject: `Your payment of ${price} for ${planName} did not go through`,
    letter: {
      heading: "Your card was declined",
      paragraphs: [
        greeting(reader),
        `Your bank declined the ${price} that renews your ${planName} for 30 days. Nothing was charged.`,
        `${openUntil ? `The course stays open until ${atMoment(openUntil)}.` : "The course is closed until a payment comes."} ${keptProgress}`,
        nextTryAt
          ? `We try the same card again on ${onDay(nextTryAt)}. If it works, nothing is to be done. You can also give another card now: it is charged ${price} at once, and all is well again.`
          : `This card cannot be charged again, so we do not try it. Please give another card: it is charged ${price} at once, and all is well again.`,
      ],
      rows: [
        ["Due", price],
        ["Next try", nextTryAt ? onDay(nextTryAt) : "none on this card"],
        ...(openUntil ? [["Open until", atMoment(openUntil)] as const] : []),
      ],
      action: { text: "Update your card", url: facts.cardLink },
      closing: `${linkWords(facts)} ${questions(reader)}`,
    },
  };
}

export interface UnpaidRenewalFacts extends CardLinkFacts {
  readonly planName: string;
  readonly amountCents: number;
}

/** A renewal was not paid for a week, and nobody knows of a fault of the card. */
export function unpaidLetter(reader: Reader, facts: UnpaidRenewalFacts): StudentLetter {
  const { planName, amountCents } = facts;
  const price = formatMoney(amountCents);
  return {
    subject: `Your renewal of ${planName} is not paid yet`,
    letter: {
      heading: "Your renewal is not paid yet",
      paragraphs: [
        greeting(reader),
        `For a week we have not been able to charge the ${price} that renews your ${planName} for 30 days. It may be no fault of your card: the payment service gave us no answer that counts.`,
        `If nothing works, the course closes until a payment comes. ${keptProgress}`,
        "You need do nothing while your membership page says that a payment is being confirmed. Else you can give another card: it is charged at once.",
      ],
      rows: [["Due", price]],
      action: { text: "Update your card", url: facts.cardLink },
      closing: `${linkWords(facts)} ${questions(reader)}`,
    },
  };
}

export interface OnHoldFacts extends CardLinkFacts {
  readonly planName: string;
  readonly amountCents: number;
}

/** The last try failed: the course is closed until a card pays. */
export function onHoldLetter(reader: Reader, facts: OnHoldFacts): StudentLetter {
  const { planName, amountCents } = facts;
  const price = formatMoney(amountCents);
  return {
    subject: `Your ${planName} is on hold`,
    letter: {
      heading: "Your account is on hold",
      paragraphs: [
        greeting(reader),
        `We could not charge the ${price} that renews your ${planName}, and have stopped trying. The course is closed for now.`,
        `${keptProgress} A new card opens the course again at once: it is charged ${price}, and your next 30 days begin.`,
      ],
      rows: [["Due", price]],
      action: { text: "Give a new card", url: facts.cardLink },
      closing: `${linkWords(facts)} ${questions(reader)}`,
    },
  };
}

export interface HeldFacts {
  readonly planName: string;
  readonly reason: string | null;
}

/** An administrator put the account on hold. */
export function heldLetter(reader: Reader, { planName, reason }: HeldFacts): StudentLetter {
  return {
    subject: "Your account is on hold",
    letter: {
      heading: "Your account is on hold",
      paragraphs: [
        greeting(reader),
        "We have put your account on hold. The course is closed for now, and nothing is charged while it is.",
        ...(reason ? [`The reason: ${reason}`] : []),
        keptProgress,
      ],
      rows: [["Plan", planName]],
      closing: `We open it again when this is cleared up: write to ${reader.supportEmail}. Another card does not.`,
    },
  };
}

export interface BackAgainFacts {
  /** Null: there is no plan that renews. */
  readonly planName: string | null;
  readonly nextPaymentAt: Moment | null;
  /** Null: it never ends, or there is none. */
  readonly accessUntil: Moment | null;
  /** What a new card paid to come back; null when nothing was charged. */
  readonly payment: PaidCharge | null;
}

/** A hold or a suspension was lifted. */
export function backAgainLetter(reader: Reader, facts: BackAgainFacts): StudentLetter {
  const { planName, nextPaymentAt, accessUntil, payment } = facts;
  return {
    subject: "Your account is active again",
    letter: {
      heading: "Welcome back",
      paragraphs: [
        greeting(reader),
        "Your account is active again. Your progress is where you left it.",
        ...(payment ? [`We charged ${formatMoney(payment.amountCents)} for the next 30 days.`] : []),
        ...(planName && nextPaymentAt
          ? [
              `Your ${planName} renews every 30 days, next on ${onDay(nextPaymentAt)}, until you cancel. You can cancel at any time.`,
            ]
          : []),
      ],
      rows: [
        ...(payment ? receiptRows(payment) : []),
        ...(accessUntil ? [["Open until", atMoment(accessUntil)] as const] : []),
      ],
      action: { text: "Open the course", url: `${reader.publicUrl}/dashboard` },
      links: payment ? [receiptLink(reader, payment)] : [],
      closing: questions(reader),
    },
  };
}

function linkWords({ cardLinkExpiresAt }: CardLinkFacts): string {
  return `The link needs no sign-in and works once, until ${atMoment(cardLinkExpiresAt)}: please do not pass it on.`;
}
