import { expect, onTestFinished, test } from "vitest";
import { builtInPlanNames } from "#content/plans.ts";
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

test("a higher tier can be bought, the same or a lower one not, but for another year of Annual [P06]", () => {
  expect(codeOf(() => mayBuy("basic", { tier: null, until: null }, null, now, builtInPlanNames))).toBeUndefined();
  expect(
    codeOf(() => mayBuy("premium", { tier: "basic", until: end }, minutesAgo(1), now, builtInPlanNames)),
  ).toBeUndefined();
  expect(
    codeOf(() => mayBuy("vip", { tier: "premium", until: end }, minutesAgo(1), now, builtInPlanNames)),
  ).toBeUndefined();
  expect(codeOf(() => mayBuy("basic", { tier: "basic", until: end }, minutesAgo(99), now, builtInPlanNames))).toBe(
    "already-owned",
  );
  expect(codeOf(() => mayBuy("basic", { tier: "vip", until: null }, minutesAgo(99), now, builtInPlanNames))).toBe(
    "already-owned",
  );
  expect(codeOf(() => mayBuy("vip", { tier: "vip", until: null }, minutesAgo(99), now, builtInPlanNames))).toBe(
    "already-owned",
  );
  expect(
    codeOf(() => mayBuy("premium", { tier: "premium", until: end }, minutesAgo(99), now, builtInPlanNames)),
  ).toBeUndefined();
  expect(codeOf(() => mayBuy("premium", { tier: "premium", until: null }, null, now, builtInPlanNames))).toBe(
    "already-owned",
  );
});

test("a second year within two minutes of the first is a double click [P05]", () => {
  expect(codeOf(() => mayBuy("premium", { tier: "premium", until: end }, minutesAgo(1), now, builtInPlanNames))).toBe(
    "already-owned",
  );
  expect(
    codeOf(() => mayBuy("premium", { tier: "premium", until: end }, minutesAgo(2), now, builtInPlanNames)),
  ).toBeUndefined();
});

test("a period is 30 or 365 days of 24 hours, and Lifetime has no end", () => {
  expect(periodEnd("basic", now)).toEqual(new Date(now.getTime() + 30 * DAY));
  expect(periodEnd("premium", now)).toEqual(new Date(now.getTime() + 365 * DAY));
  expect(periodEnd("vip", now)).toBeNull();
});

test("a period that crosses a change of the clocks is 30 days to the second [P25]", () => {
  const { TZ } = process.env;
  onTestFinished(() => {
    process.env.TZ = TZ;
    if (TZ === undefined) delete process.env.TZ;
  });
  process.env.TZ = "America/New_York";
  for (const start of ["2026-02-20T12:00:00Z", "2026-10-20T12:00:00Z"].map((at) => new Date(at))) {
    const end = periodEnd("basic", start) as Date;
    expect(end.getTimezoneOffset()).not.toBe(start.getTimezoneOffset());
    expect(end.getTime() - start.getTime()).toBe(30 * DAY);
  }
});

test("the refund policy lasts the promised days after the payment [P19]", () => {
  expect(policyUntil({ paidAt: now, refundDays: 7 })).toEqual(new Date(now.getTime() + 7 * DAY));
});
