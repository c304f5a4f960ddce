import { expect, test } from "vitest";
import { noCoaching } from "#contract/coaching/promise.ts";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import {
  basisVersion,
  creditOf,
  creditsFor,
  holdsUntil,
  linesOf,
  linesOfPurchase,
  type PaidPeriod,
  paidPeriodsOf,
  type QuoteBasis,
  requireAmount,
  sourcesOf,
  totalOf,
} from "./rules.ts";

const q = new Date("2026-11-21T12:00:00Z");
const annualList = 39_700;
const lifetimeList = 149_700;

/** A period that began `used` days ago. Negative: it begins later. */
function period(tier: "basic" | "premium", valueCents: number, used: number): PaidPeriod {
  const days = tier === "basic" ? 30 : 365;
  const startsAt = after(q, -used * DAY);
  const endsAt = after(startsAt, days * DAY);
  const planName = tier === "basic" ? "Monthly Access" : "Annual Access";
  const id = `${tier}${used}`;
  return {
    ...{ chargeId: id, purchaseId: id, tier, planName, valueCents },
    ...{ startsAt, endsAt, openFrom: startsAt, openUntil: endsAt },
  };
}

test("Monthly with 10 of 30 days used pays $364.34 for Annual", () => {
  const credits = creditsFor("premium", [period("basic", 4900, 10)], q);
  expect(totalOf(annualList, credits)).toEqual({ totalCents: 36_434, creditCents: 3266, notPaidOutCents: 0 });
});

test("that Annual, 100 days later, pays $1,208.77 for Lifetime: its whole value counts, not its last charge", () => {
  const credits = creditsFor("vip", [period("premium", 36_434 + 3266, 100)], q);
  expect(credits).toMatchObject([{ cents: 28_823, unusedDays: 265, periodDays: 365 }]);
  expect(totalOf(lifetimeList, credits).totalCents).toBe(120_877);
});

test("two years of Annual, on day 100 of the first, pay $811.77 for Lifetime", () => {
  const credits = creditsFor("vip", [period("premium", 39_700, 100), period("premium", 39_700, 100 - 365)], q);
  expect(credits.map(({ cents }) => cents)).toEqual([28_823, 39_700]);
  expect(totalOf(lifetimeList, credits).totalCents).toBe(81_177);
});

test("unpaid days give no credit: grace, gifts and refunded ones", () => {
  expect(creditsFor("premium", [period("basic", 0, 10)], q)).toEqual([]);
  expect(creditOf(period("basic", -100, 10), q)).toBe(0);
  expect(totalOf(annualList, []).totalCents).toBe(annualList);
});

test("past periods and those of the same or a higher tier give no credit", () => {
  expect(creditsFor("premium", [period("basic", 4900, 30)], q)).toEqual([]);
  expect(creditsFor("premium", [period("premium", 39_700, 10)], q)).toEqual([]);
  expect(creditsFor("basic", [period("premium", 39_700, 10)], q)).toEqual([]);
});

test("a begun day counts as unused, and the total changes once in 24 hours, at the hour of the purchase", () => {
  const bought = period("basic", 4900, 0);
  const creditAfter = (milliseconds: number) => creditsFor("premium", [bought], after(q, milliseconds));
  expect([0, 1, HOUR, DAY - 1].map((time) => creditAfter(time)[0]?.cents)).toEqual([4900, 4900, 4900, 4900]);
  expect([DAY, 2 * DAY - 1, 2 * DAY].map((time) => creditAfter(time)[0]?.cents)).toEqual([4736, 4736, 4573]);
  expect(creditAfter(29 * DAY)[0]).toMatchObject({ cents: 163, unusedDays: 1, periodDays: 30 });
  for (const time of [0, 1, 5 * HOUR, DAY - 1]) {
    expect(holdsUntil(creditAfter(time), after(q, time))).toEqual(after(q, DAY));
  }
  expect(holdsUntil(creditAfter(30 * DAY - 1), after(q, 30 * DAY - 1))).toEqual(bought.openUntil);
  // Without a credit, and for a period that begins later, a total holds for 24 hours.
  for (const credits of [[], creditsFor("premium", [period("basic", 4900, -3)], q)]) {
    expect(holdsUntil(credits, q)).toEqual(after(q, DAY));
  }
});

test("a Monthly of $49 upgraded on its third day is worth $44.10", () => {
  expect(creditOf(period("basic", 4900, 3), q)).toBe(4410);
});

