import { HOUR, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";

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
 * Stops people who try out cards. Those of all together refuse nobody, so that nobody can end all sales by them: they only
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
