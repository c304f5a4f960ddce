import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { cancelSubscription, holdAccount, listAllPurchases } from "#contract/admin/purchases.ts";
import { getStats } from "#contract/admin/statistics.ts";
import {
  cancelUserSubscription,
  deleteUserAccount,
  endUserSessions,
  getUserDetail,
  listUsers,
  reactivateAccount,
  suspendAccount,
  updateUserTier,
} from "#contract/admin/users.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { planDays, type Tier } from "#contract/tiers.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import type { Visitor } from "#test/visitor.ts";

const env = { ADMIN_EMAILS: "admin@academy.test,vip@academy.test" };
const { academy, administrator: admin, test } = await academyOfFile(env);

async function studentWith(tier: Tier | null) {
  const visitor = await (tier ? academy.buyer(tier) : academy.visitor().signUp());
  const purchase = await visitor.purchase();
  const userId = await visitor.id();
  return { visitor, userId, subscriptionId: purchase?.subscriptionId ?? "" };
}

/** What the administrator does; the answer's code or, when it went well, its message. */
async function act(endpoint: Endpoint, body: object): Promise<unknown> {
  const answer = await admin.call(endpoint, { body });
  const { code, message } = answer.body as { code?: string; message?: string };
  if (answer.status === 200) expect(answer.body).toMatchObject({ success: true });
  return code ?? message;
}

const historyOf = async (subject: string) => (await admin.call(listAudit, { query: { subject } })).body.rows;

test("upgrades and downgrades change the access, and the audit log has reason and change", async () => {
  const student = await studentWith("premium");
  const { userId } = student;
  const set = (newTier: Tier, reason?: string) => act(updateUserTier, { userId, newTier, reason });
  expect(await set("vip", "Won the raffle")).toBe("User tier updated successfully");
  expect(await student.visitor.access()).toMatchObject({ tier: "vip", until: null, source: "administrator" });
  for (const tier of ["premium", "basic"] as const) expect(await set(tier)).toBe("User tier updated successfully");
  expect(await student.visitor.access()).toMatchObject({ tier: "basic", hasAccess: true });
  expect(await historyOf(userId)).toMatchObject([
    { action: "change tier", before: { tier: "premium" }, after: { tier: "basic" } },
    { action: "change tier", before: { tier: "vip" }, after: { tier: "premium" } },
    {
      ...{ action: "change tier", before: { tier: "premium" }, after: { tier: "vip" }, reason: "Won the raffle" },
      ...{ actorName: "Ruth Okafor", subjectKind: "user" },
    },
  ]);
});

test("a gift with an end closes by itself, and an end in the past is refused", async () => {
  const student = await studentWith(null);
  const { userId } = student;
  const [past, inAWeek] = [-1, 7].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  expect(await act(updateUserTier, { userId, newTier: "premium", endsAt: past })).toBe("invalid-input");
  await act(updateUserTier, { userId, newTier: "premium", endsAt: inAWeek });
  expect(await student.visitor.access()).toMatchObject({ tier: "premium", until: inAWeek });
});

test.each([
  ["basic", "premium"],
  ["vip", "premium"],
  ["premium", "basic"],
  ["basic", "vip"],
] as const)("a tier that is set from %s to %s without an end lasts as long as its plan", async (from, to) => {
  const days = planDays[to];
  const student = await studentWith(from);
  const { userId } = student;
  const before = Date.now();
  await act(updateUserTier, { userId, newTier: to });
  const { tier, until } = await student.visitor.access();
  expect(tier).toBe(to);
  if (days === null) expect(until).toBeNull();
  else {
    expect(Date.parse(until ?? "")).toBeGreaterThanOrEqual(before + days * 86_400_000);
    expect(Date.parse(until ?? "")).toBeLessThanOrEqual(Date.now() + days * 86_400_000);
  }
  await act(updateUserTier, { userId, newTier: to, endsAt: null });
  expect(await student.visitor.access()).toMatchObject({ tier: to, until: null });
});

test.each(["gold", "VIP", null, ["vip"], { vip: 1 }, "", "__proto__"])(
  "the tier %j is refused [Z15]",
  async (newTier) => {
    const [user] = (await admin.call(listUsers, { query: { search: "new@academy.test" } })).body;
    expect(await act(updateUserTier, { userId: user?.id, newTier })).toBe("invalid-input");
  },
);

