import { expect, test } from "vitest";
import { after, DAY } from "#server/base/clock.ts";
import { codeOf, discountOf, hasUsesLeft, isFor } from "./rules.ts";

const percent = (share: number) => ({ kind: "percent" as const, percent: share, off: null });
const fixed = (off: number) => ({ kind: "fixed" as const, percent: null, off });

test("a percentage is rounded down to the cent, a fixed amount is whole", () => {
  expect(discountOf(percent(15), 39_700)).toBe(5955);
  expect(discountOf(percent(15), 4900)).toBe(735);
  expect(discountOf(percent(33), 4999)).toBe(1649);
  expect(discountOf(fixed(5000), 39_700)).toBe(5000);
});

test("no discount leaves less than one dollar", () => {
  expect(discountOf(fixed(39_700), 39_700)).toBe(39_600);
  expect(discountOf(fixed(1_000_000), 4900)).toBe(4800);
  expect(discountOf(percent(90), 150)).toBe(50);
  expect(discountOf(percent(90), 100)).toBe(0);
  expect(discountOf(fixed(1), 50)).toBe(0);
});

const starts = new Date("2026-11-01T00:00:00Z");
const coupon = {
  ...percent(15),
  plans: ["basic" as const, "premium" as const],
  startsAt: starts,
  endsAt: after(starts, 10 * DAY),
  maxUses: 2,
  uses: 1,
  firstPurchaseOnly: false,
  isActive: true,
};
const order = { tier: "premium" as const, hasPaidBefore: true, at: after(starts, DAY) };

test("a coupon is valid for its plans, from its start to its end, until it is ended", () => {
  expect(isFor(coupon, order)).toBe(true);
  expect(isFor(coupon, { ...order, tier: "vip" })).toBe(false);
  expect(isFor(coupon, { ...order, at: starts })).toBe(true);
  expect(isFor(coupon, { ...order, at: after(starts, -1) })).toBe(false);
  expect(isFor(coupon, { ...order, at: coupon.endsAt })).toBe(false);
  expect(isFor({ ...coupon, isActive: false }, order)).toBe(false);
});

test("a first-purchase coupon is refused to students who have paid before", () => {
  expect(isFor({ ...coupon, firstPurchaseOnly: true }, order)).toBe(false);
  expect(isFor({ ...coupon, firstPurchaseOnly: true }, { ...order, hasPaidBefore: false })).toBe(true);
});

test("uses are left below the limit, and always without one", () => {
  expect(hasUsesLeft(coupon)).toBe(true);
  expect(hasUsesLeft({ uses: 2, maxUses: 2 })).toBe(false);
  expect(hasUsesLeft({ uses: 7, maxUses: null })).toBe(true);
});

test("a code is case-insensitive, and an impossible one is empty", () => {
  expect(codeOf("  spring-15 ")).toBe("SPRING-15");
  for (const typed of ["", "abc", "x".repeat(25), "%00", "SPRING\0", "SPRING 15", "ÄÖÜß", "x".repeat(10_000)]) {
    expect(codeOf(typed), typed.slice(0, 30)).toBe("");
  }
});
