import { z } from "zod";
import { after, DAY, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";

/** Past the call's own limit: such a request was left by a process that died. */
export const orphanedAfter = 30 * SECOND;

const delays = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

export function nextPoll(done: number, now: Date): Date {
  return after(now, delays[done] ?? HOUR);
}

const polledFor = 3 * DAY;

/** Afterwards the nightly comparison asks, for as long as a month, and a person may. */
export function isPolled(sentAt: Date, now: Date): boolean {
  return now < after(sentAt, polledFor);
}

/** Of those that are not polled any more: each time reads all lists since then. */
export function askedAtNight(now: Date): { readonly sentSince: Date; readonly sentBy: Date } {
  return { sentSince: after(now, -31 * DAY), sentBy: after(now, -polledFor) };
}

/** A person is told of what has no known outcome by then. */
export const patience = DAY;

/**
 * A card token dies after 15 minutes: after 30 and two polls that found nothing, nothing can charge it any more. After days
 * one will do, as no list is that late.
 */
export function isCertainlyNotCharged(sentAt: Date, cleanPolls: number, now: Date): boolean {
  return !isPolled(sentAt, now) || (cleanPolls >= 2 && now >= after(sentAt, 30 * MINUTE));
}

/** An older release called the count `look`. */
export const PollCounts = z.object({ poll: z.int().optional(), look: z.int().optional() });

export function pollOf({ poll, look }: z.infer<typeof PollCounts>): number {
  return poll ?? look ?? 1;
}