test("repeated or impossible actions are a conflict and change nothing [Z15]", async () => {
  const { userId, subscriptionId } = await studentWith("basic");
  const premium = await studentWith("premium");
  expect(await act(updateUserTier, { userId: premium.userId, newTier: "vip" })).toBe("User tier updated successfully");
  expect(await act(updateUserTier, { userId: premium.userId, newTier: "vip" })).toBe("conflict");
  expect(await act(reactivateAccount, { userId })).toBe("conflict");
  expect(await act(cancelSubscription, { userId, subscriptionId })).toBe("Subscription cancelled successfully");
  expect(await act(cancelSubscription, { userId, subscriptionId })).toBe("conflict");
  expect(await act(cancelUserSubscription, { userId })).toBe("conflict");
  expect(await act(holdAccount, { userId, subscriptionId })).toBe("conflict");
  expect(await act(cancelUserSubscription, { userId: premium.userId })).toBe("not-found");
  expect(await act(suspendAccount, { userId, reason: "x" })).toBe("Account suspended");
  expect(await act(suspendAccount, { userId, reason: "x" })).toBe("conflict");
  expect(await historyOf(userId)).toHaveLength(2);
});

test("cancelling leaves the course open to the end of what is paid", async () => {
  const student = await studentWith("basic");
  const { userId } = student;
  const before = await student.visitor.access();
  expect(await act(cancelUserSubscription, { userId, reason: "asked by phone" })).toBe(
    "User subscription cancelled successfully",
  );
  expect(await student.visitor.access()).toMatchObject({ hasAccess: true, until: before.until });
  const [entry] = await historyOf(userId);
  expect(entry).toMatchObject({
    action: "cancel subscription",
    reason: "asked by phone",
    after: { [`subscription ${student.subscriptionId}`]: { subscriptionStatus: "cancelled", nextBillingDate: null } },
  });
});

test("a hold and a suspension close the course at once with their reason, and reactivating opens it [A07]", async () => {
  const student = await studentWith("basic");
  const { userId, subscriptionId } = student;
  const mayHold = async () => (await admin.call(getUserDetail, { params: { userId } })).body.user.may.hold;
  expect(await mayHold()).toBe(subscriptionId);
  const reason = "card looks stolen";
  expect(await act(holdAccount, { userId, subscriptionId, reason })).toBe("Account placed on hold");
  expect(await mayHold()).toBeNull();
  const held = { hasAccess: false, accountStatus: "on_hold", suspensionReason: reason };
  expect(await student.visitor.access()).toMatchObject(held);
  expect((await student.visitor.send("GET", "/api/lessons/lesson-1-2/playback")).status).toBe(403);
  for (const endpoint of [holdAccount, cancelSubscription]) {
    expect(await act(endpoint, { userId, subscriptionId })).toBe("conflict");
  }
  expect(await act(cancelUserSubscription, { userId })).toBe("conflict");
  expect(await student.visitor.access()).toMatchObject({ accountStatus: "on_hold" });
  expect(await act(reactivateAccount, { userId })).toBe("Account reactivated successfully");
  expect(await student.visitor.access()).toMatchObject({ hasAccess: true, accountStatus: "active" });
  expect(await act(suspendAccount, { userId })).toBe("invalid-input");
  expect(await act(suspendAccount, { userId, reason: "Shared the password" })).toBe("Account suspended");
  expect(await student.visitor.access()).toMatchObject({ hasAccess: false, suspensionReason: "Shared the password" });
  expect(await act(reactivateAccount, { userId })).toBe("Account reactivated successfully");
  expect((await historyOf(userId)).map(({ action }) => action)).toEqual([
    ...["reactivate account", "suspend account", "reactivate account", "hold account"],
  ]);
});

test("only what renews can be put on hold, and only under its own owner", async () => {
  const premium = await studentWith("premium");
  const basic = await studentWith("basic");
  const mixed = { userId: premium.userId, subscriptionId: basic.subscriptionId };
  expect(await act(holdAccount, mixed)).toBe("not-found");
  expect(await act(cancelSubscription, mixed)).toBe("not-found");
  expect(await basic.visitor.access()).toMatchObject({ hasAccess: true });
});

test("signing out everywhere ends every session of the person, and nobody else's [A06]", async () => {
  const { visitor, userId } = await studentWith(null);
  expect(await act(endUserSessions, { userId })).toBe("Signed out everywhere");
  expect((await visitor.send("GET", "/api/auth/user")).status).toBe(401);
  expect((await admin.send("GET", "/api/auth/user")).status).toBe(200);
  expect(await historyOf(userId)).toMatchObject([{ before: { sessions: 1 }, after: { sessions: 0 } }]);
});

test("a deleted user is gone from lists and numbers, and the purchase stays without a name [Z17]", async () => {
  const student = await studentWith("basic");
  const { userId } = student;
  const before = (await admin.call(getStats)).body;
  expect(await act(deleteUserAccount, { userId, reason: "asked for it" })).toBe("User account deleted successfully");
  const after = (await admin.call(getStats)).body;
  expect(after.totalUsers).toBe(before.totalUsers - 1);
  expect(after.activeSubscriptions).toBe(before.activeSubscriptions - 1);
  expect(after.totalRevenue).toBe(before.totalRevenue);
  expect((await admin.call(listUsers, { query: { search: student.visitor.email } })).body).toEqual([]);
  expect((await admin.call(getUserDetail, { params: { userId } })).status).toBe(404);
  expect((await student.visitor.send("GET", "/api/auth/user")).status).toBe(401);
  const [purchase] = (await admin.call(listAllPurchases, { query: { userId } })).body;
  expect(purchase).toMatchObject({ userName: "Deleted account", userEmail: "", subscriptionStatus: "cancelled" });
  for (const endpoint of [deleteUserAccount, reactivateAccount, cancelUserSubscription, endUserSessions]) {
    expect(await act(endpoint, { userId })).toBe("not-found");
  }
  expect(await act(updateUserTier, { userId, newTier: "vip" })).toBe("not-found");
  const history = await historyOf(userId);
  expect(history).toMatchObject([{ action: "delete account", subjectName: "Deleted account", reason: "asked for it" }]);
  expect(JSON.stringify(history)).not.toContain(student.visitor.email);
});

