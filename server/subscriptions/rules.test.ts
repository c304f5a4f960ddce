import fc from "fast-check";
import { expect, test } from "vitest";
import { after, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import { amountDue, graceEnd, isEndedByGift, lastTry, nextTry, type Refused, spread, startOfPaid } from "./rules.ts";

const start = new Date("2028-02-15T08:30:15.250Z");
const at = (days: number, more = 0) => after(start, days * DAY + more);

test("a decline is tried again 3, 7 and 14 days after the first refusal, and then no more [P27]", () => {
  expect(nextTry(start, start, "declined")).toEqual(at(3));
  expect(nextTry(start, at(3), "declined")).toEqual(at(7));
  expect(nextTry(start, at(7, 5 * HOUR), "declined")).toEqual(at(14));
  expect(nextTry(start, at(14), "declined")).toBeNull();
  expect(nextTry(start, at(90), "declined")).toBeNull();
  // A slow clock made the try of the third day slightly early.
  expect(nextTry(start, at(3, -59 * MINUTE), "declined")).toEqual(at(7));
});

test("a card that can never be charged again is held after 3 days without a try [P27]", () => {
  expect(nextTry(start, start, "for-good")).toEqual(at(3));
  expect(nextTry(start, at(3), "for-good")).toBeNull();
  expect(lastTry(start, true)).toEqual(at(3));
});

test("what was refused without the card's fault is tried soon, then ever more rarely, and 14 days after no more [P38]", () => {
  const tries: number[] = [];
  for (let next: Date | null = start; next; next = nextTry(start, next, "not-processed")) {
    tries.push((next.getTime() - start.getTime()) / HOUR);
  }
  expect(tries).toEqual([0, 0.25, 1, 4, 12, 24, 48, 72, 120, 168, 240, 336]);
});

test("however refusals of different kinds follow each other, one period sees fewer than 15 tries [P38]", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom<Refused>("declined", "not-processed"), { maxLength: 60 }), (kinds) => {
      let tries = 0;
      let next: Date | null = start;
      for (const kind of kinds) {
        if (!next) break;
        tries += 1;
        next = nextTry(start, after(next, MINUTE), kind);
      }
      expect(tries).toBeLessThanOrEqual(12);
    }),
  );
});

test("the course stays open until every try of a renewal that was asked for on time", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30 * 24 }),
      fc.constantFrom<Refused>("declined", "for-good", "not-processed"),
      (hours, refused) => {
        const next = nextTry(start, after(start, hours * HOUR), refused);
        const period = { currentPeriodEnd: at(0, -HOUR), graceFrom: null, reopenedUntil: null };
        if (next) expect(graceEnd(period, start, refused === "for-good") >= next).toBe(true);
      },
    ),
  );
});

test("grace is counted once, from the end of what is paid: a late refusal extends it by nothing [P38]", () => {
  const period = { currentPeriodEnd: start, graceFrom: at(-30), reopenedUntil: null };
  expect(graceEnd(period, start, false)).toEqual(at(14));
  expect(graceEnd(period, at(5), false)).toEqual(at(15));
  expect(graceEnd(period, at(5), true)).toEqual(at(8));
  expect(graceEnd(period, at(40), false)).toEqual(at(15));
  expect(graceEnd({ ...period, graceFrom: at(40), reopenedUntil: null }, at(40), false)).toEqual(at(54));
});

test("a charge on time goes on from the day it was due, a late one starts its own 30 days [P25 P26]", () => {
  const paid = (sentAt: Date) => startOfPaid({ renewsFrom: start, sentAt }, [{ renewsFrom: null, sentAt: at(-30) }]);
  expect(paid(at(0, 20 * MINUTE))).toEqual(start);
  expect(paid(at(1))).toEqual(start);
  expect(paid(at(1, 1))).toEqual(at(1, 1));
  expect(paid(at(95))).toEqual(at(95));
});

test("from the third late charge within 365 days on, the days of grace are part of the paid ones", () => {
  const late = (day: number) => ({ renewsFrom: at(day - 10), sentAt: at(day) });
  const third = (...before: number[]) => startOfPaid(late(0), before.map(late));
  expect(third(-40)).toEqual(at(0));
  expect(third(-365, -40)).toEqual(at(0));
  expect(third(-364, -40)).toEqual(at(-10));
  expect(third(-40, 0, 40)).toEqual(at(0));
  expect(startOfPaid({ renewsFrom: at(-60), sentAt: at(0) }, [late(-200), late(-100)])).toEqual(at(-14));
  expect(startOfPaid({ renewsFrom: at(0), sentAt: at(0, 1) }, [late(-200), late(-100)])).toEqual(at(0));
});

test("a price is due once the paid period is over, unless the subscription was cancelled, or held by an administrator", () => {
  const subscription = { price: 4900, currentPeriodEnd: start, status: "active" } as const;
  expect(amountDue(subscription, at(0, -1))).toBe(0);
  expect(amountDue(subscription, start)).toBe(4900);
  expect(amountDue({ ...subscription, status: "on_hold" }, start)).toBe(4900);
  expect(amountDue({ ...subscription, status: "held" }, start)).toBe(0);
  expect(amountDue({ ...subscription, status: "cancelled" }, start)).toBe(0);
});

test("renewals that are due together are charged 25 in a second", () => {
  expect([0, 24, 25, 49, 50].map(spread)).toEqual([0, 0, 1000, 1000, 2000]);
});

test("a gift of another tier or without an end ends the subscription", () => {
  expect(isEndedByGift({ tier: "basic" }, { tier: "basic", endsAt: at(9) })).toBe(false);
  expect(isEndedByGift({ tier: "basic" }, { tier: "basic", endsAt: null })).toBe(true);
  expect(isEndedByGift({ tier: "basic" }, { tier: "vip", endsAt: at(9) })).toBe(true);
});
