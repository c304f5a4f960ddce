import fc from "fast-check";
import { expect, test } from "vitest";
import { tierRank, tiers } from "#contract/tiers.ts";
import {
  computeAccess,
  endOf,
  endOfHigher,
  type Grant,
  hasOpened,
  intervalsOf,
  isBlocked,
  isInForce,
  isUntouchedGift,
  listMoved,
  listMovedBelow,
  listReplaced,
} from "./rules.ts";

const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number));
const grant = (tier: Grant["tier"], from: number, to: number | null, endedAt: number | null = null): Grant => ({
  id: `${tier}-${from}`,
  tier,
  source: "purchase",
  sourceId: `${tier}-${from}`,
  purchaseId: null,
  reason: null,
  startsAt: day(from),
  endsAt: to === null ? null : day(to),
  endedAt: endedAt === null ? null : day(endedAt),
});

test("without a grant there is no access", () => {
  expect(computeAccess([], day(0))).toEqual({ tier: null, source: null, since: null, until: null });
});

test("a grant counts from its start up to, not including, its end", () => {
  const month = grant("basic", 10, 40);
  expect(isInForce(month, new Date(day(10).getTime() - 1))).toBe(false);
  expect(isInForce(month, day(10))).toBe(true);
  expect(isInForce(month, new Date(day(40).getTime() - 1))).toBe(true);
  expect(isInForce(month, day(40))).toBe(false);
});

test("the highest tier in force counts, and the lower one again when it ends", () => {
  const grants = [grant("basic", 0, 30), grant("premium", 5, 20)];
  expect(computeAccess(grants, day(10))).toMatchObject({ tier: "premium", until: day(20) });
  expect(computeAccess(grants, day(25))).toMatchObject({ tier: "basic", until: day(30) });
});

test("years that were to follow an ended one begin as early as possible", () => {
  const [second, third] = [grant("premium", 365, 730), grant("premium", 730, 1095)];
  expect(listMoved([grant("premium", 0, 365, 10), second, third], "premium", day(10))).toEqual([
    { grant: second, startsAt: day(10), endsAt: day(375) },
    { grant: third, startsAt: day(375), endsAt: day(740) },
  ]);
  expect(listMoved([grant("premium", 0, 365), grant("premium", 365, 730, 10), third], "premium", day(10))).toEqual([
    { grant: third, startsAt: day(365), endsAt: day(730) },
  ]);
  expect(listMoved([grant("premium", 0, 365), second, third], "premium", day(10))).toEqual([]);
});

test("days that wait for what is above them begin as it ends, and earlier where that ends earlier", () => {
  const [first, second] = [grant("premium", 0, 365), grant("premium", 365, 730)];
  const month = grant("basic", 730, 750);
  expect(endOfHigher([first, second], "basic", day(10))).toEqual(day(730));
  expect(endOfHigher([first, grant("premium", 400, 765)], "basic", day(10))).toEqual(day(365));
  expect(endOfHigher([grant("vip", 0, null)], "basic", day(10))).toEqual(day(10));
  expect(endOfHigher([{ ...first, source: "administrator" }], "basic", day(10))).toEqual(day(10));
  const gone = grant("premium", 0, 365, 10);
  expect(listMovedBelow([gone, second, month], "premium", day(10))).toEqual([
    { grant: second, startsAt: day(10), endsAt: day(375) },
    { grant: month, startsAt: day(375), endsAt: day(395) },
  ]);
  expect(listMovedBelow([gone, month], "premium", day(10))).toEqual([
    { grant: month, startsAt: day(10), endsAt: day(30) },
  ]);
});

test("a year that was bought early carries the end on", () => {
  expect(computeAccess([grant("premium", 0, 365), grant("premium", 365, 730)], day(300)).until).toEqual(day(730));
});

test("a gap between two grants is a gap", () => {
  expect(computeAccess([grant("premium", 0, 365), grant("premium", 366, 730)], day(300)).until).toEqual(day(365));
});

test("a recorded end counts when it is earlier than the grant's own", () => {
  const refunded = grant("vip", 0, null, 3);
  expect(endOf(refunded)).toEqual(day(3));
  expect(computeAccess([refunded], day(3)).tier).toBeNull();
});

