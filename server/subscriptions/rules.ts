import { after, DAY, HOUR, MINUTE } from "#server/clock.ts";
import type { PurchaseRow } from "#server/purchases/purchases.ts";
import { Refusal } from "#server/refusal.ts";

/** The course stays open this long past a paid period while its renewal is under way or held, before any refusal. */
export const graceTime = 7 * DAY;
/** A charge that comes within this long of its day goes on from that day; a later one starts a period of its own. */
const onTime = 1 * DAY;
/** What can never succeed is not tried again; the student has this long to give another card. */
const forGoodTime = 3 * DAY;
const declinedRetries = [3 * DAY, 7 * DAY, 14 * DAY];
/** The end of every retry: the account goes on hold then. */
const lastRetry = 14 * DAY;
const otherRetries = [
  ...[15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY],
  ...[2 * DAY, 3 * DAY, 5 * DAY, 7 * DAY, 10 * DAY, lastRetry],
];
/** The card networks allow 15 tries of one card in 30 days. An administrator's reactivation begins the retries anew. */
export const mostTries = { count: 14, within: 30 * DAY } as const;
/** So many charges of one period without a known outcome, and a person has to decide before the next. */
export const mostUnknown = 3;
/** An administrator who reactivates an account charges nothing: the next charge leaves time for another card. */
export const reactivationTime = 3 * DAY;

/** What is due at the next sweep is due now: the course is kept open a little ahead of it. */
export const graceAhead = 2 * MINUTE;

/** From when a renewal that was sent at `sentAt` opens the course: on time it goes on from the paid period's end. */
export function renewalStart(paidUntil: Date, sentAt: Date): Date {
  return sentAt <= after(paidUntil, onTime) ? paidUntil : sentAt;
}

/**
 * Why a renewal was refused, by what can be done. declined: the bank may agree on another day · for-good: this card can
 * never be charged · not-processed: through no fault of the card that anybody knows of.
 */
export type Refused = "declined" | "for-good" | "not-processed";

/**
 * When to try again, counted from the first refusal; null: it was the last try, the account goes on hold. For a card
 * that can never be charged again it is the day of the hold.
 */
export function nextTry(refusedSince: Date, now: Date, refused: Refused): Date | null {
  if (refused === "for-good") return now < after(refusedSince, forGoodTime) ? after(refusedSince, forGoodTime) : null;
  // Slack: what was tried just before its time, by a clock that is behind, was that try.
  const [retries, slack] = refused === "declined" ? [declinedRetries, HOUR] : [otherRetries, 5 * MINUTE];
  const next = retries.map((wait) => after(refusedSince, wait)).find((at) => at > after(now, slack));
  return next ?? null;
}

/** The day of the last try, or of the hold where none is made. */
export function lastTry(refusedSince: Date, forGood: boolean): Date {
  return after(refusedSince, forGood ? forGoodTime : lastRetry);
}

/**
 * Until when the course stays open after a refusal: until the last try, and never longer than the retries of a renewal
 * that was tried on time. It is counted from the end of what is paid, or from the later day of `graceFrom`.
 */
export function graceEnd(
  { paidUntil, graceFrom }: Pick<PurchaseRow, "paidUntil" | "graceFrom">,
  refusedSince: Date,
  forGood: boolean,
): Date {
  const from = Math.max(paidUntil?.getTime() ?? refusedSince.getTime(), graceFrom?.getTime() ?? 0);
  const latest = new Date(from + lastRetry + onTime);
  const last = lastTry(refusedSince, forGood);
  return last < latest ? last : latest;
}

/** A wave of renewals that fall due together is spread so that 25 begin in a second. */
export function spread(position: number): number {
  return Math.floor(position / 25) * 1000;
}

/** Whether a hold waits for a payment, so that a new card lifts it; one that an administrator placed does not. */
export function isHeldForPayment(purchase: Pick<PurchaseRow, "paymentDeclined" | "subscriptionStatus">): boolean {
  return purchase.subscriptionStatus === "on_hold" && purchase.paymentDeclined;
}

/** Whether an administrator placed the hold: nothing is charged, and no card lifts it. */
export function isHeldByAdministrator(purchase: Pick<PurchaseRow, "paymentDeclined" | "subscriptionStatus">): boolean {
  return purchase.subscriptionStatus === "on_hold" && !purchase.paymentDeclined;
}

/** Cents that a new card is charged at once. */
export function amountDue(
  purchase: Pick<PurchaseRow, "amount" | "paidUntil" | "paymentDeclined" | "subscriptionStatus">,
  now: Date,
): number {
  const isOver = purchase.paidUntil !== null && purchase.paidUntil <= now;
  const isCharged = purchase.subscriptionStatus !== "cancelled" && !isHeldByAdministrator(purchase);
  return isOver && isCharged ? purchase.amount : 0;
}

/** Whether a renewal may be charged now. */
export function isDue(
  purchase: Pick<PurchaseRow, "status" | "isRecurring" | "subscriptionStatus" | "nextBillingDate">,
  now: Date,
): boolean {
  return (
    purchase.status === "completed" &&
    purchase.isRecurring &&
    purchase.subscriptionStatus === "active" &&
    purchase.nextBillingDate !== null &&
    purchase.nextBillingDate <= now
  );
}

/** @throws Refusal conflict unless the subscription renews and nobody has stopped it. */
export function requireRenewing(purchase: Pick<PurchaseRow, "isRecurring" | "subscriptionStatus">): void {
  if (!purchase.isRecurring || purchase.subscriptionStatus !== "active") {
    throw new Refusal("conflict", "This membership does not renew any more.");
  }
}
