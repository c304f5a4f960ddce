import { expect, test } from "vitest";
import { isCertainlyNotCharged, isPolled } from "./polling.ts";

const now = new Date("2026-11-21T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

test("a lost charge counts as not made only after half an hour and two polls [P08]", () => {
  expect(isCertainlyNotCharged(minutesAgo(29), 9, now)).toBe(false);
  expect(isCertainlyNotCharged(minutesAgo(30), 1, now)).toBe(false);
  expect(isCertainlyNotCharged(minutesAgo(30), 2, now)).toBe(true);
});

test("days later one complete answer says that nothing was made, and nothing is polled any more [P08]", () => {
  const days = (count: number) => minutesAgo(count * 24 * 60);
  expect([isPolled(days(2.9), now), isCertainlyNotCharged(days(2.9), 1, now)]).toEqual([true, false]);
  expect([isPolled(days(3), now), isCertainlyNotCharged(days(3), 1, now)]).toEqual([false, true]);
});
