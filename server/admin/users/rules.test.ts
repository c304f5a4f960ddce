import { expect, test } from "vitest";
import { changesTier, mayManage, mayReopen } from "#server/subscriptions/account-rules.ts";
import { type BulkCandidate, type FixedOperation, rightsOver, skipReasonOf, type UserState } from "./rules.ts";

const user: UserState = {
  tier: null,
  accountStatus: "active",
  renews: false,
  holdable: null,
  isDeclined: false,
  waitsForPayment: false,
  isSelf: false,
  mayClose: true,
  mayOpen: true,
};
const byOwner = (state: UserState) => rightsOver(state, "owner");

test("tiers move one step, and none beyond the first and the last", () => {
  const moves = ([null, "basic", "premium", "vip"] as const).map((tier) => {
    const { upgradeTo, downgradeTo } = byOwner({ ...user, tier });
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
  expect(byOwner({ ...user, tier: "basic", renews: true }).cancelSubscription).toBe(true);
  expect(byOwner({ ...user, tier: "basic", renews: false }).cancelSubscription).toBe(false);
  expect(byOwner({ ...user, tier: "premium", renews: true }).cancelSubscription).toBe(false);
});

test("a subscription that renews can be held, and not by its own owner or twice", () => {
  expect(byOwner(user).hold).toBeNull();
  expect(byOwner({ ...user, holdable: "s" }).hold).toBe("s");
  expect(byOwner({ ...user, holdable: "s", accountStatus: "suspended" }).hold).toBeNull();
  expect(byOwner({ ...user, holdable: "s", isSelf: true }).hold).toBeNull();
});

test("held, suspended and declined accounts can be reactivated", () => {
  expect(byOwner(user).reactivate).toBe(false);
  expect(byOwner({ ...user, isDeclined: true }).reactivate).toBe(true);
  expect(byOwner({ ...user, accountStatus: "on_hold" }).reactivate).toBe(true);
  expect(byOwner({ ...user, accountStatus: "suspended" })).toMatchObject({ reactivate: true, suspend: false });
});

test("support reopens what support has closed, and nothing that a payment has closed", () => {
  for (const isClosedBySupport of [true, false]) {
    for (const isUnpaid of [true, false]) {
      const state = { isClosedBySupport, isUnpaid };
      expect(mayReopen("administrator", state)).toBe(true);
      expect(mayReopen("support", state)).toBe(isClosedBySupport && !isUnpaid);
      expect(mayReopen(null, { ...state, isClosedBySupport: false })).toBe(false);
    }
  }
});

test("nobody suspends or deletes themselves, or whom their role does not reach [Z16]", () => {
  expect(byOwner({ ...user, isSelf: true })).toMatchObject({ suspend: false, delete: false, endSessions: true });
  const untouched = { suspend: false, hold: null, delete: false, endSessions: false };
  expect(byOwner({ ...user, holdable: "s", mayClose: false })).toMatchObject(untouched);
  expect(byOwner({ ...user, isDeclined: true, mayOpen: false }).reactivate).toBe(false);
  expect(byOwner({ ...user, isSelf: true, mayClose: false }).endSessions).toBe(true);
});

test("rights are those of the role [Z20]", () => {
  const state = { ...user, tier: "basic", renews: true, holdable: "s" } as const;
  expect(rightsOver(state, "administrator")).toEqual(rightsOver(state, "owner"));
  expect(rightsOver(state, "support")).toEqual({
    ...rightsOver(state, "owner"),
    upgradeTo: null,
    downgradeTo: null,
    delete: false,
  });
  expect(Object.values(rightsOver(state, null)).filter(Boolean)).toEqual([]);
});

test.each([
  ["a student", {}, ["support", "administrator", "owner"]],
  ["a coach", { isCoach: true }, ["administrator", "owner"]],
  ["support", { role: "support" }, ["owner"]],
  ["an administrator", { role: "administrator", isCoach: true }, ["owner"]],
  ["an owner", { role: "owner" }, ["owner"]],
  ["an address of ADMIN_EMAILS", { isRoot: true }, []],
] as const)("the account of %s is closed by those above it alone [Z16 Z21]", (_who, target, actors) => {
  const whole = { isRoot: false, role: null, isCoach: false, ...target };
  const closing = (["support", "administrator", "owner"] as const).filter((role) => mayManage(role, whole, "close"));
  expect(closing).toEqual(actors);
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

test("a bulk action skips the team, people who have as much, and those to whom it does not apply", () => {
  const none = { tier: null, until: null };
  const year = { tier: "premium", until: new Date("2027-01-01") } as const;
  const gift = { kind: "grant", tier: "premium", endsAt: new Date("2027-01-01") } as const;
  const why = (person: Partial<BulkCandidate>, operation: FixedOperation) =>
    skipReasonOf({ state: user, isOfTeam: false, access: none, ...person }, operation, "administrator");
  expect(why({}, gift)).toBeNull();
  expect(why({ isOfTeam: true }, gift)).toBe("team");
  expect(why({ state: { ...user, isSelf: true } }, gift)).toBe("team");
  expect(why({ state: { ...user, accountStatus: "deleted" }, isOfTeam: true }, gift)).toBe("left");
  expect(why({ access: year }, gift)).toBe("has-it");
  expect(why({ access: year }, { ...gift, endsAt: null })).toBeNull();
  expect(why({ access: year }, { ...gift, tier: "basic" })).toBe("higher-plan");
  expect(why({}, { kind: "hold" })).toBe("nothing-renews");
  expect(why({ state: { ...user, isDeclined: true } }, { kind: "hold" })).toBe("declined");
  expect(why({ state: { ...user, holdable: "s" } }, { kind: "hold" })).toBeNull();
  expect(why({ state: { ...user, holdable: "s", accountStatus: "suspended" } }, { kind: "hold" })).toBe("blocked");
  expect(why({ state: { ...user, accountStatus: "suspended" } }, { kind: "suspend" })).toBe("suspended");
  expect(why({ state: { ...user, accountStatus: "on_hold" } }, { kind: "suspend" })).toBeNull();
  const unpaid = { ...user, isDeclined: true, waitsForPayment: true };
  for (const accountStatus of ["on_hold", "suspended"]) {
    expect(why({ state: { ...unpaid, accountStatus } }, { kind: "reactivate" })).toBe("unpaid");
  }
  expect(why({}, { kind: "reactivate" })).toBe("not-blocked");
});
