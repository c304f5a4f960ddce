import { expect, onTestFinished, test, vi } from "vitest";
import { builtInPlanNames } from "#content/plans.ts";
import type { Tier } from "#contract/tiers.ts";
import { DAY } from "#server/base/clock.ts";
import { codeOf } from "#test/code-of.ts";
import { periodEnd } from "./periods.ts";
import { mayBuy, policyUntil, requirePlan } from "./rules.ts";

const now = new Date("2026-11-21T12:00:00Z");
const end = new Date("2027-01-01T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

test("another plan's id is refused [P02]", () => {
  expect(codeOf(() => requirePlan({ id: "premium_annual" }, "premium_annual"))).toBeUndefined();
  expect(codeOf(() => requirePlan({ id: "premium_annual" }, "basic_monthly"))).toBe("plan-mismatch");
});

/** Why a student with this plan, who paid so many minutes ago, may not buy that one. */
const refusal = (tier: Tier, owned: Tier | null, until: Date | null, minutes: number | null = 99) => {
  const paidAt = minutes === null ? null : minutesAgo(minutes);
  return codeOf(() => mayBuy(tier, { tier: owned, until }, paidAt, now, builtInPlanNames));
};

test("a higher tier can be bought, the same or a lower one not, but for another year of Annual [P06]", () => {
  expect(refusal("basic", null, null, null)).toBeUndefined();
  expect(refusal("premium", "basic", end, 1)).toBeUndefined();
  expect(refusal("vip", "premium", end, 1)).toBeUndefined();
  expect(refusal("basic", "basic", end)).toBe("already-owned");
  expect(refusal("basic", "vip", null)).toBe("already-owned");
  expect(refusal("vip", "vip", null)).toBe("already-owned");
  expect(refusal("premium", "premium", end)).toBeUndefined();
  expect(refusal("premium", "premium", null, null)).toBe("already-owned");
});

test("a second year within two minutes of the first is a double click [P05]", () => {
  expect(refusal("premium", "premium", end, 1)).toBe("already-owned");
  expect(refusal("premium", "premium", end, 2)).toBeUndefined();
});

test("a period is 30 or 365 days of 24 hours, and Lifetime has no end", () => {
  expect(periodEnd("basic", now)).toEqual(new Date(now.getTime() + 30 * DAY));
  expect(periodEnd("premium", now)).toEqual(new Date(now.getTime() + 365 * DAY));
  expect(periodEnd("vip", now)).toBeNull();
});

test("a period that crosses a change of the clocks is 30 days to the second [P25]", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TZ", "America/New_York");
  for (const start of ["2026-02-20T12:00:00Z", "2026-10-20T12:00:00Z"].map((at) => new Date(at))) {
    const end = periodEnd("basic", start) as Date;
    expect(end.getTimezoneOffset()).not.toBe(start.getTimezoneOffset());
    expect(end.getTime() - start.getTime()).toBe(30 * DAY);
  }
});

test("the refund policy lasts the promised days after the payment [P19]", () => {
  expect(policyUntil({ paidAt: now, refundDays: 7 })).toEqual(new Date(now.getTime() + 7 * DAY));
});
