import { expect, test } from "vitest";
import { isControl } from "./control-group.ts";
import { isInHours, spanOf } from "./rules.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Days with the instants from which and until which emails may go out. */
const days = [
  ["America/New_York", "the day before clocks go forward", "2027-03-13T14:00:00Z", "2027-03-13T23:00:00Z"],
  ["America/New_York", "the day when clocks go forward", "2027-03-14T13:00:00Z", "2027-03-14T22:00:00Z"],
  ["America/New_York", "the day before clocks go back", "2027-11-06T13:00:00Z", "2027-11-06T22:00:00Z"],
  ["America/New_York", "the day when clocks go back", "2027-11-07T14:00:00Z", "2027-11-07T23:00:00Z"],
  ["Pacific/Auckland", "the day before clocks go back", "2027-04-02T20:00:00Z", "2027-04-03T05:00:00Z"],
  ["Pacific/Auckland", "the day when clocks go back", "2027-04-03T21:00:00Z", "2027-04-04T06:00:00Z"],
  ["Pacific/Auckland", "the day when clocks go forward", "2027-09-25T20:00:00Z", "2027-09-26T05:00:00Z"],
  ["Asia/Kolkata", "a day of a zone with half an hour", "2027-03-14T03:30:00Z", "2027-03-14T12:30:00Z"],
] as const;

test.each(days)("emails go out from 9:00 to 18:00 in %s on %s", (zone, _, from, until) => {
  const at = (time: string, milliseconds: number) => isInHours(new Date(Date.parse(time) + milliseconds), zone);
  expect([at(from, -1), at(from, 0), at(until, -1), at(until, 0)]).toEqual([false, true, true, false]);
});

test("a control group has its share of people, who stay in it when the share grows", () => {
  const people = Array.from({ length: 5000 }, (_, n) => `person-${n}`);
  const groupOf = (percent: number, sequence = "welcome") =>
    people.filter((person) => isControl(person, sequence, percent));
  const [tenth, fifth] = [groupOf(10), groupOf(20)];
  expect(tenth.length).toBeGreaterThan(425);
  expect(tenth.length).toBeLessThan(575);
  expect(tenth.filter((person) => !fifth.includes(person))).toEqual([]);
  expect(groupOf(10)).toEqual(tenth);
  expect([groupOf(0), groupOf(100)]).toEqual([[], people]);
  // Another sequence leaves out others.
  expect(groupOf(10, "stalled").filter((person) => tenth.includes(person)).length).toBeLessThan(100);
});

test("a step is due for three days, and not for what began before its sequence was on", () => {
  const now = new Date("2027-03-14T12:00:00Z");
  const ago = (time: number) => new Date(now.getTime() - time);
  const spanSince = (time: number) => spanOf(5 * DAY, ago(time).toISOString(), null, now);
  expect(spanSince(100 * DAY)).toMatchObject({ from: ago(8 * DAY), to: ago(5 * DAY) });
  expect(spanSince(6 * DAY)).toMatchObject({ from: ago(6 * DAY), to: ago(5 * DAY) });
  for (const { from, to } of [spanSince(5 * DAY), spanSince(4 * DAY), spanOf(5 * DAY, undefined, null, now)]) {
    expect(from.getTime()).toBeGreaterThanOrEqual(to.getTime());
  }
  // After a restore, what was due before it is not due any more.
  const afterRestore = spanOf(5 * DAY, ago(100 * DAY).toISOString(), ago(DAY), now);
  expect(afterRestore).toEqual({ from: ago(6 * DAY), to: ago(5 * DAY), earliest: ago(6 * DAY) });
});
