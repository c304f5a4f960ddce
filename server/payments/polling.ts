import { z } from "zod";
import { after, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";

/** Past the call's own limit: such a request was left by a process that died. */
export const orphanedAfter = 30 * SECOND;

const delays = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

export function nextPoll(done: number, now: Date): Date {
  return after(now, delays[done] ?? HOUR);
}

/** A card token dies after 15 minutes: after 30 and two polls that found nothing, nothing can charge it any more. */
export function isCertainlyNotCharged(sentAt: Date, cleanPolls: number, now: Date): boolean {
  return cleanPolls >= 2 && now >= after(sentAt, 30 * MINUTE);
}

/** An older release called the count `look`. */
export const PollCounts = z.object({ poll: z.int().optional(), look: z.int().optional() });

export function pollOf({ poll, look }: z.infer<typeof PollCounts>): number {
  return poll ?? look ?? 1;
}
