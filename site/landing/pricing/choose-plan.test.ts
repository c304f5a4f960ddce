import { expect, test } from "vitest";
import { builtInPlans, type PlanOnSale } from "#app/plans/plans.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { builtInFacts } from "../../../scripts/pages/built-in-facts.ts";
import { nextStep } from "./choose-plan.ts";

const [, premium] = builtInPlans(builtInFacts()) as [PlanOnSale, PlanOnSale, PlanOnSale];
const annual: PlanOnSale = { ...premium, priceId: "premium_annual" };
const student = { id: "u1", email: "toby@academy.test" } as CurrentUser;

test("the sign-up URL of a visitor has tier, price id and price", () => {
  expect(nextStep(annual, null)).toEqual({
    step: "sign-up",
    address: "/signup?tier=premium&priceId=premium_annual&price=397",
  });
});

test("a visitor can sign up for a plan that has no price id yet", () => {
  expect(nextStep({ ...annual, priceId: null }, null)).toEqual({
    step: "sign-up",
    address: "/signup?tier=premium&price=397",
  });
});

test("a student cannot pay for a plan without a price id", () => {
  expect(nextStep({ ...annual, priceId: null }, student)).toEqual({ step: "not-for-sale" });
});

test("a student goes to the checkout with the plan in the URL", () => {
  expect(nextStep(annual, student)).toEqual({
    step: "checkout",
    address: "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397",
    priceId: "premium_annual",
  });
});

test("the built-in plans have doubled original prices and no price id", () => {
  expect(
    builtInPlans(builtInFacts()).map(({ tier, price, originalPrice, priceId }) => [
      tier,
      price,
      originalPrice,
      priceId,
    ]),
  ).toEqual([
    ["basic", 49, 98, null],
    ["premium", 397, 794, null],
    ["vip", 1497, 2994, null],
  ]);
});
