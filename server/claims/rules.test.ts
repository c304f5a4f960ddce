import { expect, test } from "vitest";
import { builtInCopy } from "#content/copy/copy.ts";
import { offer as builtInOffer } from "#content/offer.ts";
import { plans as builtInPlans } from "#content/plans.ts";
import type { Offer } from "#contract/offer.ts";
import { after, DAY } from "#server/base/clock.ts";
import type { PlanRow } from "#server/catalogue/catalogue.ts";
import type { PricePeriod } from "#server/catalogue/prices.ts";
import { judgeClaims, type Known } from "./rules.ts";

const now = new Date("2026-11-22T12:00:00Z");
const plans = builtInPlans.map(
  (plan, position): PlanRow => ({
    ...plan,
    price: plan.priceCents,
    originalPrice: null,
    popular: plan.tier === "premium",
    isActive: true,
    position,
    updatedAt: now,
  }),
);
const nothing = { students: 0, sales: new Map<string, number>(), firstLiveSession: null, firstOneOnOne: null };

function judged(changes: Partial<Known> = {}) {
  const known = {
    copy: builtInCopy,
    plans,
    offer: builtInOffer,
    prices: [],
    figures: nothing,
    hasProof: () => false,
    timeZone: "UTC",
    now,
    ...changes,
  };
  return new Map(judgeClaims(known).map((claim) => [claim.id, claim]));
}
const isTrue = (id: string, changes: Partial<Known> = {}) => judged(changes).get(id)?.isTrue;

/** All three plans at their double price, for days that ended so many days ago. */
const soldAtDouble = (days: number, endedDaysAgo = 0): PricePeriod[] =>
  plans.map(({ id, price }) => ({
    planId: id,
    price: 2 * price,
    startsAt: after(now, -(days + endedDaysAgo) * DAY),
    endsAt: after(now, -endedDaysAgo * DAY),
  }));

test("of the built-in claims our data confirm only the price of twelve months", () => {
  const all = [...judged().values()];
  expect(all.filter((claim) => claim.isTrue).map(({ id }) => id)).toEqual(["badge:premium"]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test("a struck-out price was real when it was charged on 28 of the last 90 days", () => {
  const wasPrice = (prices: PricePeriod[]) => isTrue("was-price:basic_monthly", { prices });
  expect(wasPrice(soldAtDouble(28))).toBe(true);
  expect(wasPrice(soldAtDouble(27))).toBe(false);
  expect(wasPrice(soldAtDouble(28, 62))).toBe(true);
  expect(wasPrice(soldAtDouble(28, 63))).toBe(false);
  expect(wasPrice([...soldAtDouble(14), ...soldAtDouble(14, 30)])).toBe(true);
  expect(wasPrice(soldAtDouble(28).map((row) => ({ ...row, price: row.price + 1 })))).toBe(false);
  const aheadOnly = soldAtDouble(0).map((row) => ({ ...row, startsAt: after(now, DAY), endsAt: null }));
  expect(wasPrice(aheadOnly)).toBe(false);
});

test("a discount is no more than what the struck-out prices that hold show", () => {
  const prices = soldAtDouble(40);
  const offer = (headline: string): Offer => ({ ...builtInOffer, headline, discountClaim: "50% off" });
  expect(isTrue("offer-discount", { prices, offer: offer("50% off every plan") })).toBe(true);
  expect(isTrue("offer-discount", { prices, offer: offer("51 percent off every plan") })).toBe(false);
  expect(isTrue("offer-discount", { prices: prices.slice(1), offer: offer("50% off") })).toBe(false);
  const hasProof = ({ id }: { id: string }) => id === "was-price:basic_monthly";
  expect(isTrue("offer-discount", { prices: prices.slice(1), offer: offer("50% off"), hasProof })).toBe(true);
});

test("a badge saves what it says against twelve months, or against a struck-out price that holds", () => {
  const badges = (text: string, prices: PricePeriod[] = []) => ({
    offer: { ...builtInOffer, badges: { premium: text } },
    prices,
  });
  expect(isTrue("badge:premium", badges("Save 32.4%"))).toBe(true);
  expect(isTrue("badge:premium", badges("Save 33%"))).toBe(false);
  expect(isTrue("badge:premium", badges("Save 50%", soldAtDouble(30)))).toBe(true);
  expect(isTrue("badge:premium", badges("Best value"))).toBe(false);
});

test("a countdown is true when it ends and prices rise, and no claim once it is over", () => {
  const until = (daysAhead: number, factor = 2): { offer: Offer } => ({
    offer: {
      ...builtInOffer,
      originalPriceFactor: factor,
      countdown: { kind: "until", endsAt: after(now, daysAhead * DAY).toISOString() },
    },
  });
  expect(isTrue("countdown")).toBe(false);
  expect(isTrue("countdown", until(3))).toBe(true);
  expect(isTrue("countdown", until(3, 1))).toBe(false);
  const over = judged(until(-1));
  expect(["countdown", "offer-discount", "badge:premium", "was-price:basic_monthly"].some((id) => over.has(id))).toBe(
    false,
  );
  expect(over.has("most-popular:premium_annual")).toBe(true);
});

test("counts and dates are held against our own data", () => {
  const figures = (changes: Partial<Known["figures"]>) => ({ figures: { ...nothing, ...changes } });
  expect(isTrue("students", figures({ students: 500 }))).toBe(true);
  expect(isTrue("students", figures({ students: 499 }))).toBe(false);
  expect(isTrue("live-coaching-since", figures({ firstLiveSession: new Date("2025-09-30T23:00:00Z") }))).toBe(true);
  expect(isTrue("live-coaching-since", figures({ firstLiveSession: new Date("2025-10-01T00:00:00Z") }))).toBe(false);
  const sales = (annual: number) =>
    figures({
      sales: new Map([
        ["premium_annual", annual],
        ["basic_monthly", 7],
      ]),
    });
  expect(isTrue("most-popular:premium_annual", sales(7))).toBe(true);
  expect(isTrue("most-popular:premium_annual", sales(6))).toBe(false);
});

test("a claim that our data judge, or that is about people or prices, always needs proof", () => {
  const exempt = [...judged().values()].filter(({ canBeExempt }) => canBeExempt).map(({ id }) => id);
  const barred = ["students", "rating", "instructor", "live-coaching-since", "one-on-one-since", "tool-price"];
  expect(exempt.filter((id) => barred.includes(id))).toEqual([]);
  expect([...judged().keys()]).toEqual(expect.arrayContaining(barred));
});
