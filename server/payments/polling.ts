import { z } from "zod";
import { after, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";

/** A request that is still `sent` after this long was left by a process that died: the call's own limit is shorter. */
export const orphanedAfter = 30 * SECOND;

const delays = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

/** When the resolver polls the gateway after `done` polls: soon, then ever later, then hourly. */
export function nextPoll(done: number, now: Date): Date {
  return after(now, delays[done] ?? HOUR);
}

/**
 * Whether a charge that the gateway does not list was never made. A card token dies after 15 minutes, so that after 30
 * and two polls that found nothing, nothing can charge it any more.
 */
export function isCertainlyNotCharged(sentAt: Date, cleanPolls: number, now: Date): boolean {
  return cleanPolls >= 2 && now >= after(sentAt, 30 * MINUTE);
}

/** By which a job counts its polls; the release before called the count `look`. */
export const PollCounts = z.object({ poll: z.int().optional(), look: z.int().optional() });

export function pollOf({ poll, look }: z.infer<typeof PollCounts>): number {
  return poll ?? look ?? 1;
}
