import fc from "fast-check";
import { expect, test } from "vitest";
import { type Watched, watchedSeconds, withStretch } from "./watched.ts";

const second = fc.integer({ min: 0, max: 600 });
const stretch = fc.tuple(second, second).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const stretches = fc.array(stretch, { maxLength: 40 });
const unionOf = (list: Watched) => list.reduce<Watched>(withStretch, []);

test("overlapping or adjacent stretches are merged", () => {
  expect(
    unionOf([
      { from: 0, to: 5 },
      { from: 10, to: 15 },
      { from: 5, to: 10 },
    ]),
  ).toEqual([{ from: 0, to: 15 }]);
});

test("nothing played adds nothing", () => {
  expect(withStretch([], { from: 7, to: 7 })).toEqual([]);
  expect(withStretch([], { from: 0, to: Number.NaN })).toEqual([]);
});

test("the watched seconds are those within any stretch", () => {
  fc.assert(
    fc.property(stretches, (list) => {
      const seconds = new Set(list.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)));
      expect(watchedSeconds(unionOf(list))).toBe(seconds.size);
    }),
  );
});

test("the order of watching does not matter", () => {
  fc.assert(
    fc.property(stretches, (list) => {
      expect(unionOf(list.toReversed())).toEqual(unionOf(list));
    }),
  );
});

test("stretches stay in order with gaps between them", () => {
  fc.assert(
    fc.property(stretches, (list) => {
      const union = unionOf(list);
      for (const [at, next] of union.slice(1).entries()) expect(next.from).toBeGreaterThan(union[at]?.to ?? 0);
    }),
  );
});

test("watching more never reduces the total", () => {
  fc.assert(
    fc.property(stretches, stretch, (list, more) => {
      const union = unionOf(list);
      expect(watchedSeconds(withStretch(union, more))).toBeGreaterThanOrEqual(watchedSeconds(union));
    }),
  );
});
