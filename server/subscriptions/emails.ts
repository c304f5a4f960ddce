import { href } from "#contract/addresses.ts";
import { dollarsOf, formatCents } from "#contract/money.ts";
import type { LaterPrice } from "#contract/purchases/purchases.ts";
import { renewalPrices } from "#contract/purchases/sentences.ts";
import type { Tier } from "#contract/tiers.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { Say } from "#server/mail/email-texts.ts";
import type { StudentEmail, StudentReader } from "#server/mail/student-emails.ts";
import { atTime, onDay, questions, type Reader, type WrittenEmail } from "#server/mail/wording.ts";
import { laterWords, type PaidCharge, receiptLink, receiptRows, sumOf } from "#server/purchases/emails.ts";

/** The next renewal of a student whose coupon discounts renewals, or did. */
export interface NextPrice {
  readonly cents: number;
  readonly later: LaterPrice | null;
}

export interface RenewedFacts extends PaidCharge {
  readonly paidUntil: Timestamp;
  /** Absent without such a coupon. */
  readonly next?: NextPrice;
  /** Null: the subscription was cancelled meanwhile. */
  readonly nextPaymentAt: Timestamp | null;
}

export const renewedEmail: StudentEmail<RenewedFacts, object, "renewed"> = { kind: "renewed", write: writeRenewed };

function writeRenewed(facts: RenewedFacts, reader: Reader, say: Say<"renewed">): WrittenEmail {
  const { planName: plan, amountCents, paidUntil, nextPaymentAt, next } = facts;
  const amount = formatCents(amountCents);
  return {
    subject: say("subject", { plan, amount }),
    heading: say("heading"),
    amount,
    paragraphs: [
      say("charged", { amount, plan }),
      nextPaymentAt
        ? `It renews every 30 days, next on ${onDay(nextPaymentAt, reader)}, until you cancel. You can cancel any time.${nextWords(amountCents, next)}`
        : "It won't renew again.",
    ],
    sum: sumOf(facts),
    rows: [["Paid until", atTime(paidUntil, reader)], ...receiptRows(reader, facts)],
    link: ["See your membership", href.subscription()],
    otherLinks: [receiptLink(facts)],
  };
}

/** Empty while the price stays. */
function nextWords(paidCents: number, next: NextPrice | undefined): string {
  if (!next) return "";
  if (next.later) return laterWords(next.cents, next.later);
  if (next.cents === paidCents) return "";
  return ` Your discount has ended: from then on, you pay ${renewalPrices(dollarsOf(next.cents), null)}.`;
}

export interface CancelledFacts {
  readonly planName: string;
  readonly accessUntil: Timestamp | null;
  /** What is open now besides the paid days, such as a gift. */
  readonly instead: { readonly tier: Tier; readonly until: Timestamp | null } | null;
}

export const cancelledEmail: StudentEmail<CancelledFacts, object, "cancelled"> = {
  kind: "cancelled",
  write: writeCancelled,
};

function writeCancelled(facts: CancelledFacts, reader: StudentReader, say: Say<"cancelled">): WrittenEmail {
  const { planName: plan, accessUntil, instead } = facts;
  const until = instead ? instead.until : accessUntil;
  return {
    subject: say("subject", { plan }),
    heading: say("heading"),
    paragraphs: [
      say("stops", { plan }),
      instead
        ? say("other", { access: insteadWords(instead, reader) })
        : accessUntil
          ? say("open", { time: atTime(accessUntil, reader) })
          : say("closed"),
    ],
    rows: [["Access until", until && atTime(until, reader)]],
    link: ["See your membership", href.subscription()],
    closing: `If you didn't cancel, write to ${reader.academy.supportEmail}.`,
  };
}

function insteadWords({ tier, until }: NonNullable<CancelledFacts["instead"]>, reader: StudentReader): string {
  return `${reader.planNames[tier]} ${until ? `until ${atTime(until, reader)}` : "without an end date"}`;
}

export interface ResumedFacts {
  readonly planName: string;
  readonly amountCents: number;
  readonly nextPaymentAt: Timestamp;
  /** Absent in emails of an earlier release. */
  readonly later?: LaterPrice | null;
}

export const resumedEmail: StudentEmail<ResumedFacts, object, "resumed"> = { kind: "resumed", write: writeResumed };

function writeResumed(facts: ResumedFacts, reader: Reader, say: Say<"resumed">): WrittenEmail {
  const { planName: plan, amountCents, nextPaymentAt, later } = facts;
  const terms = `Your ${plan} renews every 30 days, next on ${onDay(nextPaymentAt, reader)} for ${formatCents(amountCents)}, until you cancel. You can cancel any time.${laterWords(amountCents, later)}`;
  return {
    subject: say("subject", { plan }),
    paragraphs: [say("terms", { terms })],
    rows: [
      ["Next payment", onDay(nextPaymentAt, reader)],
      ["Amount", formatCents(amountCents)],
    ],
    link: ["See your membership", href.subscription()],
    closing: `If you didn't do this, write to ${reader.academy.supportEmail}.`,
  };
}

export interface EndsSoonFacts {
  readonly planName: string;
  readonly daysLeft: number;
  readonly endsAt: Timestamp;
  readonly priceCents: number;
}

