import { formatMoney } from "#contract/money.ts";
import { type Tier, tierLabels } from "#contract/tiers.ts";
import {
  atMoment,
  type Card,
  cardWords,
  greeting,
  type Moment,
  onDay,
  questions,
  type Reader,
  type StudentLetter,
} from "./wording.ts";

export interface RefundedFacts {
  readonly planName: string;
  /** What went back. */
  readonly amountCents: number;
  /** What had been paid by this charge. */
  readonly paidCents: number;
  readonly refundedAt: Moment;
  readonly card: Card;
  readonly transactionId: string | null;
  /** A void takes back what had not settled; a refund pays back what had. */
  readonly kind: "void" | "refund";
  readonly endsAccess: boolean;
  /** What is open afterwards, by other purchases or because access stays. */
  readonly accessAfter: { readonly tier: Tier | null; readonly until: Moment | null };
}

/** Money went back: how much, by which way, and what it means for the course. */
export function refundedLetter(reader: Reader, facts: RefundedFacts): StudentLetter {
  const { planName, amountCents, paidCents, refundedAt, card, transactionId, kind } = facts;
  const amount = formatMoney(amountCents);
  const share = amountCents < paidCents ? `${amount} of the ${formatMoney(paidCents)}` : `the whole ${amount}`;
  return {
    subject: `Your refund of ${amount}`,
    letter: {
      heading: "Refunded",
      paragraphs: [
        greeting(reader),
        `We have given back ${share} that you paid for ${planName}, to the card you paid with.`,
        kind === "void"
          ? "The payment had not been settled yet, so it disappears from your statement, usually within a few days."
          : "Banks take 5 to 10 days to show it on the statement.",
        accessWords(facts),
      ],
      rows: [
        ["Refunded", amount],
        ["Date", onDay(refundedAt)],
        ["Card", cardWords(card)],
        ...(transactionId ? [["Transaction", transactionId] as const] : []),
      ],
      closing: questions(reader),
    },
  };
}

export interface PaymentLostFacts extends Pick<RefundedFacts, "planName" | "amountCents" | "accessAfter"> {
  /** The card holder's bank took it back, or it never arrived. */
  readonly cause: "charged-back" | "never-paid";
}

/** A payment is gone, and nobody here returned it: what happened, and what it means for the course. */
export function paymentLostLetter(reader: Reader, facts: PaymentLostFacts): StudentLetter {
  const { planName, amountCents, cause } = facts;
  const amount = formatMoney(amountCents);
  return {
    subject: `Your ${planName} has ended`,
    letter: {
      heading: "A payment did not last",
      paragraphs: [
        greeting(reader),
        cause === "charged-back"
          ? `Your bank has taken back the ${amount} that you paid for ${planName}: the payment was disputed.`
          : `The ${amount} for ${planName} never reached us: your bank did not settle the payment.`,
        accessWords({ ...facts, endsAccess: true }),
      ],
      rows: [["Amount", amount]],
      closing: `If you did not expect this, write to ${reader.supportEmail}: we sort it out with you.`,
    },
  };
}

function accessWords(facts: Pick<RefundedFacts, "planName" | "endsAccess" | "accessAfter">): string {
  const { planName, endsAccess } = facts;
  const { tier, until } = facts.accessAfter;
  const left = tier && `${tierLabels[tier]} ${until ? `until ${atMoment(until)}` : "without an end date"}`;
  if (!endsAccess) return left ? `The course stays open: ${left}.` : "It changes nothing about your access.";
  const ended = `With it ${planName} has ended, and nothing renews it.`;
  return left ? `${ended} You still have ${left}.` : `${ended} Your account and your progress are kept.`;
}

export interface SuspendedFacts {
  readonly reason: string | null;
}

/** An administrator closed the course for this account. */
export function suspendedLetter(reader: Reader, { reason }: SuspendedFacts): StudentLetter {
  return {
    subject: "Your account is suspended",
    letter: {
      heading: "Your account is suspended",
      paragraphs: [
        greeting(reader),
        "We have suspended your account. The course is closed to it, and nothing is charged while it is.",
        ...(reason ? [`The reason: ${reason}`] : []),
      ],
      closing: `If you think this is a mistake, write to ${reader.supportEmail}.`,
    },
  };
}

export interface AccountDeletedFacts {
  readonly deletedAt: Moment;
}

/** The last letter: what was erased, and what the books must keep. */
export function accountDeletedLetter(reader: Reader, { deletedAt }: AccountDeletedFacts): StudentLetter {
  return {
    subject: "Your account is deleted",
    letter: {
      heading: "Your account is deleted",
      paragraphs: [
        greeting(reader),
        `Your account was deleted on ${atMoment(deletedAt)}, with your profile, your progress and your sign-in. Nothing renews any more, and no card is kept.`,
        "Records of payments stay, as the law asks, without your name and address. This is the last mail we send you.",
      ],
      closing: `If it was not you, write to ${reader.supportEmail} today.`,
    },
  };
}
