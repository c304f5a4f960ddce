import { expect, test } from "vitest";
import { bookableRange, isForgiven, isLate, joinable, settle } from "./rules.ts";

const now = new Date("2027-03-01T12:00:00Z");
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

test("a session begins between 12 hours and 30 days ahead, and before the access ends", () => {
  const never = { until: null, notBefore: null };
  expect(bookableRange(never, now)).toEqual({ startsAt: hours(12), endsAt: hours(30 * 24) });
  expect(bookableRange({ ...never, until: hours(48) }, now).endsAt).toEqual(hours(48));
  expect(bookableRange({ ...never, notBefore: hours(100) }, now).startsAt).toEqual(hours(100));
  expect(bookableRange({ ...never, notBefore: hours(-100) }, now).startsAt).toEqual(hours(12));
});

test("24 hours before is in time, a millisecond later is late", () => {
  expect(isLate(hours(24), now)).toBe(false);
  expect(isLate(new Date(hours(24).getTime() - 1), now)).toBe(true);
});

test("the room opens 15 minutes before and closes at the end", () => {
  const session = { startsAt: hours(1), endsAt: hours(1.5) };
  expect(joinable(session, hours(0.74))).toBe("early");
  expect(joinable(session, hours(0.75))).toBe("now");
  expect(joinable(session, hours(1.49))).toBe("now");
  expect(joinable(session, hours(1.5))).toBe("late");
});

test("one lapse a year is forgiven", () => {
  expect(isForgiven([], now)).toBe(true);
  expect(isForgiven([{ closedAt: hours(-364 * 24) }], now)).toBe(false);
  expect(isForgiven([{ closedAt: hours(-366 * 24) }], now)).toBe(true);
});

test("a session that nobody marked is settled by who joined", () => {
  const joined = (student: boolean, coach: boolean) =>
    settle({ joinedByStudentAt: student ? now : null, joinedByCoachAt: coach ? now : null });
  expect(joined(true, true)).toBe("held");
  expect(joined(false, true)).toBe("missed-by-student");
  expect(joined(true, false)).toBe("missed-by-coach");
  expect(joined(false, false)).toBe("missed-by-coach");
});
