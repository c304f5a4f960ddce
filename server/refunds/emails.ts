import { formatCents } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { Say } from "#server/mail/email-texts.ts";
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

export const refundedEmail: StudentEmail<RefundedFacts, object, "refunded"> = {
  kind: "refunded",
  write: writeRefunded,
};

function writeRefunded(facts: RefundedFacts, reader: StudentReader, say: Say<"refunded">): WrittenEmail {
  const { planName, amountCents, paidCents, refundedAt, card, transactionId, kind } = facts;
  const amount = formatCents(amountCents);
  const share = amountCents < paidCents ? `${amount} of the ${formatCents(paidCents)}` : `the whole ${amount}`;
  return {
    subject: say("subject", { amount }),
    heading: say("heading"),
    amount,
    paragraphs: [say("refunded", { share, plan: planName }), say(kind), accessWords(facts, reader)],
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

export const paymentLostEmail: StudentEmail<PaymentLostFacts, object, "payment-lost"> = {
  kind: "payment-lost",
  write: writePaymentLost,
};

function writePaymentLost(facts: PaymentLostFacts, reader: StudentReader, say: Say<"payment-lost">): WrittenEmail {
  const { planName: plan, amountCents, cause, endsAccess } = facts;
  const amount = formatCents(amountCents);
  return {
    subject: say(endsAccess ? "subject" : "subjectKept", { plan }),
    heading: say("heading"),
    amount,
    paragraphs: [
      say(cause === "charged-back" ? "disputed" : "neverPaid", { amount, plan }),
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
