import { expect, test } from "vitest";
import { planInQuery } from "./chosen-plan.ts";

test("a plan is read from an address, and its name from the tier, whatever the address says", () => {
  expect(planInQuery(new URLSearchParams("tier=vip&priceId=vip_lifetime&price=1497&name=You+have+won"))).toEqual({
    tier: "vip",
    priceId: "vip_lifetime",
    price: "1497",
    name: "Lifetime Access",
    code: null,
  });
  expect(planInQuery(new URLSearchParams("tier=vip&price=1497&code=+spring15+"))?.code).toBe("spring15");
});

test("an address without a known tier, or without a number for a price, names no plan", () => {
  expect(planInQuery(new URLSearchParams("tier=gold&priceId=x&price=1"))).toBeNull();
  expect(planInQuery(new URLSearchParams("tier=vip&priceId=vip_lifetime&price=nothing"))).toBeNull();
  expect(planInQuery(new URLSearchParams("tier=vip&priceId=vip_lifetime"))).toBeNull();
});
