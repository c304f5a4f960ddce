import type { Tier } from "#contract/tiers.ts";
import { after, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { monthlyPeriod } from "#server/purchases/periods.ts";

/**
 * retrying: failed for other reasons than the card, or an administrator reopened it · declined: will be retried ·
 * on_hold: until a payment · held: by an administrator.
 */
export const subscriptionStatuses = ["active", "retrying", "declined", "on_hold", "held", "cancelled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const renewingStatuses = ["active", "retrying", "declined"] as const satisfies readonly SubscriptionStatus[];
const declinedStatuses = ["declined", "on_hold"] as const satisfies readonly SubscriptionStatus[];

/** The specification shows a declined payment instead of the status. */
export const statusesShownAs = {
  active: ["active", "retrying"],
  on_hold: ["held"],
  cancelled: ["cancelled"],
  declined: declinedStatuses,
} as const satisfies Readonly<Record<string, readonly SubscriptionStatus[]>>;

/** `docs/subscription.md` has its state diagram. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly currentPeriodStart: Date;
  /** The next renewal's period begins here. */
  readonly currentPeriodEnd: Date;
  readonly nextChargeAt: Date | null;
  /** The start of the grace period: the end of the paid period, or later if it was restarted. */
  readonly graceFrom: Date | null;
  /** The first refusal, for any reason. Retries and hold count from it. */
  readonly dunningSince: Date | null;
  /**
   * An administrator reopened it although it was not paid, and access lasts until then. Only once before the next
   * payment: an instant before `currentPeriodEnd` belongs to an earlier period.
   */
  readonly reopenedUntil: Date | null;
  readonly declinedForGood: boolean;
  readonly cancelledAt: Date | null;
  /** Of the last hold by an administrator, also once it has ended. */
  readonly heldAt: Date | null;
}

/**
 * declined: may succeed another day · for-good: this card can never be charged · not-processed: failed for other
 * reasons than the card.
 */
export type Refused = "declined" | "for-good" | "not-processed";

export type SubscriptionEvent =
  | { readonly cause: "paid"; readonly startsAt: Date }
  | { readonly cause: "refused"; readonly refused: Refused; readonly at: Date }
  /** There was no other card in time, or the card networks' limit of tries is reached. */
  | { readonly cause: "given-up" }
  /** Also when another plan replaced it, or it was refunded. */
  | { readonly cause: "cancelled" }
  | { readonly cause: "resumed" }
  /** This and the next one by an administrator. */
  | { readonly cause: "held" }
  | { readonly cause: "reactivated" };

/**
 * A late event of the system changes nothing.
 * @throws Refusal conflict for a person's request that is impossible in this state.
 */
export function advance<State extends SubscriptionState>(state: State, event: SubscriptionEvent, now: Date): State {
  switch (event.cause) {
    case "paid": {
      const currentPeriodStart = event.startsAt;
      const currentPeriodEnd = after(currentPeriodStart, monthlyPeriod);
      const period = { ...state, ...settled, reopenedUntil: null, currentPeriodStart, currentPeriodEnd };
      const isStopped = state.status === "cancelled" || state.status === "held";
      return isStopped ? period : { ...period, status: "active", nextChargeAt: currentPeriodEnd };
    }
    case "refused": {
      if (!isRenewing(state)) return state;
      const dunningSince = state.dunningSince ?? event.at;
      // The one try of a reopened subscription is the card's, so an outage repeats it.
      const isFinal = isReopened(state) && event.refused !== "not-processed";
      const since = isReopened(state) ? state.reopenedUntil : dunningSince;
      const nextChargeAt = isFinal ? null : nextTry(since ?? dunningSince, now, event.refused);
      const isDeclined = event.refused !== "not-processed" || state.status === "declined";
      const status = nextChargeAt === null ? "on_hold" : isDeclined ? "declined" : "retrying";
      return { ...state, status, nextChargeAt, dunningSince, declinedForGood: event.refused === "for-good" };
    }
    case "given-up":
      return isRenewing(state) ? { ...state, status: "on_hold", nextChargeAt: null } : state;
    case "cancelled":
      if (state.status === "cancelled") return state;
      return { ...state, ...settled, status: "cancelled", nextChargeAt: null, cancelledAt: now };
    case "resumed":
      if (state.status !== "cancelled") throw new Refusal("conflict", "This membership isn't cancelled.");
      return { ...state, status: "active", nextChargeAt: state.currentPeriodEnd, cancelledAt: null };
    case "held":
      if (!isRenewing(state)) throw notRenewing();
      if (state.status === "declined") {
        throw new Refusal(
          "conflict",
          "The last payment for this membership was declined, so it can't be put on hold by hand.",
        );
      }
      return { ...state, status: "held", nextChargeAt: null, heldAt: now };
    case "reactivated":
      if (state.status === "cancelled") return state;
      if (state.currentPeriodEnd > now) {
        return { ...state, ...settled, status: "active", nextChargeAt: state.currentPeriodEnd };
      }
      return state.dunningSince === null ? renewSoon(state, now) : reopenUnpaid(state, state.dunningSince, now);
  }
}

/** On hold, and nobody but the student opens it again, by a payment. */
export function waitsForPayment(
  state: Pick<SubscriptionState, "status" | "reopenedUntil" | "currentPeriodEnd">,
): boolean {
  return state.status === "on_hold" && isReopened(state);
}

/** Leaves days before the charge, and restarts the grace period at it. Once in each unpaid period. */
function renewSoon<State extends SubscriptionState>(state: State, now: Date): State {
  const { graceFrom, currentPeriodEnd } = state;
  const isSecond = graceFrom !== null && graceFrom > currentPeriodEnd;
  if (!isSecond) {
    const earliest = after(now, reactivationTime);
    return { ...state, status: "active", nextChargeAt: earliest, graceFrom: earliest };
  }
  const soon = after(now, HOUR);
  return { ...state, status: "active", nextChargeAt: graceFrom > soon ? graceFrom : soon };
}

/**
 * After a refusal: opens for the last days before the next payment, and the card is tried once more at their end. While
 * it is open for as long anyway, its retries go on.
 */
function reopenUnpaid<State extends SubscriptionState>(state: State, dunningSince: Date, now: Date): State {
  const { status, nextChargeAt } = state;
  const earliest = after(now, reactivationTime);
  const openUntil = graceEnd(state, dunningSince, state.declinedForGood);
  const isOpen = status !== "on_hold" && openUntil > now;
  if (!isReopened(state) && (!isOpen || openUntil < earliest)) {
    return { ...state, status: "retrying", nextChargeAt: earliest, reopenedUntil: earliest };
  }
  if (!isOpen) return { ...state, status: "on_hold", nextChargeAt: null };
  const isAhead = nextChargeAt !== null && nextChargeAt > now;
  return { ...state, status: "retrying", nextChargeAt: isAhead ? nextChargeAt : min(earliest, openUntil) };
}

function min(one: Date, other: Date): Date {
  return one < other ? one : other;
}

/** Whether an administrator reopened it in the present unpaid period. */
export function isReopened({
  reopenedUntil,
  currentPeriodEnd,
}: Pick<SubscriptionState, "reopenedUntil" | "currentPeriodEnd">): boolean {
  return reopenedUntil !== null && reopenedUntil > currentPeriodEnd;
}

const settled = { dunningSince: null, declinedForGood: false } as const;

export function isRenewing({ status }: Pick<SubscriptionState, "status">): boolean {
  return (renewingStatuses as readonly SubscriptionStatus[]).includes(status);
}

export function isStoppedOrDeclined(state: Pick<SubscriptionState, "status">): boolean {
  return isDeclined(state) || state.status === "held";
}

export function isDeclined({ status }: Pick<SubscriptionState, "status">): boolean {
  return (declinedStatuses as readonly SubscriptionStatus[]).includes(status);
}

/** The grace period while a renewal has been neither paid nor refused. */
export const graceTime = 7 * DAY;
/** A charge within this time extends the paid period; later ones are late. */
const onTime = 1 * DAY;
/** A card that can never be charged is not retried. The student has this long to submit another one. */
const forGoodTime = 3 * DAY;
const declinedRetries = [3 * DAY, 7 * DAY, 14 * DAY];
/** Then the account goes on hold. */
const lastRetry = 14 * DAY;
const otherRetries = [
  ...[15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY],
  ...[2 * DAY, 3 * DAY, 5 * DAY, 7 * DAY, 10 * DAY, lastRetry],
];
/** Card networks allow 15 in 30 days. */
export const maxTries = { count: 14, within: 30 * DAY } as const;
/** After this many charges without a known outcome, a person must decide before the next one. */
export const maxUnknown = 3;
/** Reactivating charges nothing at once, to leave time for another card. */
export const reactivationTime = 3 * DAY;

/** Grace is granted this much ahead, so that access has no gap until the next sweep. */
export const graceAhead = 2 * MINUTE;

/** After more late charges in a year, the days of grace are part of the paid ones. */
const freeLateCharges = { count: 2, within: 365 * DAY } as const;

interface RenewalCharge {
  /** Null for a first charge. */
  readonly renewsFrom: Date | null;
  readonly sentAt: Date;
}

/**
 * The start of the period that a renewal's charge pays for: the end of the one before, or the charge if it was late.
 * @param charges the purchase's paid charges; later ones and the charge itself do not matter
 */
export function startOfPaid({ renewsFrom, sentAt }: RenewalCharge, charges: readonly RenewalCharge[]): Date {
  if (renewsFrom === null) return sentAt;
  if (!isLate({ renewsFrom, sentAt })) return renewsFrom;
  const since = after(sentAt, -freeLateCharges.within);
  const lateBefore = charges.filter((one) => isLate(one) && one.sentAt < sentAt && one.sentAt > since);
  if (lateBefore.length < freeLateCharges.count) return sentAt;
  // Without the time on hold, when the course was closed.
  const graceStart = after(sentAt, -lastRetry);
  return graceStart > renewsFrom ? graceStart : renewsFrom;
}

function isLate({ renewsFrom, sentAt }: RenewalCharge): boolean {
  return renewsFrom !== null && sentAt > after(renewsFrom, onTime);
}

/** From the first refusal. Null: that was the last try. For good: the time of the hold. @internal */
export function nextTry(refusedSince: Date, now: Date, refused: Refused): Date | null {
  if (refused === "for-good") return now < after(refusedSince, forGoodTime) ? after(refusedSince, forGoodTime) : null;
  // Slack: a try that a slow clock made slightly early counts as that try.
  const [retries, slack] = refused === "declined" ? [declinedRetries, HOUR] : [otherRetries, 5 * MINUTE];
  const next = retries.map((wait) => after(refusedSince, wait)).find((at) => at > after(now, slack));
  return next ?? null;
}

/** @internal */
export function lastTry(refusedSince: Date, forGood: boolean): Date {
  return after(refusedSince, forGood ? forGoodTime : lastRetry);
}

/**
 * The last try, but no later than for a renewal that was tried on time, counted from the paid end or `graceFrom`; or
 * the end of the days for which an administrator reopened it.
 */
export function graceEnd(
  state: Pick<SubscriptionState, "currentPeriodEnd" | "graceFrom" | "reopenedUntil">,
  refusedSince: Date,
  forGood: boolean,
): Date {
  const { currentPeriodEnd, graceFrom, reopenedUntil } = state;
  if (reopenedUntil !== null && isReopened(state)) return reopenedUntil;
  const from = Math.max(currentPeriodEnd.getTime(), graceFrom?.getTime() ?? 0);
  const latest = new Date(from + lastRetry + onTime);
  const last = lastTry(refusedSince, forGood);
  return last < latest ? last : latest;
}

export function spread(position: number): number {
  return Math.floor(position / 25) * 1000;
}

export function amountDue(
  { price, currentPeriodEnd, status }: Pick<SubscriptionState, "currentPeriodEnd" | "status"> & { price: number },
  now: Date,
): number {
  const isCharged = status !== "cancelled" && status !== "held";
  return currentPeriodEnd <= now && isCharged ? price : 0;
}

export function isDue(state: Pick<SubscriptionState, "status" | "nextChargeAt">, now: Date): boolean {
  return isRenewing(state) && state.nextChargeAt !== null && state.nextChargeAt <= now;
}

export function notRenewing(): Refusal {
  return new Refusal("conflict", "This membership no longer renews.");
}

/** Whether an administrator's gift ends a subscription that is not cancelled: otherwise it would be charged again some day. */
export function isEndedByGift(
  subscription: { readonly tier: Tier },
  gift: { readonly tier: Tier; readonly endsAt: Date | null },
): boolean {
  return subscription.tier !== gift.tier || gift.endsAt === null;
}
