import fc from "fast-check";
import { expect, test } from "vitest";
import { type CountedBooking, counts, extraFor, leftAt, windowAt } from "./allowance.ts";

const day = 86_400_000;
const since = new Date("2027-01-01T09:00:00Z");
const at = (days: number) => new Date(since.getTime() + days * day);
const promise = { sessions: 1, everyDays: 30, minutes: 30 };
const entitlement = { promise, since };
const booking = (days: number, more: Partial<CountedBooking> = {}): CountedBooking => ({
  id: `b${days}`,
  startsAt: at(days),
  state: "booked",
  isLate: false,
  isForgiven: false,
  cancelledBy: null,
  ...more,
});

test("each stretch of days begins where the one before ended", () => {
  expect(windowAt(entitlement, at(0))).toEqual({ startsAt: at(0), endsAt: at(30) });
  expect(windowAt(entitlement, new Date(at(30).getTime() - 1))).toEqual({ startsAt: at(0), endsAt: at(30) });
  expect(windowAt(entitlement, at(30))).toEqual({ startsAt: at(30), endsAt: at(60) });
});

test.each([
  ["booked", {}, true],
  ["held", { state: "held" }, true],
  ["missed by the student", { state: "missed-by-student" }, true],
  ["missed by the student, and forgiven", { state: "missed-by-student", isForgiven: true }, false],
  ["missed by the coach", { state: "missed-by-coach" }, false],
  ["cancelled in time", { state: "cancelled", cancelledBy: "student" }, false],
  ["cancelled late", { state: "cancelled", cancelledBy: "student", isLate: true }, true],
  [
    "cancelled late, and forgiven",
    { state: "cancelled", cancelledBy: "student", isLate: true, isForgiven: true },
    false,
  ],
  ["cancelled by the coach", { state: "cancelled", cancelledBy: "coach", isLate: true }, false],
] as const)("a session that was %s", (_, more, expected) => {
  expect(counts(booking(5, more))).toBe(expected);
});

test("a session counts in the stretch that it begins in, wherever it was booked", () => {
  const mine = [booking(29)];
  expect(leftAt(entitlement, mine, [], at(1)).own).toBe(0);
  expect(leftAt(entitlement, mine, [], at(31)).own).toBe(1);
  expect(leftAt(entitlement, mine, [], at(1), "b29").own).toBe(1);
});

test("extra sessions stand beside the stretch, for as long as they are good, the first to end first", () => {
  const extras = [
    { id: "late", expiresAt: at(60), bookingId: null },
    { id: "early", expiresAt: at(20), bookingId: null },
    { id: "used", expiresAt: at(60), bookingId: "b5" },
  ];
  const mine = [booking(3), booking(5)];
  expect(leftAt(entitlement, mine, extras, at(10))).toMatchObject({ own: 0, extra: 2 });
  expect(leftAt(entitlement, mine, extras, at(25))).toMatchObject({ own: 0, extra: 1 });
  expect(extraFor(extras, at(10))?.id).toBe("early");
  expect(extraFor(extras, at(25))?.id).toBe("late");
  expect(extraFor(extras, at(61))).toBeNull();
});

test("for any history, nobody has more than was promised, and what counts elsewhere changes nothing here", () => {
  const states = ["booked", "cancelled", "held", "missed-by-student", "missed-by-coach"] as const;
  const any = fc
    .record({ days: fc.integer({ min: 0, max: 200 }), state: fc.constantFrom(...states), isLate: fc.boolean() })
    .map(({ days, ...more }) => booking(days, { ...more, cancelledBy: "student" }));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), fc.integer({ min: 0, max: 200 }), (mine, days) => {
      const { own, window } = leftAt(entitlement, mine, [], at(days));
      const here = mine.filter(({ startsAt }) => startsAt >= window.startsAt && startsAt < window.endsAt);
      expect(own).toBe(leftAt(entitlement, here, [], at(days)).own);
      expect(own).toBeGreaterThanOrEqual(0);
      expect(own).toBeLessThanOrEqual(promise.sessions);
      expect(own).toBe(Math.max(0, promise.sessions - here.filter(counts).length));
    }),
  );
});
