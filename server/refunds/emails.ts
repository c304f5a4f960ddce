import { formatCents } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { StudentEmail, StudentReader } from "#server/mail/student-emails.ts";
import { atTime, type Card, cardWords, onDay, questions, type WrittenEmail } from "#server/mail/wording.ts";

export interface RefundedFacts {
  readonly planName: string;
  readonly amountCents: number;
  /** The refunded charge's amount. */
  readonly paidCents: number;
  readonly refundedAt: Timestamp;
  readonly card: Card;
  readonly transactionId: string | null;
  readonly kind: "void" | "refund";
  readonly endsAccess: boolean;
  /** Whether access was kept without its renewal. */
  readonly stopsRenewal: boolean;
  /** From other purchases, or because the refund does not end access. */
  readonly accessAfter: { readonly tier: Tier | null; readonly until: Timestamp | null };
}

export const refundedEmail: StudentEmail<RefundedFacts> = { kind: "refunded", write: writeRefunded };

function writeRefunded(facts: RefundedFacts, reader: StudentReader): WrittenEmail {
  const { planName, amountCents, paidCents, refundedAt, card, transactionId, kind } = facts;
  const amount = formatCents(amountCents);
  const share = amountCents < paidCents ? `${amount} of the ${formatCents(paidCents)}` : `the whole ${amount}`;
  return {
    subject: `Your refund of ${amount}`,
    heading: "We refunded your payment",
    amount,
    paragraphs: [
      `We refunded ${share} that you paid for ${planName} to your card.`,
      kind === "void"
        ? "Your bank hadn't finished processing the payment, so it should disappear from your statement within a few days."
        : "It can take 5 to 10 days to show up on your statement.",
      accessWords(facts, reader),
    ],
    rows: [
      ["Date", onDay(refundedAt, reader)],
      ["Card", cardWords(card)],
      ["Transaction", transactionId],
    ],
    closing: questions(reader),
  };
}

export interface PaymentLostFacts extends Pick<RefundedFacts, "planName" | "amountCents" | "accessAfter"> {
  readonly cause: "charged-back" | "never-paid";
  readonly endsAccess: boolean;
}

export const paymentLostEmail: StudentEmail<PaymentLostFacts> = { kind: "payment-lost", write: writePaymentLost };

function writePaymentLost(facts: PaymentLostFacts, reader: StudentReader): WrittenEmail {
  const { planName, amountCents, cause, endsAccess } = facts;
  const amount = formatCents(amountCents);
  return {
    subject: endsAccess ? `Your ${planName} has ended` : `A payment for your ${planName} was reversed`,
    heading: "A payment was reversed",
    amount,
    paragraphs: [
      cause === "charged-back"
        ? `Your bank took back the ${amount} you paid for ${planName} because the payment was disputed.`
        : `We never received your ${amount} payment for ${planName} because your bank didn't complete it.`,
      accessWords({ ...facts, stopsRenewal: false }, reader),
    ],
    closing: `If you didn't expect this, write to ${reader.academy.supportEmail} and we'll sort it out with you.`,
  };
}

function accessWords(
  facts: Pick<RefundedFacts, "planName" | "endsAccess" | "stopsRenewal" | "accessAfter">,
  reader: StudentReader,
): string {
  const { planName, endsAccess, stopsRenewal } = facts;
  const { tier, until } = facts.accessAfter;
  const left = tier && `${reader.planNames[tier]} ${until ? `until ${atTime(until, reader)}` : "without an end date"}`;
  if (stopsRenewal) {
    const renewal = "It won't renew, and you won't be charged again.";
    return left ? `You still have ${left}. ${renewal}` : renewal;
  }
  if (!endsAccess) return left ? `You still have ${left}.` : "Your access doesn't change.";
  const ended = `Your ${planName} has ended and won't renew.`;
  return left ? `${ended} You still have ${left}.` : `${ended} We keep your account and your progress.`;
}
