import { centsOf } from "#contract/money.ts";
import { type Tier, tierLabels, tierRank } from "#contract/tiers.ts";
import { after, DAY, HOUR, MINUTE, SECOND } from "#server/clock.ts";
import { Refusal } from "#server/refusal.ts";

const monthlyPeriod = 30 * DAY;
const annualPeriod = 365 * DAY;

/** Two purchases of a year closer together than this are one person clicking twice. */
const doubleBuyWindow = 2 * MINUTE;

/**
 * Whether the amount and plan that the page named are the ones on sale. They select; the plan decides.
 * @throws Refusal amount-mismatch, plan-mismatch.
 */
export function checkSelection(
  plan: { readonly id: string; readonly price: number; readonly name: string },
  selection: { readonly amount: number; readonly priceId?: string | undefined },
): void {
  if (selection.priceId !== undefined && selection.priceId !== plan.id) {
    throw new Refusal("plan-mismatch", "The plan does not match the tier. Please choose your plan again.");
  }
  if (centsOf(selection.amount) !== plan.price) {
    throw new Refusal(
      "amount-mismatch",
      `The price of ${plan.name} is different. Please reload the page and try again.`,
    );
  }
}

/**
 * Whether somebody who has `owned` may buy `wanted`: a higher tier always, the same one only to add a year to Annual.
 * @throws Refusal already-owned.
 */
export function mayBuy(wanted: Tier, owned: Tier | null, lastBought: Date | null, now: Date): void {
  if (owned === null || tierRank(wanted) > tierRank(owned)) return;
  if (tierRank(wanted) < tierRank(owned)) {
    throw new Refusal(
      "already-owned",
      `You have ${tierLabels[owned]}, which includes everything in ${tierLabels[wanted]}.`,
    );
  }
  if (wanted !== "premium" || (lastBought && now < after(lastBought, doubleBuyWindow))) {
    throw new Refusal("already-owned", `You already have ${tierLabels[owned]}.`);
  }
}

/** How long a payment for this tier opens the course from `start`; null: for ever. */
export function periodEnd(tier: Tier, start: Date): Date | null {
  if (tier === "vip") return null;
  return after(start, tier === "basic" ? monthlyPeriod : annualPeriod);
}

/** An attempt that is still `sent` after this long was left by a process that died: the call's own limit is shorter. */
export const orphanedAfter = 30 * SECOND;

const looks = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

/** When the resolver looks after `done` looks: soon, then ever later, then hourly. */
export function nextLook(done: number, now: Date): Date {
  return after(now, looks[done] ?? HOUR);
}

/**
 * Whether a charge that the gateway does not list was never made. A card token dies after 15 minutes, so that after 30
 * and two looks nothing can charge it any more.
 */
export function isCertainlyNotCharged(sentAt: Date, cleanLooks: number, now: Date): boolean {
  return cleanLooks >= 2 && now >= after(sentAt, 30 * MINUTE);
}

/** So many charges of one period without a known outcome, and a person has to look before the next. */
export const mostUnknown = 3;

/** Cards of the last hour that were given and did not pay. */
export interface Declines {
  readonly ofStudent: number;
  readonly ofClient: number;
  readonly ofAll: number;
}

/** More in an hour than a person with a bad day has, and than a family behind one address has. */
const mostDeclines = { ofStudent: 10, ofClient: 30 } as const;
/** While somebody tries out cards: what a newcomer with a good card never gets to. */
const mostOfNewcomers = { ofStudent: 2, ofClient: 5 } as const;
/** So many in an hour, all together, are no people with bad days. */
const attack = 300;

/**
 * Stops whoever tries out cards. Those of all together refuse nobody, so that nobody can end all sales by them: they only
 * leave fewer tries to people who have never paid.
 * @throws Refusal too-many-requests.
 */
export function checkDeclines({ ofStudent, ofClient, ofAll }: Declines, hasPaidBefore: boolean): void {
  const most = ofAll >= attack && !hasPaidBefore ? mostOfNewcomers : mostDeclines;
  if (ofStudent < most.ofStudent && ofClient < most.ofClient) return;
  throw new Refusal("too-many-requests", "Too many declined payments. Please try again in an hour.", {
    retryAfterSeconds: HOUR / SECOND,
  });
}
