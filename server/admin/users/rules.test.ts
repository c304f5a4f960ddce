import { expect, test } from "vitest";
import { changesTier, rightsOver, type UserState } from "./rules.ts";

const user: UserState = {
  tier: null,
  accountStatus: "active",
  renews: false,
  holdable: null,
  isDeclined: false,
  isSelf: false,
  isAdmin: false,
  administrators: 1,
};

test("tiers move one step, and none beyond the first and the last", () => {
  const moves = ([null, "basic", "premium", "vip"] as const).map((tier) => {
    const { upgradeTo, downgradeTo } = rightsOver({ ...user, tier });
    return [downgradeTo, upgradeTo];
  });
  expect(moves).toEqual([
    [null, null],
    [null, "premium"],
    ["basic", "vip"],
    ["premium", null],
  ]);
});

test("a subscription is cancelled on basic alone, and only while it renews", () => {
  expect(rightsOver({ ...user, tier: "basic", renews: true }).cancelSubscription).toBe(true);
  expect(rightsOver({ ...user, tier: "basic", renews: false }).cancelSubscription).toBe(false);
  expect(rightsOver({ ...user, tier: "premium", renews: true }).cancelSubscription).toBe(false);
});

test("a subscription that renews can be held, and not by its own owner or twice", () => {
  expect(rightsOver(user).hold).toBeNull();
  expect(rightsOver({ ...user, holdable: "s" }).hold).toBe("s");
  expect(rightsOver({ ...user, holdable: "s", accountStatus: "suspended" }).hold).toBeNull();
  expect(rightsOver({ ...user, holdable: "s", isSelf: true }).hold).toBeNull();
});

test("what is on hold, suspended or declined can be reactivated", () => {
  expect(rightsOver(user).reactivate).toBe(false);
  expect(rightsOver({ ...user, isDeclined: true }).reactivate).toBe(true);
  expect(rightsOver({ ...user, accountStatus: "on_hold" }).reactivate).toBe(true);
  expect(rightsOver({ ...user, accountStatus: "suspended" })).toMatchObject({ reactivate: true, suspend: false });
});

test("nobody suspends or deletes themselves, and the last administrator stays [Z16]", () => {
  expect(rightsOver({ ...user, isSelf: true, isAdmin: true, administrators: 2 })).toMatchObject({
    suspend: false,
    delete: false,
  });
  expect(rightsOver({ ...user, isAdmin: true, administrators: 1 }).delete).toBe(false);
  expect(rightsOver({ ...user, isAdmin: true, administrators: 2 }).delete).toBe(true);
});

test("a gift counts when it gives another tier, or the same one for longer", () => {
  const [may, june] = [new Date("2030-05-01"), new Date("2030-06-01")];
  expect(changesTier({ tier: null, until: null }, { tier: "basic", endsAt: may })).toBe(true);
  expect(changesTier({ tier: "vip", until: null }, { tier: "basic", endsAt: null })).toBe(true);
  expect(changesTier({ tier: "vip", until: null }, { tier: "vip", endsAt: null })).toBe(false);
  expect(changesTier({ tier: "vip", until: null }, { tier: "vip", endsAt: may })).toBe(false);
  expect(changesTier({ tier: "basic", until: may }, { tier: "basic", endsAt: null })).toBe(true);
  expect(changesTier({ tier: "basic", until: may }, { tier: "basic", endsAt: june })).toBe(true);
  expect(changesTier({ tier: "basic", until: june }, { tier: "basic", endsAt: may })).toBe(false);
});
