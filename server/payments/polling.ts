import { after, HOUR, MINUTE, SECOND } from "#server/clock.ts";

/** A request that is still `sent` after this long was left by a process that died: the call's own limit is shorter. */
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
