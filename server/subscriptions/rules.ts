import { after, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { monthlyPeriod } from "#server/purchases/periods.ts";

/** retrying: not the card's fault · declined: tried again · on_hold: a payment opens it · held: by an administrator. */
export const subscriptionStatuses = ["active", "retrying", "declined", "on_hold", "held", "cancelled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const renewingStatuses = ["active", "retrying", "declined"] as const satisfies readonly SubscriptionStatus[];
const declinedStatuses = ["declined", "on_hold"] as const satisfies readonly SubscriptionStatus[];

/** In the specification a declined payment overrides the status. */
export const statusesShownAs = {
  active: ["active", "retrying"],
  on_hold: ["held"],
  cancelled: ["cancelled"],
  declined: declinedStatuses,
} as const satisfies Readonly<Record<string, readonly SubscriptionStatus[]>>;

/** `docs/subscription.md` draws what changes it. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly currentPeriodStart: Date;
  /** A renewal goes on from here. */
  readonly currentPeriodEnd: Date;
  readonly nextChargeAt: Date | null;
  /** The end of what is paid, or later, where somebody let it count anew. */
  readonly graceFrom: Date | null;
  /** The first refusal, for whatever reason; retries and hold are counted from it. */
  readonly dunningSince: Date | null;
  readonly declinedForGood: boolean;
  readonly cancelledAt: Date | null;
}

/** declined: the bank may agree another day · for-good: nobody can ever charge this card · not-processed: not its fault. */
export type Refused = "declined" | "for-good" | "not-processed";

export type SubscriptionEvent =
  | { readonly cause: "paid"; readonly renewsFrom: Date; readonly sentAt: Date }
  | { readonly cause: "refused"; readonly refused: Refused; readonly at: Date }
  /** The time for another card is over, or every try that the card networks allow was made. */
  | { readonly cause: "given-up" }
  /** Also when another plan replaced it, or its money went back. */
  | { readonly cause: "cancelled" }
  | { readonly cause: "resumed" }
  /** By an administrator, as is the next. */
  | { readonly cause: "held" }
  | { readonly cause: "reactivated" };

/** Refuses what cannot happen where a person asked; what comes late changes nothing. @throws Refusal conflict. */
export function advance<State extends SubscriptionState>(state: State, event: SubscriptionEvent, now: Date): State {
  switch (event.cause) {
    case "paid": {
      const currentPeriodStart = renewalStart(event.renewsFrom, event.sentAt);
      const currentPeriodEnd = after(currentPeriodStart, monthlyPeriod);
      const period = { ...state, ...settled, currentPeriodStart, currentPeriodEnd };
      const isStopped = state.status === "cancelled" || state.status === "held";
      return isStopped ? period : { ...period, status: "active", nextChargeAt: currentPeriodEnd };
    }
    case "refused": {
      if (!isRenewing(state)) return state;
      const dunningSince = state.dunningSince ?? event.at;
      const nextChargeAt = nextTry(dunningSince, now, event.refused);
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
      if (state.status !== "cancelled") throw new Refusal("conflict", "This membership was not cancelled.");
      return { ...state, status: "active", nextChargeAt: state.currentPeriodEnd, cancelledAt: null };
    case "held":
      if (!isRenewing(state)) throw notRenewing();
      if (state.status === "declined") {
        throw new Refusal("conflict", "A declined membership goes on hold by itself.");
      }
      return { ...state, status: "held", nextChargeAt: null };
    case "reactivated": {
      if (state.status === "cancelled") return state;
      const reopened = { ...state, ...settled, status: "active" as const };
      if (state.currentPeriodEnd > now) return { ...reopened, nextChargeAt: state.currentPeriodEnd };
      // An administrator lets the grace period count anew, from the charge on.
      const earliest = after(now, reactivationTime);
      return { ...reopened, nextChargeAt: earliest, graceFrom: earliest };
    }
  }
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

/** Before any refusal, while the renewal is under way or held. */
export const graceTime = 7 * DAY;
/** A charge within this long of its day goes on from that day; a later one starts a period of its own. */
const onTime = 1 * DAY;
/** What can never succeed is not tried again; the student has this long to give another card. */
const forGoodTime = 3 * DAY;
const declinedRetries = [3 * DAY, 7 * DAY, 14 * DAY];
/** The account goes on hold after it. */
const lastRetry = 14 * DAY;
const otherRetries = [
  ...[15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY],
  ...[2 * DAY, 3 * DAY, 5 * DAY, 7 * DAY, 10 * DAY, lastRetry],
];
/** The card networks allow 15 in 30 days. */
export const maxTries = { count: 14, within: 30 * DAY } as const;
/** After so many, a person decides before the next charge. */
export const maxUnknown = 3;
/** An administrator who reactivates an account charges nothing: the next charge leaves time for another card. */
export const reactivationTime = 3 * DAY;

/** What is due at the next sweep is due now: the course is kept open a little ahead of it. */
export const graceAhead = 2 * MINUTE;

export function renewalStart(paidUntil: Date, sentAt: Date): Date {
  return sentAt <= after(paidUntil, onTime) ? paidUntil : sentAt;
}

/** Counted from the first refusal; null: it was the last try. For good: the day of the hold. */
export function nextTry(refusedSince: Date, now: Date, refused: Refused): Date | null {
  if (refused === "for-good") return now < after(refusedSince, forGoodTime) ? after(refusedSince, forGoodTime) : null;
  // Slack: what was tried just before its time, by a clock that is behind, was that try.
  const [retries, slack] = refused === "declined" ? [declinedRetries, HOUR] : [otherRetries, 5 * MINUTE];
  const next = retries.map((wait) => after(refusedSince, wait)).find((at) => at > after(now, slack));
  return next ?? null;
}

export function lastTry(refusedSince: Date, forGood: boolean): Date {
  return after(refusedSince, forGood ? forGoodTime : lastRetry);
}

/** Until the last try, never longer than the retries of a renewal tried on time; from the paid end, or `graceFrom`. */
export function graceEnd(
  { currentPeriodEnd, graceFrom }: Pick<SubscriptionState, "currentPeriodEnd" | "graceFrom">,
  refusedSince: Date,
  forGood: boolean,
): Date {
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
  return new Refusal("conflict", "This membership does not renew any more.");
}
