import { HOUR, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { type NotProcessed, noCodes, type ReplyCodes } from "#server/gateway/gateway.ts";

/** Declines of cards that students submitted within the last hour. */
export interface Declines {
  readonly ofStudent: number;
  readonly ofClient: number;
  readonly ofAll: number;
}

/** Per hour: more than a person needs, and more than a family behind one address needs. */
const maxDeclines = { ofStudent: 10, ofClient: 30 } as const;
/** For newcomers during a card-testing attack. One with a good card stays below. */
const maxOfNewcomers = { ofStudent: 2, ofClient: 5 } as const;
/** Declines of all clients within an hour that count as an attack. */
const attack = 300;

/** An attack lowers only the limits of newcomers; otherwise an attacker could stop all sales. @throws Refusal. */
export function checkDeclines({ ofStudent, ofClient, ofAll }: Declines, hasPaidBefore: boolean): void {
  const most = ofAll >= attack && !hasPaidBefore ? maxOfNewcomers : maxDeclines;
  if (ofStudent < most.ofStudent && ofClient < most.ofClient) return;
  throw new Refusal("too-many-requests", "Too many payments were declined. Please try again in an hour.", {
    retryAfterSeconds: HOUR / SECOND,
  });
}

/** For an attempt that certainly has no charge at the gateway, or one that was released. */
export function notCharged(cause: "not-paid" | "not-found", reason: string, codes: ReplyCodes = noCodes): NotProcessed {
  const message = "The payment didn't go through. You haven't been charged.";
  return { kind: "not-processed", cause, message, reason, codes };
}
