import { expect, test } from "vitest";
import { planInQuery } from "./chosen-plan.ts";

test("a plan is read from an address, its name from the tier when it is not given", () => {
  expect(planInQuery(new URLSearchParams("tier=vip&priceId=vip_lifetime&price=1497"))).toEqual({
    tier: "vip",
    priceId: "vip_lifetime",
    price: "1497",
    name: "Lifetime Access",
  });
});

test("an address without a known tier or without a price names no plan", () => {
  expect(planInQuery(new URLSearchParams("tier=gold&priceId=x&price=1"))).toBeNull();
  expect(planInQuery(new URLSearchParams("tier=vip&priceId=vip_lifetime"))).toBeNull();
});
