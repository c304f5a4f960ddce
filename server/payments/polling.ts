import { after, DAY, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";

/** Longer than the call's timeout: the process that sent it has died. */
export const orphanedAfter = 30 * SECOND;

const delays = [15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE];

export function nextPoll(done: number, now: Date): Date {
  return after(now, delays[done] ?? HOUR);
}

const polledFor = 3 * DAY;

/** Later the nightly comparison asks, for up to a month, and an administrator may. */
export function isPolled(sentAt: Date, now: Date): boolean {
  return now < after(sentAt, polledFor);
}

/** Attempts that are no longer polled. Each one reads all of the gateway's lists since it was sent. */
export function askedAtNight(now: Date): { readonly sentSince: Date; readonly sentBy: Date } {
  return { sentSince: after(now, -31 * DAY), sentBy: after(now, -polledFor) };
}

/** After this an outcome that is still unknown is reported to a person. */
export const patience = DAY;

/**
 * A card token expires after 15 minutes: after 30, and two polls that found nothing, no charge can appear. After the
 * days of polling one poll is enough, because lists are never that late.
 */
export function isCertainlyNotCharged(sentAt: Date, cleanPolls: number, now: Date): boolean {
  return !isPolled(sentAt, now) || (cleanPolls >= 2 && now >= after(sentAt, 30 * MINUTE));
}
