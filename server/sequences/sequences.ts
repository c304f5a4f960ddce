import type { SequenceName } from "#contract/admin/sequences.ts";
import { centsOf } from "#contract/money.ts";
import { DAY } from "#server/base/clock.ts";
import { readSale } from "#server/catalogue/catalogue.ts";
import type { MailContext, StudentEmail } from "#server/mail/student-emails.ts";
import {
  type Audience,
  newTiers,
  openedLessons,
  stalledStudents,
  unfinishedCheckouts,
  unusedSubscriptions,
} from "./audiences/queries.ts";
import {
  newLessonEmail,
  payingForNothingEmail,
  stalledEmail,
  unfinishedCheckoutEmail,
  welcomeEmail,
} from "./emails.ts";

export interface Sequence {
  /** Whom a step reaches, by what starts the sequence and what stops it. */
  readonly audience: Audience;
  /** Milliseconds from the start to each step. */
  readonly delays: readonly number[];
  /** Of every step. */
  readonly email: StudentEmail<never>;
  /** Resolves to what adds facts that no query selects. Null: the email is obsolete. */
  readonly completer?: (ctx: MailContext, now: Date) => Promise<(facts: never) => object | null>;
}

export const sequences: Readonly<Record<SequenceName, Sequence>> = {
  "unfinished-checkout": {
    audience: unfinishedCheckouts,
    delays: [DAY, 5 * DAY],
    email: unfinishedCheckoutEmail,
    completer: planAdder,
  },
  "paying-for-nothing": { audience: unusedSubscriptions, delays: [0], email: payingForNothingEmail },
  "new-lesson": { audience: openedLessons, delays: [0], email: newLessonEmail },
  welcome: { audience: newTiers, delays: [0, 3 * DAY, 7 * DAY], email: welcomeEmail },
  stalled: { audience: stalledStudents, delays: [0, 7 * DAY, 14 * DAY], email: stalledEmail },
};

interface Quoted {
  readonly planId: string;
  readonly listCents: number | null;
  readonly discount: { readonly code: string; readonly cents: number } | null;
  /** Whether the coupon is. */
  readonly isValid: boolean;
}

/** As it is sold now, with the student's coupon if they would still pay the same with it. */
async function planAdder({ db }: MailContext, now: Date) {
  const { plans } = (await readSale(db)).at(now);
  return ({ planId, listCents, discount, isValid }: Quoted) => {
    const plan = plans.find(({ id }) => id === planId);
    if (!plan) return null;
    if (!discount) return { plan };
    const isSame = isValid && centsOf(plan.price) === listCents;
    return isSame ? { plan, code: discount.code, cost: plan.price - discount.cents / 100 } : { plan, cost: null };
  };
}
