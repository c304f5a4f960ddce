import { expect, test } from "vitest";
import type { CourseAccess } from "#contract/access.ts";
import type { Purchase } from "#contract/purchases/purchases.ts";
import type { Payment } from "#contract/purchases/receipts.ts";
import { sayAcademy } from "#ui/academy.ts";
import { builtInFacts } from "../../../scripts/pages/built-in-facts.ts";
import { planInForce, renewalWords, statusOf } from "./purchase-words.ts";

sayAcademy(builtInFacts().academy);

const monthly = {
  id: "p1",
  tier: "basic",
  status: "completed",
  isRecurring: true,
  nextBillingDate: "2026-12-21T12:00:00.000Z",
  subscriptionStatus: "active",
  paymentDeclined: false,
} as Purchase;

const access = (tier: CourseAccess["tier"], until: string | null = null) => ({ tier, until }) as CourseAccess;

test("an active plan that renews says when", () => {
  expect(renewalWords(monthly)).toBe("Renews on December 21, 2026");
});

test("a declined renewal is shown, whatever the plan's state", () => {
  for (const subscriptionStatus of ["active", "cancelled", "on_hold"]) {
    expect(renewalWords({ ...monthly, subscriptionStatus, paymentDeclined: true })).toBe("Payment Declined");
  }
});

test("a plan that was cancelled or is on hold names no date", () => {
  expect(renewalWords({ ...monthly, subscriptionStatus: "cancelled" })).toBe("Cancelled, won't renew");
  expect(renewalWords({ ...monthly, subscriptionStatus: "on_hold" })).toBe("On hold");
});

test("one-time, unpaid and refunded purchases do not renew", () => {
  expect(renewalWords({ ...monthly, isRecurring: false })).toBeNull();
  for (const status of ["pending", "declined", "failed"] as const) {
    expect(renewalWords({ ...monthly, status })).toBeNull();
  }
  expect(renewalWords({ ...monthly, status: "refunded", subscriptionStatus: "cancelled" })).toBeNull();
});

test("a refunded plan that was resumed in its open days renews", () => {
  const resumed = { ...monthly, status: "refunded" as const };
  expect(renewalWords(resumed)).toBe("Renews on December 21, 2026");
  expect(planInForce(access("basic"), [resumed]).purchase).toBe(resumed);
});

test("the current plan's purchase is the newest completed one of its tier", () => {
  const older = { ...monthly, id: "older" };
  const annual = { ...monthly, id: "annual", tier: "premium" as const };
  const refunded = { ...monthly, id: "refunded", status: "refunded" as const };
  expect(planInForce(access("basic", "2026-12-21T12:00:00.000Z"), [refunded, annual, monthly, older])).toEqual({
    label: "Monthly Access",
    lasts: "Until December 21, 2026",
    purchase: monthly,
  });
});

test("an expired purchase is no active plan", () => {
  expect(planInForce(access(null), [monthly])).toEqual({ label: "No Active Plan", lasts: null, purchase: null });
});

test("Lifetime Access has no end date, and a granted plan has no purchase", () => {
  expect(planInForce(access("vip"), [monthly])).toEqual({
    label: "Lifetime Access",
    lasts: "No end date",
    purchase: null,
  });
});

test("a completed purchase is partly refunded once one of its payments went back", () => {
  const payment = { purchaseId: "p1", refunded: null } as Payment;
  const returned = { ...payment, refunded: "49.00" };
  expect(statusOf(monthly, [payment])).toBe("Paid");
  expect(statusOf(monthly, [payment, returned])).toBe("Partly refunded");
  expect(statusOf(monthly, [{ ...returned, purchaseId: "p2" }])).toBe("Paid");
  expect(statusOf({ ...monthly, status: "refunded" }, [returned])).toBe("Refunded");
});
