import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY } from "#server/base/clock.ts";
import { type CountedBooking, counts } from "./allowance.ts";
import { countMonths, lastMonths } from "./meter.ts";

const now = new Date("2027-07-19T10:00:00Z");
const months = lastMonths(4, now, "UTC");
const anyInstant = fc
  .integer({ min: -500 * 24, max: 20 * 24 })
  .map((hours) => new Date(now.getTime() + hours * (DAY / 24)));
const anyInterval = fc
  .record({
    userId: fc.constantFrom("ann", "bo", "cy", "left"),
    startsAt: anyInstant,
    days: fc.option(fc.integer({ min: 1, max: 400 })),
    promise: fc.record({
      sessions: fc.integer({ min: 1, max: 3 }),
      everyDays: fc.constantFrom(1, 7, 30, 365),
      minutes: fc.constant(30),
    }),
  })
  .map(({ days, ...interval }) => ({
    ...interval,
    endsAt: days === null ? null : new Date(interval.startsAt.getTime() + days * DAY),
    purchaseId: null,
  }));
const anyBooking = fc.record({
  userId: fc.constantFrom("ann", "bo"),
  startsAt: anyInstant,
  state: fc.constantFrom("booked", "cancelled", "held", "missed-by-student", "missed-by-coach"),
  isLate: fc.boolean(),
  isForgiven: fc.boolean(),
  cancelledBy: fc.constantFrom("student", "coach"),
});

type Interval = typeof anyInterval extends fc.Arbitrary<infer Value> ? Value : never;
type Booking = CountedBooking & { readonly userId: string };

/** A slow reference implementation, window by window. */
function countByHand(intervals: readonly Interval[], booked: readonly Booking[], starts: readonly Date[]) {
  const figures = months.map(({ name }) => ({ month: name, owed: 0, expired: 0, offered: 0 }));
  const of = (instant: number) => figures.find(({ month }) => month === new Date(instant).toISOString().slice(0, 7));
  for (const start of starts) {
    const offered = of(start.getTime());
    if (offered) offered.offered += 1;
  }
  for (const { userId, startsAt, endsAt, promise } of intervals) {
    if (userId === "left") continue;
    for (let begin = startsAt.getTime(); begin <= now.getTime(); begin += promise.everyDays * DAY) {
      if (endsAt && begin >= endsAt.getTime()) break;
      const end = begin + promise.everyDays * DAY;
      const used = booked.filter((each) => {
        const at = each.startsAt.getTime();
        return each.userId === userId && at >= begin && at < end && counts(each);
      }).length;
      const owed = of(begin);
      if (owed) owed.owed += promise.sessions;
      const expired = end <= now.getTime() && (!endsAt || end <= endsAt.getTime()) && of(end);
      if (expired) expired.expired += Math.max(0, promise.sessions - used);
    }
  }
  return figures;
}

test("owed, expired and offered sessions by month equal a count window by window", () => {
  fc.assert(
    fc.property(
      fc.array(anyInterval, { maxLength: 6 }),
      fc.array(anyBooking, { maxLength: 12 }),
      fc.array(anyInstant, { maxLength: 6 }),
      (promised, rows, starts) => {
        const booked = rows.map((row, at) => ({ ...row, id: String(at) }));
        const records = {
          ...{ promised, booked, extras: [], extrasOf: new Map() },
          inactive: new Map([["left", "deleted"]]),
          bookingsOf: Map.groupBy(booked, ({ userId }) => userId),
        };
        const offered = starts.map((startsAt) => ({ startsAt, endsAt: startsAt }));
        const found = countMonths(months, records, offered, now);
        expect(found.map(({ month, owed, expired, offered }) => ({ month, owed, expired, offered }))).toEqual(
          countByHand(promised, booked, starts),
        );
      },
    ),
  );
});
