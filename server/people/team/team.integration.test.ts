import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { addCoach } from "#contract/admin/coaching.ts";
import { invite } from "#contract/admin/invitations.ts";
import { getStats } from "#contract/admin/statistics.ts";
import { changeRole, getTeam, previewRole } from "#contract/admin/team.ts";
import { suspendAccount } from "#contract/admin/users.ts";
import { getCoachDesk } from "#contract/coaching/coach.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { deleteUser } from "#contract/profile.ts";
import type { StaffRole } from "#contract/roles.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import type { Visitor } from "#test/visitor.ts";

const root = "admin@academy.test";
const secrets = { SESSION_SECRET: "one secret that both nodes of this test share" };
const { academy, administrator: admin, test } = await academyOfFile(secrets);

const roleOf = async (visitor: Visitor) => (await visitor.call(getCurrentUser)).body.role;

/** The answer's code, or its status when it went well. */
async function change(by: Visitor, userId: string, from: StaffRole | null, to: StaffRole | null): Promise<unknown> {
  const { status, body } = await by.call(changeRole, { params: { userId }, body: { from, to, reason: "as agreed" } });
  return (body as { code?: string }).code ?? status;
}

test("an owner sees what a role opens, gives it, and the person and the owners are told; it takes a new sign-in [Z24]", async () => {
  const person = await inRole(academy, null);
  const userId = await person.id();
  const { body: preview } = await admin.call(previewRole, {
    query: { email: person.email.toUpperCase(), to: "support" },
  });
  expect(preview).toMatchObject({ userId, from: null, to: "support", loses: [], endsSessions: true });
  expect(preview.gains).toContain("people:read");
  expect(preview.gains).not.toContain("purchases:refund");
  expect(await change(admin, userId, null, "support")).toBe(200);
  expect((await person.call(getCurrentUser)).status).toBe(401);
  await person.signInAgain();
  expect((await person.call(getCurrentUser)).body).toMatchObject({ role: "support", isAdmin: false });

  const { members } = (await admin.call(getTeam)).body;
  expect(members.find((one) => one.userId === userId)).toMatchObject({
    role: "support",
    isRoot: false,
    mayChange: true,
  });
  expect(members[0]).toMatchObject({ email: root, role: "owner", isRoot: true, isSelf: true, mayChange: false });
  expect(members.at(-1)).toMatchObject({ email: "coach@academy.test", role: "coach", coaches: true });
  expect((await admin.call(listAudit, { query: { subject: userId } })).body.rows).toMatchObject([
    { action: "change role", before: { role: null }, after: { role: "support" }, reason: "as agreed" },
  ]);
  expect((await academy.mailTo(person, /^Your role at .*: Support$/)).text).toContain("Sign in");
  expect((await academy.mailTo({ email: root }, /^A team role changed/)).text).toContain(person.email);
});

test("a role that is taken ends with the next request, on every node [Z24]", async () => {
  await using other = await openAcademyInProcess({ ...secrets, PUBLIC_URL: academy.url }, academy.database);
  const person = await inRole(academy, "administrator");
  const userId = await person.id();
  const elsewhere = person.at(other);
  expect((await elsewhere.call(getStats)).status).toBe(200);
  expect(await change(admin, userId, "administrator", null)).toBe(200);
  expect((await elsewhere.call(getStats)).status).toBe(403);
  expect((await person.call(getStats)).status).toBe(403);
  expect(await roleOf(person)).toBeNull();
});

test("only an owner gives roles, and nobody else can raise themselves [Z22]", async () => {
  const student = await inRole(academy, null);
  const people = [student, await inRole(academy, "support"), await inRole(academy, "administrator")];
  for (const person of people) {
    const [own, role] = [await person.id(), await roleOf(person)];
    expect(await change(person, own, role, "owner")).toBe("not-allowed");
    expect(await change(person, await student.id(), null, "administrator")).toBe("not-allowed");
    expect((await person.call(previewRole, { query: { email: root, to: "none" } })).status).toBe(403);
    expect(await roleOf(person)).toBe(role);
  }
});

