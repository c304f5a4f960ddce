import { expect, test } from "vitest";
import { rightsOverPurchase } from "./rules.ts";

const renewing = {
  status: "completed",
  isRecurring: true,
  subscriptionStatus: "active",
  paymentDeclined: false,
  waitsForPayment: false,
  givesAccess: null,
  accountStatus: "active",
  leftCents: 4900,
} as const;
const may = (change: Partial<Parameters<typeof rightsOverPurchase>[0]> = {}) =>
  rightsOverPurchase({ ...renewing, ...change }, "owner");

test("a subscription is held only while it renews, is active and not declined", () => {
  expect(may().hold).toBe(true);
  for (const change of [
    { isRecurring: false },
    { subscriptionStatus: "cancelled" },
    { paymentDeclined: true },
    { status: "refunded" },
    { accountStatus: "suspended" },
    { accountStatus: "deleted" },
  ] as const) {
    expect(may(change).hold, JSON.stringify(change)).toBe(false);
  }
});

test("a subscription is cancelled while it is active, also a declined one", () => {
  expect(may({ paymentDeclined: true }).cancelSubscription).toBe(true);
  for (const change of [
    { subscriptionStatus: "on_hold" },
    { status: "pending" },
    { accountStatus: "deleted" },
  ] as const) {
    expect(may(change).cancelSubscription, JSON.stringify(change)).toBe(false);
  }
});

test("declined, held and suspended accounts can be reactivated, deleted ones and those that must pay not", () => {
  expect(may().reactivate).toBe(false);
  for (const change of [{ paymentDeclined: true }, { accountStatus: "on_hold" }, { accountStatus: "suspended" }]) {
    expect(may(change).reactivate, JSON.stringify(change)).toBe(true);
  }
  expect(may({ accountStatus: "deleted" }).reactivate).toBe(false);
  const isReopened = { paymentDeclined: true, waitsForPayment: true };
  expect(may({ ...isReopened, accountStatus: "on_hold" }).reactivate).toBe(false);
  expect(may({ ...isReopened, accountStatus: "suspended" }).reactivate).toBe(true);
});

test("a refund is possible while something of what was paid is left", () => {
  expect(may({ accountStatus: "deleted" }).refund).toBe(true);
  expect(may({ status: "refunded", leftCents: 1 }).refund).toBe(true);
  expect(may({ leftCents: 0 }).refund).toBe(false);
  expect(may({ status: "declined" }).refund).toBe(false);
});

test("support stops renewals and holds, and sends no money back [Z20]", () => {
  expect(rightsOverPurchase(renewing, "support")).toEqual({ ...may(), refund: false });
  expect(Object.values(rightsOverPurchase(renewing, null))).toEqual([false, false, false, false]);
});
