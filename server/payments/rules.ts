import { HOUR, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { type NotProcessed, noCodes, type ReplyCodes } from "#server/gateway/gateway.ts";

/** Cards of the last hour that students gave and that did not pay. */
export interface Declines {
  readonly ofStudent: number;
  readonly ofClient: number;
  readonly ofAll: number;
}

/** Limits in an hour: more than one person needs, and than a family behind one address needs. */
const mostDeclines = { ofStudent: 10, ofClient: 30 } as const;
/** Limits while somebody tests stolen cards: a newcomer with a good card stays below them. */
const mostOfNewcomers = { ofStudent: 2, ofClient: 5 } as const;
/** This many declines of all clients in an hour mean that somebody tests stolen cards. */
const attack = 300;

/**
 * Limits the testing of stolen cards. The number of all clients refuses nobody by itself, or an attacker could stop all
 * sales: it lowers the limits of people who have never paid.
 * @throws Refusal too-many-requests.
 */
export function checkDeclines({ ofStudent, ofClient, ofAll }: Declines, hasPaidBefore: boolean): void {
  const most = ofAll >= attack && !hasPaidBefore ? mostOfNewcomers : mostDeclines;
  if (ofStudent < most.ofStudent && ofClient < most.ofClient) return;
  throw new Refusal("too-many-requests", "Too many declined payments. Please try again in an hour.", {
    retryAfterSeconds: HOUR / SECOND,
  });
}

/** The gateway certainly has no charge, or has let it go. */
export function notCharged(cause: "not-paid" | "not-found", reason: string, codes: ReplyCodes = noCodes): NotProcessed {
  const message = "The payment did not go through. Your card was not charged.";
  return { kind: "not-processed", cause, message, reason, codes };
}