test("held, suspended and deleted accounts are blocked, statuses that the product does not know are not", () => {
  expect(["on_hold", "suspended", "deleted"].filter(isBlocked)).toHaveLength(3);
  expect(["active", "vacation"].filter(isBlocked)).toEqual([]);
});

test("the course was opened by a grant that has begun, however soon it ended, and by none that ended before it began", () => {
  expect(hasOpened([grant("basic", 10, 40)], day(9))).toBe(false);
  expect(hasOpened([grant("basic", 10, 40)], day(10))).toBe(true);
  expect(hasOpened([grant("basic", 10, 40, 11)], day(50))).toBe(true);
  expect(hasOpened([grant("basic", 10, 40, 10)], day(50))).toBe(false);
});

test("grants that overlap or touch are one interval, and a gap begins another", () => {
  const spans = (...grants: Grant[]) =>
    intervalsOf(grants, "vip").map(({ startsAt, endsAt }) => [startsAt, endsAt ?? null]);
  expect(spans(grant("vip", 10, 20), grant("vip", 0, 10), grant("vip", 15, 30), grant("basic", 30, 60))).toEqual([
    [day(0), day(30)],
  ]);
  expect(spans(grant("vip", 0, 10), grant("vip", 11, null))).toEqual([
    [day(0), day(10)],
    [day(11), null],
  ]);
});

test("replaced grants are listed until they are continued", () => {
  const month = grant("basic", 0, 30, 10);
  const end = { id: "end", grantId: month.id, endsAt: day(10), replacedBy: "upgrade" };
  expect(listReplaced([month], [end], "upgrade")).toEqual([{ first: month, last: month, end }]);
  expect(listReplaced([month], [end], "another")).toEqual([]);
  const continued = { ...grant("basic", 40, 60), sourceId: "end" };
  expect(listReplaced([month, continued], [end], "upgrade")).toEqual([]);
});

const anyGrant = fc
  .record({
    tier: fc.constantFrom(...tiers),
    from: fc.integer({ min: 0, max: 50 }),
    length: fc.option(fc.integer({ min: 1, max: 50 })),
    cut: fc.option(fc.integer({ min: 0, max: 100 })),
  })
  .map(({ tier, from, length, cut }) => grant(tier, from, length === null ? null : from + length, cut));

test("for any ledger, the order of its rows does not matter and no grant in force is above the answer", () => {
  fc.assert(
    fc.property(fc.array(anyGrant, { maxLength: 8 }), fc.integer({ min: 0, max: 110 }), (grants, at) => {
      const now = day(at);
      const access = computeAccess(grants, now);
      expect(computeAccess(grants.toReversed(), now)).toEqual(access);
      const inForce = grants.filter((one) => isInForce(one, now));
      expect(access.tier === null).toBe(inForce.length === 0);
      for (const one of inForce) expect(tierRank(one.tier)).toBeLessThanOrEqual(tierRank(access.tier ?? one.tier));
      if (access.tier !== null && access.until !== null) {
        const last = new Date(access.until.getTime() - 1);
        expect(grants.some((one) => one.tier === access.tier && isInForce(one, last))).toBe(true);
        expect(access.until > now).toBe(true);
      }
    }),
  );
});

test("a gift is untouched while it counts and nothing was granted after it", () => {
  const gift = { ...grant("premium", 10, 40), source: "administrator", sourceId: "gift" };
  const bought = grant("basic", 0, 30);
  const isUntouched = (...grants: Grant[]) => isUntouchedGift(grants, "gift", day(20));
  expect(isUntouched(bought, gift)).toBe(true);
  expect(isUntouched(bought)).toBe(false);
  expect(isUntouched({ ...gift, source: "purchase" })).toBe(false);
  expect(isUntouched(gift, grant("premium", 40, 405))).toBe(false);
  expect(isUntouched(gift, grant("basic", 15, 45))).toBe(false);
  expect(isUntouched({ ...gift, sourceId: "another gift" }, gift)).toBe(true);
  // Over by now, taken back before it counted, or to be over before it would begin.
  expect(isUntouched(gift, grant("basic", 15, 20))).toBe(true);
  expect(isUntouched(gift, grant("premium", 40, 405, 30))).toBe(true);
  expect(isUntouched(gift, grant("premium", 40, 405, 12))).toBe(true);
  expect(isUntouched({ ...gift, endedAt: day(15) })).toBe(false);
  expect(isUntouchedGift([gift], "gift", day(41))).toBe(false);
});
