import { href } from "#contract/addresses.ts";
import { dollarsOf, formatCents } from "#contract/money.ts";
import type { LaterPrice } from "#contract/purchases/purchases.ts";
import { renewalPrices } from "#contract/purchases/sentences.ts";
import type { Tier } from "#contract/tiers.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { StudentEmail, StudentReader } from "#server/mail/student-emails.ts";
import { atTime, onDay, questions, type Reader, type WrittenEmail } from "#server/mail/wording.ts";
import { laterWords, type PaidCharge, receiptLink, receiptRows, sumOf } from "#server/purchases/emails.ts";
import { keptProgress } from "./dunning-emails.ts";

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

export const renewedEmail: StudentEmail<RenewedFacts> = { kind: "renewed", write: writeRenewed };

function writeRenewed(facts: RenewedFacts, reader: Reader): WrittenEmail {
  const { planName, amountCents, paidUntil, nextPaymentAt, next } = facts;
  return {
    subject: `Your ${planName} was renewed: receipt for ${formatCents(amountCents)}`,
    heading: "Renewal paid",
    amount: formatCents(amountCents),
    paragraphs: [
      `We charged ${formatCents(amountCents)} for the next 30 days of ${planName}. You don't need to do anything.`,
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

export const cancelledEmail: StudentEmail<CancelledFacts> = { kind: "cancelled", write: writeCancelled };

function writeCancelled({ planName, accessUntil, instead }: CancelledFacts, reader: StudentReader): WrittenEmail {
  const until = instead ? instead.until : accessUntil;
  return {
    subject: `Your ${planName} is cancelled`,
    heading: "Your plan is cancelled",
    paragraphs: [
      `Your ${planName} won't renew, and you won't be charged again.`,
      instead ? insteadWords(instead, reader) : openWords(accessUntil, reader),
    ],
    rows: [["Access until", until && atTime(until, reader)]],
    link: ["See your membership", href.subscription()],
    closing: `If you didn't cancel, write to ${reader.academy.supportEmail}.`,
  };
}

function openWords(accessUntil: Timestamp | null, reader: Reader): string {
  return accessUntil
    ? `You can use the course until ${atTime(accessUntil, reader)}. You can resume any time before then.`
    : "Your access has ended. We keep your progress, so you can pick up where you left off.";
}

function insteadWords({ tier, until }: NonNullable<CancelledFacts["instead"]>, reader: StudentReader): string {
  return `You still have ${reader.planNames[tier]} ${until ? `until ${atTime(until, reader)}` : "without an end date"}.`;
}

export interface ResumedFacts {
  readonly planName: string;
  readonly amountCents: number;
  readonly nextPaymentAt: Timestamp;
  /** Absent in emails of an earlier release. */
  readonly later?: LaterPrice | null;
}

export const resumedEmail: StudentEmail<ResumedFacts> = { kind: "resumed", write: writeResumed };

function writeResumed(facts: ResumedFacts, reader: Reader): WrittenEmail {
  const { planName, amountCents, nextPaymentAt, later } = facts;
  return {
    subject: `Your ${planName} continues`,
    paragraphs: [
      `You weren't charged today. Your ${planName} renews every 30 days, next on ${onDay(nextPaymentAt, reader)} for ${formatCents(amountCents)}, until you cancel. You can cancel any time.${laterWords(amountCents, later)}`,
    ],
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

export const endsSoonEmail: StudentEmail<EndsSoonFacts> = { kind: "ends-soon", write: writeEndsSoon };

function writeEndsSoon(facts: EndsSoonFacts, reader: Reader): WrittenEmail {
  const { planName, daysLeft, endsAt, priceCents } = facts;
  const left = daysLeft === 1 ? "in 1 day" : `in ${daysLeft} days`;
  return {
    subject: `Your ${planName} ends ${left}`,
    heading: `Your year ends ${left}`,
    paragraphs: [
      `You have ${planName} until ${atTime(endsAt, reader)}. It won't renew, and you won't be charged.`,
      `You can add another year for ${formatCents(priceCents)} today. It starts when this year ends, so you don't lose any days. We keep your progress either way.`,
    ],
    rows: [
      ["Access until", atTime(endsAt, reader)],
      ["Price of another year today", formatCents(priceCents)],
    ],
    link: ["Add a year", href.subscription()],
    closing: questions(reader),
  };
}

export interface ExpiredFacts {
  readonly planName: string;
  readonly endedAt: Timestamp;
}

export const expiredEmail: StudentEmail<ExpiredFacts> = { kind: "expired", write: writeExpired };

function writeExpired({ planName, endedAt }: ExpiredFacts, reader: Reader): WrittenEmail {
  return {
    subject: `Your ${planName} has ended`,
    heading: "Your access has ended",
    paragraphs: [
      `Your ${planName} ended on ${atTime(endedAt, reader)}. You won't be charged again.`,
      "We keep your account and your progress, so you can pick up where you left off.",
    ],
    link: ["See the plans", href.pricing()],
    closing: `${questions(reader)} Thank you for learning with us.`,
  };
}

export interface HeldFacts {
  readonly planName: string;
  readonly reason: string | null;
}

export const heldEmail: StudentEmail<HeldFacts> = { kind: "held", write: writeHeld };

function writeHeld({ planName, reason }: HeldFacts, reader: Reader): WrittenEmail {
  return {
    subject: "Your account is on hold",
    paragraphs: [
      "We've put your account on hold. You can't use the course for now, and we won't charge you in the meantime.",
      reason && `Reason: ${reason}`,
      keptProgress,
    ],
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

export const backAgainEmail: StudentEmail<BackAgainFacts> = { kind: "back-again", write: writeBackAgain };

function writeBackAgain(facts: BackAgainFacts, reader: Reader): WrittenEmail {
  const { planName, nextPaymentAt, accessUntil, payment, due, next } = facts;
  return {
    subject: "Your account is active again",
    heading: "Welcome back",
    amount: payment && formatCents(payment.amountCents),
    paragraphs: [
      "Your account is active again, and your progress is where you left it.",
      payment && `We charged ${formatCents(payment.amountCents)} for the next 30 days.`,
      due && dueWords(due, nextPaymentAt, reader),
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
): string {
  const unpaid = `Your renewal of ${formatCents(amountCents)} is still unpaid.`;
  if (!isOpen) return `${unpaid} We'll charge your card soon, and you can use the course again once it's paid.`;
  return isTriedAgain && nextPaymentAt
    ? `${unpaid} We'll try your card again on ${onDay(nextPaymentAt, reader)}. To keep your access, update your card before then.`
    : `${unpaid} We can't charge your card anymore. Update it to keep your access.`;
}

export interface SuspendedFacts {
  readonly reason: string | null;
}

export const suspendedEmail: StudentEmail<SuspendedFacts> = { kind: "suspended", write: writeSuspended };

function writeSuspended({ reason }: SuspendedFacts, reader: Reader): WrittenEmail {
  return {
    subject: "Your account is suspended",
    paragraphs: [
      "We've suspended your account. You can't use the course, and we won't charge you in the meantime.",
      reason && `Reason: ${reason}`,
    ],
    closing: `If you think this is a mistake, write to ${reader.academy.supportEmail}.`,
  };
}