test("no charge is below one dollar; the rest is not paid out, and a line says so", () => {
  const credits = creditsFor(
    "vip",
    [0, 1, 2, 3].map((year) => period("premium", 39_700, 100 - 365 * year)),
    q,
  );
  expect(totalOf(lifetimeList, credits)).toEqual({ totalCents: 1777, creditCents: 147_923, notPaidOutCents: 0 });
  const more = [...credits, ...creditsFor("vip", [period("premium", 39_700, 100 - 365 * 4)], q)];
  const rest = totalOf(lifetimeList, more);
  expect(rest.totalCents).toBe(100);
  expect(rest.creditCents + rest.notPaidOutCents).toBe(28_823 + 4 * 39_700);
  const lines = linesOf({
    planName: "Lifetime Access",
    listCents: lifetimeList,
    discount: null,
    credits: more,
    ...rest,
  });
  expect(lines.at(-1)?.label).toContain("Not paid out");
  expect(lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(100);
});

test("days that were given back are worth what they were: the same share of the same value", () => {
  const used = period("basic", 4900, 10);
  const laterFrom = after(q, 40 * DAY);
  const givenBack = { ...used, openFrom: laterFrom, openUntil: after(laterFrom, 20 * DAY) };
  expect(creditOf(givenBack, laterFrom)).toBe(creditOf(used, q));
  expect(creditOf(givenBack, after(laterFrom, 10 * DAY))).toBe(1633);
});

test("the lines say what is credited, in whole days, and add up to the total", () => {
  const credits = creditsFor("premium", [period("basic", 4900, 10)], after(q, 3000));
  const total = totalOf(annualList, credits);
  const lines = linesOf({ planName: "Annual Access", listCents: annualList, discount: null, credits, ...total });
  expect(lines.map(({ label }) => label)).toEqual([
    "Annual Access",
    "Your unused 20 of 30 days of Monthly Access (20/30 × $49.00)",
  ]);
  expect(lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(total.totalCents);
});

test("a credit of nothing has no line, and a purchase at the plan's price none at all", () => {
  const [credit] = creditsFor("premium", [period("basic", 4900, 10)], q);
  if (!credit) throw new Error("no credit");
  const lines = linesOf({
    ...{ planName: "Annual Access", listCents: annualList, discount: null, creditCents: credit.cents },
    credits: [credit, { ...credit, cents: 0 }],
  });
  expect(lines.map(({ kind }) => kind)).toEqual(["plan", "credit"]);
  const bought = {
    tier: "premium",
    amount: annualList,
    credit: 0,
    creditFrom: [],
    discount: 0,
    couponCode: null,
    discountedRenewals: 0,
    laterAmount: null,
  } as const;
  expect(linesOfPurchase(bought, "Annual Access")).toEqual([]);
});

test("the first period of a purchase is paid by its first charge, and a renewed one by its renewal", () => {
  const renewal = { id: "second", kind: "renewal", purchaseId: "bought", amount: 4900 } as const;
  const initial = { id: "first", kind: "initial", purchaseId: "bought", amount: 4165 } as const;
  const purchase = { id: "bought", tier: "basic", planName: "Monthly Access", credit: 0 } as const;
  const given = (source: string, sourceId: string) => {
    const grant = { id: sourceId, tier: "basic", source, sourceId, purchaseId: "bought", reason: null } as const;
    const times = { startsAt: q, endsAt: after(q, 30 * DAY), endedAt: null };
    return { first: { ...grant, ...times }, last: { ...grant, ...times } };
  };
  const periods = paidPeriodsOf(
    [given("purchase", "bought"), given("renewal", "second")],
    [renewal, initial],
    [purchase],
    new Map(),
  );
  expect(periods.map(({ chargeId, valueCents }) => [chargeId, valueCents])).toEqual([
    ["first", 4165],
    ["second", 4900],
  ]);
});

test("only the total itself is accepted, to the cent [P01]", () => {
  const terms = { totalCents: 36_434 };
  expect(() => requireAmount(terms, 364.34)).not.toThrow();
  for (const amount of [397, 364.33, 364.341, 36_434, 1, 0, -364.34, Number.MAX_VALUE, 1e-9]) {
    expect(() => requireAmount(terms, amount), String(amount)).toThrow("$364.34");
  }
});

test("a coupon comes off before the credit: 15 % off Annual on day 10 of Monthly leaves $304.79", () => {
  const credits = creditsFor("premium", [period("basic", 4900, 10)], q);
  const discount = { code: "SPRING15", cents: 5955, renews: false, renewals: 0 };
  const total = totalOf(annualList, credits, discount.cents);
  expect(total).toEqual({ totalCents: 30_479, creditCents: 3266, notPaidOutCents: 0 });
  const lines = linesOf({ planName: "Annual Access", listCents: annualList, discount, credits, ...total });
  expect(lines.map(({ kind, cents }) => [kind, cents])).toEqual([
    ["plan", 39_700],
    ["discount", -5955],
    ["credit", -3266],
  ]);
  const rest = totalOf(annualList, [{ cents: 39_000 }], discount.cents);
  expect(rest).toEqual({ totalCents: 100, creditCents: 33_645, notPaidOutCents: 5355 });
});

test("a quote stays valid when credits are calculated in another way, not when a charge is worth less", () => {
  const basisWith = (valueCents: number): QuoteBasis => ({
    ...{
      version: basisVersion,
      listCents: annualList,
      accountStatus: "active",
      isRefundUnderWay: false,
      grants: [],
      refundDays: 7,
    },
    ...{ coaching: noCoaching, credits: creditsFor("premium", [period("basic", valueCents, 10)], q) },
  });
  const basis = basisWith(4900);
  const credits = basis.credits.map((credit) => ({ ...credit, unusedDays: 19, cents: 3103 }));
  expect(sourcesOf({ ...basis, credits })).toEqual(sourcesOf(basis));
  expect(sourcesOf(basisWith(4899))).not.toEqual(sourcesOf(basis));
});