test("of two owners who take each other's role at the same time one stays [Z25]", async () => {
  const [one, other] = [await inRole(academy, "owner"), await inRole(academy, "owner")];
  const [oneId, otherId] = [await one.id(), await other.id()];
  const answers = await Promise.all([change(one, otherId, "owner", null), change(other, oneId, "owner", "support")]);
  expect(answers.toSorted()).toEqual([200, "not-allowed"]);
  const roles = [await roleOf(one), await roleOf(other)];
  expect(roles.filter((role) => role === "owner")).toHaveLength(1);
});

test("the last owner keeps the role and the account, and an unclaimed address of ADMIN_EMAILS is no other [Z25]", async () => {
  await using alone = await openAcademyInProcess({ ADMIN_EMAILS: "boss@example.test" });
  const owner = await inRole(alone, "owner");
  const userId = await owner.id();
  expect((await owner.call(getTeam)).body).toMatchObject({ unclaimed: ["boss@example.test"], mayGive: true });
  expect(await change(owner, userId, "owner", null)).toBe("last-administrator");
  expect((await owner.call(deleteUser)).body).toMatchObject({ code: "last-administrator" });
  const second = await inRole(alone, "owner");
  expect(await change(owner, userId, "owner", "support")).toBe(200);
  expect((await second.call(getTeam)).status).toBe(200);
});

test("people named by ADMIN_EMAILS stay owners [Z23]", async () => {
  const owner = await inRole(academy, "owner");
  const rootId = await admin.id();
  for (const by of [owner, admin]) {
    expect(await change(by, rootId, "owner", null)).toBe("not-allowed");
    expect(await change(by, rootId, null, "support")).toBe("not-allowed");
  }
  expect((await admin.call(getTeam)).status).toBe(200);
});

test("a role goes to a confirmed, open account that stands as the owner saw it [Z26]", async () => {
  const unconfirmed = await academy.visitor().signUp();
  expect(await change(admin, await unconfirmed.id(), null, "administrator")).toBe("conflict");
  const person = await inRole(academy, "support");
  const userId = await person.id();
  expect(await change(admin, userId, null, "administrator")).toBe("conflict");
  expect(await change(admin, userId, "support", "support")).toBe("conflict");
  await admin.call(suspendAccount, { body: { userId, reason: "a test" } });
  expect(await roleOf(person)).toBeNull();
  expect(await change(admin, userId, "support", "administrator")).toBe("conflict");
  expect(await change(admin, userId, "support", null)).toBe(200);
  expect(await change(admin, "00000000000000000000", null, "support")).toBe("not-found");
  const nobody = await admin.call(previewRole, { query: { email: "nobody@example.test", to: "none" } });
  expect(nobody.status).toBe(404);
});

test("nobody becomes a coach by an address that is not confirmed [Z26]", async () => {
  const coachOf = async ({ email }: Visitor) => {
    const body = { email, displayName: "Sina", timeZone: "Pacific/Apia", reason: "as agreed" };
    return (await admin.call(addCoach, { body })).status;
  };
  const stranger = await academy.visitor().signUp();
  expect(await coachOf(stranger)).toBe(409);
  expect((await stranger.call(getCoachDesk)).status).toBe(403);
  const person = await inRole(academy, null);
  expect(await coachOf(person)).toBe(200);
  expect((await person.call(getCoachDesk)).status).toBe(200);
});

test("an invitation to the address of somebody of the team is refused, and opens no role to anybody [Z26]", async () => {
  const member = await inRole(academy, "support");
  const invited = await admin.call(invite, { body: { email: member.email, tier: null } });
  expect(invited.status).toBe(409);
  const impostor = academy.visitor();
  await expect(impostor.signUpAtIssuer(member.email)).rejects.toThrow();
  expect((await impostor.call(getTeam)).status).toBe(401);
});

test("deleting an account ends its role", async () => {
  const person = await inRole(academy, "administrator");
  expect((await person.call(deleteUser)).status).toBe(200);
  const { members } = (await admin.call(getTeam)).body;
  expect(members.map(({ email }) => email)).not.toContain(person.email);
});