test("nobody deletes, suspends or holds themselves [Z16]", async () => {
  const userId = await admin.id();
  expect(await act(deleteUserAccount, { userId })).toBe("conflict");
  expect(await act(suspendAccount, { userId, reason: "x" })).toBe("conflict");
  expect(await act(holdAccount, { userId, subscriptionId: "any" })).toBe("conflict");
  expect((await admin.call(getUserDetail, { params: { userId } })).body.user.may).toMatchObject({ delete: false });
});

test("a suspended member loses the role at the next request, and of two owners who suspend each other one stays [A07]", async () => {
  const [one, other] = [await inRole(academy, "owner"), await inRole(academy, "owner")];
  const [oneId, otherId] = [await one.id(), await other.id()];
  const suspend = (by: Visitor, userId: string) => by.call(suspendAccount, { body: { userId, reason: "a quarrel" } });
  expect((await suspend(one, otherId)).status).toBe(200);
  expect((await other.call(getCurrentUser)).body).toMatchObject({ isAdmin: false, role: null });
  expect((await other.call(getStats)).status).toBe(403);
  expect(await act(reactivateAccount, { userId: otherId })).toBe("Account reactivated successfully");
  expect((await other.call(getStats)).status).toBe(200);

  const answers = await Promise.all([suspend(one, otherId), suspend(other, oneId)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
});

test("accounts of ADMIN_EMAILS are neither held, suspended, deleted nor signed out by others [Z16 Z23]", async () => {
  const root = await academy.visitor().signInAsDemo("vip@academy.test");
  const userId = await root.id();
  const owner = await inRole(academy, "owner");
  for (const by of [owner, admin]) {
    const [row] = (await by.call(listUsers, { query: { search: "vip@academy.test" } })).body;
    expect(row).toMatchObject({
      role: "owner",
      may: { hold: null, suspend: false, delete: false, endSessions: false },
    });
    for (const endpoint of [deleteUserAccount, endUserSessions, suspendAccount]) {
      const { status, body } = await by.call(endpoint as Endpoint, { body: { userId, reason: "a quarrel" } });
      expect([status, (body as { code: string }).code], endpoint.path).toEqual([403, "not-allowed"]);
    }
  }
  expect((await root.call(getStats)).status).toBe(200);
});

test("support and administrators do nothing to the accounts of those above them [Z21]", async () => {
  const roles = ["support", "administrator", "owner"] as const;
  const team = await Promise.all(roles.map(async (role) => ({ role, visitor: await inRole(academy, role) })));
  const ids = new Map(await Promise.all(team.map(async ({ role, visitor }) => [role, await visitor.id()] as const)));
  const other = await inRole(academy, "support");
  for (const { role, visitor } of team) {
    for (const userId of [...ids.values(), await other.id()].filter((id) => id !== ids.get(role))) {
      const { status } = await visitor.call(suspendAccount, { body: { userId, reason: "a quarrel" } });
      expect(status, `${role} of ${userId}`).toBe(role === "owner" ? 200 : 403);
    }
  }
  // Nobody of the team suspended comes back by a colleague of the same role.
  const administrator = await inRole(academy, "administrator");
  const suspended = { userId: ids.get("administrator") ?? "" };
  expect((await administrator.call(reactivateAccount, { body: suspended })).status).toBe(403);
  expect(await act(reactivateAccount, suspended)).toBe("Account reactivated successfully");
});

test("support reopens only what support has closed [Z21]", async () => {
  const support = await inRole(academy, "support");
  const { userId } = await studentWith("basic");
  const reopen = () => support.call(reactivateAccount, { body: { userId } });
  const mayReopen = async () => (await support.call(getUserDetail, { params: { userId } })).body.user.may.reactivate;
  expect((await support.call(suspendAccount, { body: { userId, reason: "a test" } })).status).toBe(200);
  expect(await mayReopen()).toBe(true);
  expect((await reopen()).status).toBe(200);
  expect(await act(suspendAccount, { userId, reason: "a test" })).toBe("Account suspended");
  expect(await mayReopen()).toBe(false);
  expect(await reopen()).toMatchObject({ status: 403, body: { code: "not-allowed" } });
});
