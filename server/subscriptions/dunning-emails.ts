import { formatCents } from "#contract/money.ts";
import type { Timestamp } from "#server/base/dates.ts";
import type { Say } from "#server/mail/email-texts.ts";
import type { StudentEmail } from "#server/mail/student-emails.ts";
import { atTime, onDay, questions, type Reader, type WrittenEmail } from "#server/mail/wording.ts";
import { type CardLinkFacts, type CardPage, makeCardLink } from "./card-link-tokens.ts";

export interface DeclinedFacts extends CardPage {
  readonly planName: string;
  readonly amountCents: number;
  /** Null: the card can never be charged, so there is no next try. */
  readonly nextTryAt: Timestamp | null;
  /** Null: access has ended already. */
  readonly openUntil: Timestamp | null;
}

export const declinedEmail: StudentEmail<DeclinedFacts, CardLinkFacts, "declined"> = {
  kind: "declined",
  write: writeDeclined,
  prepare: makeCardLink,
};

function writeDeclined(facts: DeclinedFacts & CardLinkFacts, reader: Reader, say: Say<"declined">): WrittenEmail {
  const { planName: plan, amountCents, nextTryAt, openUntil } = facts;
  const amount = formatCents(amountCents);
  return {
    subject: say("subject", { amount, plan }),
    heading: say("heading"),
    amount,
    paragraphs: [
      say("declined", { amount, plan }),
      openUntil ? say("open", { time: atTime(openUntil, reader) }) : say("closed"),
      nextTryAt ? say("again", { day: onDay(nextTryAt, reader), amount }) : say("never", { amount }),
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
export const unpaidEmail: StudentEmail<UnpaidRenewalFacts, CardLinkFacts, "unpaid"> = {
  kind: "unpaid",
  write: writeUnpaid,
  prepare: makeCardLink,
};

function writeUnpaid(facts: UnpaidRenewalFacts & CardLinkFacts, reader: Reader, say: Say<"unpaid">): WrittenEmail {
  const { planName: plan, amountCents } = facts;
  const amount = formatCents(amountCents);
  return {
    subject: say("subject", { plan }),
    heading: say("heading"),
    amount,
    paragraphs: [say("unclear", { amount, plan }), say("confirmed"), say("ends")],
    link: ["Update your card", facts.cardLink],
    closing: `${linkWords(facts, reader)} ${questions(reader)}`,
  };
}

export const onHoldEmail: StudentEmail<UnpaidRenewalFacts, CardLinkFacts, "on-hold"> = {
  kind: "on-hold",
  write: writeOnHold,
  prepare: makeCardLink,
};

function writeOnHold(facts: UnpaidRenewalFacts & CardLinkFacts, reader: Reader, say: Say<"on-hold">): WrittenEmail {
  const { planName: plan, amountCents } = facts;
  const amount = formatCents(amountCents);
  return {
    subject: say("subject", { plan }),
    heading: say("heading"),
    amount,
    paragraphs: [say("stopped", { amount, plan }), say("back", { amount })],
    link: ["Add a new card", facts.cardLink],
    closing: `${linkWords(facts, reader)} ${questions(reader)}`,
  };
}

function linkWords({ cardLinkExpiresAt }: CardLinkFacts, reader: Reader): string {
  return `The link works once, without signing in, until ${atTime(cardLinkExpiresAt, reader)}. Please don't share it.`;
}
