import fc from "fast-check";
import { expect, test } from "vitest";
import { keptOf, lifetimeValueOf } from "./rules.ts";

test("students whose period has not come are left out of it, and refunded ones count from the first", () => {
  const counts = [
    { paid: 3, elapsed: 2, students: 5 },
    { paid: 1, elapsed: 2, students: 3 },
    { paid: 0, elapsed: 2, students: 1 },
    { paid: 1, elapsed: 0, students: 4 },
  ];
  expect(keptOf(counts)).toEqual([
    { students: 12, of: 13 },
    { students: 5, of: 9 },
    { students: 5, of: 9 },
  ]);
  expect(keptOf([])).toEqual([{ students: 0, of: 0 }]);
});

const anyCounts = fc.array(
  fc.record({ paid: fc.nat({ max: 14 }), elapsed: fc.nat({ max: 13 }), students: fc.integer({ min: 1, max: 50 }) }),
  { minLength: 1 },
);

test("no period keeps more than its cohort, and the first counts all", () => {
  fc.assert(
    fc.property(anyCounts, (counts) => {
      const kept = keptOf(counts);
      expect(kept[0]?.of).toBe(counts.reduce((total, { students }) => total + students, 0));
      for (const [period, { students, of }] of kept.entries()) {
        expect(students).toBeLessThanOrEqual(of);
        expect(of).toBeLessThanOrEqual(kept[period - 1]?.of ?? of);
      }
    }),
  );
});

test("a student's value is a whole cent, and nothing without students", () => {
  expect(lifetimeValueOf([{ students: 3, charged: 14_700, refunded: 4_900 }])).toEqual({
    ...{ students: 3, chargedCents: 14_700, refundedCents: 4_900, netCents: 9_800, valueCents: 3_267 },
  });
  expect(lifetimeValueOf([])).toMatchObject({ students: 0, netCents: 0, valueCents: 0 });
});
