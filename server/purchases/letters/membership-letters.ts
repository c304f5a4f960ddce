import { formatMoney } from "#contract/money.ts";
import { atMoment, greeting, type Moment, onDay, questions, type Reader, type StudentLetter } from "./wording.ts";

export interface CancelledFacts {
  readonly planName: string;
  /** Null when it was over already, such as on hold. */
  readonly accessUntil: Moment | null;
}

/** The renewal was stopped, by the student or by an administrator. */
export function cancelledLetter(reader: Reader, { planName, accessUntil }: CancelledFacts): StudentLetter {
  return {
    subject: `Your ${planName} is cancelled`,
    letter: {
      heading: "Cancelled",
      paragraphs: [
        greeting(reader),
        `Your ${planName} does not renew any more, and nothing more is charged.`,
        accessUntil
          ? `You keep what you paid for: the course stays open until ${atMoment(accessUntil)}. Until then you can take the cancellation back with one press.`
          : "The course is closed. Your progress is kept; if you come back, you go on where you left off.",
      ],
      rows: accessUntil ? [["Open until", atMoment(accessUntil)]] : [],
      action: { text: "See your membership", url: `${reader.publicUrl}/membership` },
      closing: `If it was not you who cancelled, write to ${reader.supportEmail}.`,
    },
  };
}

export interface ResumedFacts {
  readonly planName: string;
  readonly amountCents: number;
  readonly nextPaymentAt: Moment;
}

/** A cancellation was taken back. */
export function resumedLetter(reader: Reader, facts: ResumedFacts): StudentLetter {
  const { planName, amountCents, nextPaymentAt } = facts;
  return {
    subject: `Your ${planName} goes on`,
    letter: {
      heading: "Good to have you",
      paragraphs: [
        greeting(reader),
        `The cancellation is taken back. Nothing was charged today: your ${planName} renews every 30 days, next on ${onDay(nextPaymentAt)} for ${formatMoney(amountCents)}, until you cancel. You can cancel at any time.`,
      ],
      rows: [
        ["Next payment", onDay(nextPaymentAt)],
        ["Amount", formatMoney(amountCents)],
      ],
      action: { text: "See your membership", url: `${reader.publicUrl}/membership` },
      closing: `If it was not you, write to ${reader.supportEmail}.`,
    },
  };
}

export interface EndsSoonFacts {
  readonly planName: string;
  readonly daysLeft: number;
  readonly endsAt: Moment;
  /** What another year costs now. */
  readonly priceCents: number;
}

/** A year is about to end, and does not renew by itself. */
export function endsSoonLetter(reader: Reader, facts: EndsSoonFacts): StudentLetter {
  const { planName, daysLeft, endsAt, priceCents } = facts;
  const left = daysLeft === 1 ? "in 1 day" : `in ${daysLeft} days`;
  return {
    subject: `Your ${planName} ends ${left}`,
    letter: {
      heading: `Your year ends ${left}`,
      paragraphs: [
        greeting(reader),
        `Your ${planName} is open until ${atMoment(endsAt)}. It does not renew by itself and nothing is charged.`,
        `If you want another year, buy it whenever you like for ${formatMoney(priceCents)}: its 365 days are added to the end of this one, so that no day is lost. Your progress is kept in any case.`,
      ],
      rows: [
        ["Open until", atMoment(endsAt)],
        ["Another year", formatMoney(priceCents)],
      ],
      action: { text: "Add a year", url: `${reader.publicUrl}/membership` },
      closing: questions(reader),
    },
  };
}

export interface ExpiredFacts {
  readonly planName: string;
  readonly endedAt: Moment;
}

/** What was paid for is over. */
export function expiredLetter(reader: Reader, { planName, endedAt }: ExpiredFacts): StudentLetter {
  return {
    subject: `Your ${planName} has ended`,
    letter: {
      heading: "Your access has ended",
      paragraphs: [
        greeting(reader),
        `Your ${planName} ended on ${atMoment(endedAt)}. Nothing more is charged.`,
        "Your account and your progress are kept. If you come back, you go on where you left off.",
      ],
      rows: [["Ended", atMoment(endedAt)]],
      action: { text: "See the plans", url: `${reader.publicUrl}/#pricing` },
      closing: `${questions(reader)} Thank you for having learned with us.`,
    },
  };
}