export const endsSoonEmail: StudentEmail<EndsSoonFacts, object, "ends-soon"> = {
  kind: "ends-soon",
  write: writeEndsSoon,
};

function writeEndsSoon(facts: EndsSoonFacts, reader: Reader, say: Say<"ends-soon">): WrittenEmail {
  const { planName: plan, daysLeft, endsAt, priceCents } = facts;
  const [time, amount] = [atTime(endsAt, reader), formatCents(priceCents)];
  const left = daysLeft === 1 ? "in 1 day" : `in ${daysLeft} days`;
  return {
    subject: say("subject", { plan, left }),
    heading: say("heading", { left }),
    paragraphs: [say("until", { plan, time }), say("again", { amount })],
    rows: [
      ["Access until", time],
      ["Price of another year today", amount],
    ],
    link: ["Add a year", href.subscription()],
    closing: questions(reader),
  };
}

export interface ExpiredFacts {
  readonly planName: string;
  readonly endedAt: Timestamp;
}

export const expiredEmail: StudentEmail<ExpiredFacts, object, "expired"> = { kind: "expired", write: writeExpired };

function writeExpired({ planName: plan, endedAt }: ExpiredFacts, reader: Reader, say: Say<"expired">): WrittenEmail {
  return {
    subject: say("subject", { plan }),
    heading: say("heading"),
    paragraphs: [say("ended", { plan, time: atTime(endedAt, reader) }), say("progress")],
    link: ["See the plans", href.pricing()],
    closing: `${questions(reader)} Thank you for learning with us.`,
  };
}

export interface HeldFacts {
  readonly planName: string;
  readonly reason: string | null;
}

export const heldEmail: StudentEmail<HeldFacts, object, "held"> = { kind: "held", write: writeHeld };

function writeHeld({ planName, reason }: HeldFacts, reader: Reader, say: Say<"held">): WrittenEmail {
  return {
    subject: say("subject"),
    paragraphs: [say("held"), reason && say("reason", { reason }), say("progress")],
    rows: [["Plan", planName]],
    closing: `To clear this up, write to ${reader.academy.supportEmail}. Adding a new card won't lift the hold.`,
  };
}

export interface BackAgainFacts {
  /** Null: there is no renewing plan. */
  readonly planName: string | null;
  readonly nextPaymentAt: Timestamp | null;
  readonly accessUntil: Timestamp | null;
  /** The payment by a new card that lifted the hold. Null when nothing was charged. */
  readonly payment: PaidCharge | null;
  /** After a payment. Absent without a coupon that discounts renewals. */
  readonly next?: NextPrice;
  /** An unpaid renewal. `isTriedAgain`: on the same card; `isOpen`: the course, until `accessUntil`. */
  readonly due?: { readonly amountCents: number; readonly isTriedAgain: boolean; readonly isOpen: boolean };
}

export const backAgainEmail: StudentEmail<BackAgainFacts, object, "back-again"> = {
  kind: "back-again",
  write: writeBackAgain,
};

function writeBackAgain(facts: BackAgainFacts, reader: Reader, say: Say<"back-again">): WrittenEmail {
  const { planName, nextPaymentAt, accessUntil, payment, due, next } = facts;
  return {
    subject: say("subject"),
    heading: say("heading"),
    amount: payment && formatCents(payment.amountCents),
    paragraphs: [
      say("active"),
      payment && say("charged", { amount: formatCents(payment.amountCents) }),
      due && dueWords(due, nextPaymentAt, reader, say),
      planName &&
        nextPaymentAt &&
        !due &&
        `Your ${planName} renews every 30 days, next on ${onDay(nextPaymentAt, reader)}, until you cancel. You can cancel any time.${payment ? nextWords(payment.amountCents, next) : ""}`,
    ],
    sum: payment ? sumOf(payment) : [],
    rows: [
      ["Access until", accessUntil && atTime(accessUntil, reader)],
      ...(payment ? receiptRows(reader, payment) : []),
    ],
    link: due ? ["Update your card", href.subscription()] : ["Open the course", href.dashboard()],
    otherLinks: payment ? [receiptLink(payment)] : [],
    closing: questions(reader),
  };
}

function dueWords(
  { amountCents, isTriedAgain, isOpen }: NonNullable<BackAgainFacts["due"]>,
  nextPaymentAt: Timestamp | null,
  reader: Reader,
  say: Say<"back-again">,
): string {
  const amount = formatCents(amountCents);
  if (!isOpen) return say("due", { amount });
  return isTriedAgain && nextPaymentAt
    ? say("dueAgain", { amount, day: onDay(nextPaymentAt, reader) })
    : say("dueNever", { amount });
}

export interface SuspendedFacts {
  readonly reason: string | null;
}

export const suspendedEmail: StudentEmail<SuspendedFacts, object, "suspended"> = {
  kind: "suspended",
  write: writeSuspended,
};

function writeSuspended({ reason }: SuspendedFacts, reader: Reader, say: Say<"suspended">): WrittenEmail {
  return {
    subject: say("subject"),
    paragraphs: [say("suspended"), reason && say("reason", { reason })],
    closing: `If you think this is a mistake, write to ${reader.academy.supportEmail}.`,
  };
}
