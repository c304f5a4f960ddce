import { after, DAY, HOUR, MINUTE } from "#server/clock.ts";
import { Refusal } from "#server/refusal.ts";
import type { PurchaseRow } from "../tables.ts";

/** The course stays open this long past a paid period while its renewal is under way, held, or cannot be asked for. */
export const graceTime = 7 * DAY;
/** A charge that comes within this long of its day goes on from that day; a later one starts a period of its own. */
const onTime = 1 * DAY;
const tries = [3 * DAY, 7 * DAY, 14 * DAY];
/** What can never succeed is not tried again; the student has this long to give another card. */
const forGoodTime = 3 * DAY;
/** An administrator who reactivates an account charges nothing: the next charge leaves time for another card. */
export const reactivationTime = 3 * DAY;

/** What is due at the next sweep is due now: the course is kept open a little ahead of it. */
export const graceAhead = 2 * MINUTE;

/** From when a renewal that was sent at `sentAt` opens the course: on time it goes on from the paid period's end. */
export function renewalStart(paidUntil: Date, sentAt: Date): Date {
  return sentAt <= after(paidUntil, onTime) ? paidUntil : sentAt;
}

/**
 * When to try again after a decline, counted from the first one; null: it was the last try, the account goes on hold.
 * For a card that can never be charged again it is the day of the hold.
 */
export function nextTry(declinedSince: Date, now: Date, forGood: boolean): Date | null {
  if (forGood) return now < after(declinedSince, forGoodTime) ? after(declinedSince, forGoodTime) : null;
  // An hour's room: what was tried just before its time, by a clock that is behind, was that try.
  const next = tries.map((wait) => after(declinedSince, wait)).find((at) => at > after(now, HOUR));
  return next ?? null;
}

/** The day of the last try, or of the hold where none is made; the course stays open until then. */
export function lastTry(declinedSince: Date, forGood: boolean): Date {
  return after(declinedSince, forGood ? forGoodTime : (tries.at(-1) ?? 0));
}

/** When to ask again after the gateway could not be asked `failures` times: soon, then ever later. */
export function askAgain(failures: number, now: Date): Date {
  return after(now, Math.min(15 * MINUTE * 2 ** Math.max(failures - 1, 0), 6 * HOUR));
}

/** A wave of renewals that fall due together is spread so that 25 begin in a second. */
export function spread(position: number): number {
  return Math.floor(position / 25) * 1000;
}

/** Cents that a new card is charged at once. */
export function amountDue(
  purchase: Pick<PurchaseRow, "amount" | "paidUntil" | "subscriptionStatus">,
  now: Date,
): number {
  const isOver = purchase.paidUntil !== null && purchase.paidUntil <= now;
  return isOver && purchase.subscriptionStatus !== "cancelled" ? purchase.amount : 0;
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

/** @throws Refusal conflict unless the membership renews and nobody has stopped it. */
export function requireRenewing(purchase: Pick<PurchaseRow, "isRecurring" | "subscriptionStatus">): void {
  if (!purchase.isRecurring || purchase.subscriptionStatus !== "active") {
    throw new Refusal("conflict", "This membership does not renew any more.");
  }
}
