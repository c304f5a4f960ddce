import fc from "fast-check";
import { expect, test } from "vitest";
import { after, DAY, HOUR, MINUTE } from "#server/clock.ts";
import { amountDue, askAgain, lastTry, nextTry, renewalStart } from "./rules.ts";

const start = new Date("2028-02-15T08:30:15.250Z");
const at = (days: number, more = 0) => after(start, days * DAY + more);

test("P27 a decline is tried again 3, 7 and 14 days after the first one, and then no more", () => {
  expect(nextTry(start, start, false)).toEqual(at(3));
  expect(nextTry(start, at(3), false)).toEqual(at(7));
  expect(nextTry(start, at(7, 5 * HOUR), false)).toEqual(at(14));
  expect(nextTry(start, at(14), false)).toBeNull();
  expect(nextTry(start, at(90), false)).toBeNull();
});

test("P27 a card that can never be charged again is held after 3 days without a try", () => {
  expect(nextTry(start, start, true)).toEqual(at(3));
  expect(nextTry(start, at(3), true)).toBeNull();
  expect(lastTry(start, true)).toEqual(at(3));
});

test("the course stays open until every try that is still to come", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 * 24 }), fc.boolean(), (hours, forGood) => {
      const next = nextTry(start, after(start, hours * HOUR), forGood);
      if (next) expect(lastTry(start, forGood) >= next).toBe(true);
    }),
  );
});

test("P25 P26 a charge on time goes on from the day it was due, a late one starts its own 30 days", () => {
  expect(renewalStart(start, at(0, 20 * MINUTE))).toEqual(start);
  expect(renewalStart(start, at(1))).toEqual(start);
  expect(renewalStart(start, at(1, 1))).toEqual(at(1, 1));
  expect(renewalStart(start, at(95))).toEqual(at(95));
});

test("a gateway that cannot be asked is asked after 15 minutes, and ever later, every 6 hours at last", () => {
  expect([1, 2, 3, 9].map((failures) => askAgain(failures, start).getTime() - start.getTime())).toEqual([
    15 * MINUTE,
    30 * MINUTE,
    60 * MINUTE,
    6 * HOUR,
  ]);
});

test("a price is due once the paid period is over, unless the membership was cancelled", () => {
  const purchase = { amount: 4900, paidUntil: start, subscriptionStatus: "active" };
  expect(amountDue(purchase, at(0, -1))).toBe(0);
  expect(amountDue(purchase, start)).toBe(4900);
  expect(amountDue({ ...purchase, subscriptionStatus: "on_hold" }, start)).toBe(4900);
  expect(amountDue({ ...purchase, subscriptionStatus: "cancelled" }, start)).toBe(0);
});
