import { expect, test } from "vitest";
import type { Offer } from "#contract/offer.ts";
import { isOn, priceAt, struckOutPrice } from "./prices.ts";

const end = new Date("2026-12-01T00:00:00Z");
const before = new Date(end.getTime() - 1);
const offer: Offer = {
  enabled: true,
  countdown: { kind: "until", endsAt: end.toISOString() },
  originalPriceFactor: 2,
  discountClaim: "50% off",
  headline: "50% off every plan",
  countdownLabel: "Ends in",
  badges: {},
};
const daily: Offer = { ...offer, countdown: { kind: "daily", startSeconds: 86_387 } };
const plan = { price: 39_700, originalPrice: null };

test("the struck-out price is the plan's own, or its price by the offer's factor", () => {
  expect(struckOutPrice(plan, offer)).toBe(79_400);
  expect(struckOutPrice({ ...plan, originalPrice: 50_000 }, offer)).toBe(50_000);
});

test("a timed offer is on until its end, and from then on the struck-out price is charged", () => {
  expect([isOn(offer, before), priceAt(plan, offer, before)]).toEqual([true, 39_700]);
  expect([isOn(offer, end), priceAt(plan, offer, end)]).toEqual([false, 79_400]);
});

test("an offer that wraps daily changes no price, and one that is off strikes none out", () => {
  expect([isOn(daily, end), priceAt(plan, daily, end)]).toEqual([true, 39_700]);
  for (const off of [offer, daily].map((one) => ({ ...one, enabled: false }))) {
    expect([isOn(off, before), priceAt(plan, off, end)]).toEqual([false, 39_700]);
  }
});
