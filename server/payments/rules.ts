import { HOUR, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { type NotProcessed, noCodes, type ReplyCodes } from "#server/gateway/gateway.ts";

/** Of the last hour, given by students. */
export interface Declines {
  readonly ofStudent: number;
  readonly ofClient: number;
  readonly ofAll: number;
}

/** Limits in an hour: more than one person needs, and than a family behind one address needs. */
const maxDeclines = { ofStudent: 10, ofClient: 30 } as const;
/** While somebody tests stolen cards. A newcomer with a good card stays below. */
const maxOfNewcomers = { ofStudent: 2, ofClient: 5 } as const;
/** Declines of all clients in an hour. */
const attack = 300;

/** Declines of all only lower the limits of newcomers, or an attacker could stop all sales. @throws Refusal. */
export function checkDeclines({ ofStudent, ofClient, ofAll }: Declines, hasPaidBefore: boolean): void {
  const most = ofAll >= attack && !hasPaidBefore ? maxOfNewcomers : maxDeclines;
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
