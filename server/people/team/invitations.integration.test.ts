import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { invite, listInvitations, revokeInvitation } from "#contract/admin/invitations.ts";
import { changeRole, getTeam, inviteToTeam, previewRole, revokeTeamInvitation } from "#contract/admin/team.ts";
import { suspendAccount } from "#contract/admin/users.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { acceptInvitation, getInvitation } from "#contract/invitations.ts";
import type { StaffRole } from "#contract/roles.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import type { Visitor } from "#test/visitor.ts";

const root = "admin@academy.test";
const { academy, administrator: admin, test } = await academyOfFile({ ADMIN_EMAILS: `${root},unclaimed@example.test` });
await leaveOnlyJobs(academy);

const reason = "as agreed";
const accept = async (visitor: Visitor) => (await visitor.call(acceptInvitation, { body: {} })).status;
const roleOf = async (visitor: Visitor) => (await (await visitor.signInAgain()).call(getCurrentUser)).body.role;
const change = (by: Visitor, userId: string, from: StaffRole | null, to: StaffRole | null) =>
  by.call(changeRole, { params: { userId }, body: { from, to, reason } });
const mailTo = (email: string, subject: RegExp) => academy.mailTo({ email }, subject);

const names = { taken: 0 };
function newAddress(): string {
  names.taken += 1;
  return `colleague-${names.taken}@example.test`;
}

/** The status, and the invitation's id when it was sent. */
async function inviteAs(by: Visitor, email: string, role: StaffRole): Promise<{ status: number; id: string }> {
  const { status, body } = await by.call(inviteToTeam, { body: { email, role, reason } });
  const open = status === 200 ? body.invitations : [];
  return { status, id: open.find((one) => one.email === email.toLowerCase())?.id ?? "" };
}

test("an owner invites an address to a role: its account, confirmed, accepts once, signs in anew and has it; all owners are told [V03]", async () => {
  const email = newAddress();
  const { body: preview } = await admin.call(previewRole, { query: { email, to: "administrator" } });
  expect(preview).toMatchObject({ userId: null, from: null, to: "administrator" });
  expect(preview.gains).toContain("purchases:refund");
  const { id } = await inviteAs(admin, email.toUpperCase(), "administrator");
  const mail = await mailTo(email, /^You're invited to the team of/);
  expect(mail.text).toContain("the Administrator role");
  expect(mail.text).toContain(`${academy.url}/invitation`);
  expect((await admin.call(getTeam)).body.invitations).toMatchObject([
    { id, email, role: "administrator", author: "Ruth Okafor", isVoid: false },
  ]);

  const forwarded = await inRole(academy, null);
  expect(await accept(forwarded)).toBe(404);
  const person = await inRole(academy, null, email);
  const other = await Object.assign(academy.visitor(), { email }).signInAgain();
  expect((await person.call(getInvitation)).body.invitation).toMatchObject({ role: "administrator", tier: null });
  const answers = await Promise.all([accept(person), accept(other), accept(person)]);
  expect(answers.filter((status) => status === 200)).toHaveLength(1);
  // What was signed in before has nothing of it.
  expect((await other.call(getTeam)).status).toBe(401);
  expect(await roleOf(person)).toBe("administrator");
  const userId = await person.id();
  expect((await admin.call(listAudit, { query: { subject: userId } })).body.rows).toMatchObject([
    { action: "accept role", actor: userId, before: { role: null }, after: { role: "administrator", invitation: id } },
  ]);
  expect((await admin.call(listAudit, { query: { subject: id } })).body.rows).toMatchObject([
    { action: "invite to team", after: { role: "administrator" }, reason },
  ]);
  expect((await mailTo(root, /^A team role changed/)).text).toContain(email);
  await mailTo(email, /^Your role at .*: Administrator$/);
  expect((await admin.call(getTeam)).body.invitations).toEqual([]);
});

test("administrators neither invite to a role nor see, replace or take back such an invitation among theirs [V03]", async () => {
  const administrator = await inRole(academy, "administrator");
  const email = newAddress();
  expect((await inviteAs(administrator, email, "owner")).status).toBe(403);
  const { id } = await inviteAs(admin, email, "support");
  expect((await administrator.call(listInvitations)).body.rows).toEqual([]);
  expect((await administrator.call(revokeInvitation, { params: { id }, body: {} })).status).toBe(404);
  expect((await administrator.call(revokeTeamInvitation, { params: { id }, body: {} })).status).toBe(403);
  expect((await administrator.call(invite, { body: { email, tier: "vip" } })).status).toBe(409);

  const plain = newAddress();
  expect((await administrator.call(invite, { body: { email: plain, tier: "vip" } })).status).toBe(200);
  expect((await inviteAs(admin, plain, "support")).status).toBe(409);
});

test("nobody is invited who has an account with that address, or whom ADMIN_EMAILS names [V03]", async () => {
  const known = await inRole(academy, null);
  for (const email of [known.email, "unclaimed@example.test", root]) {
    expect((await inviteAs(admin, email, "owner")).status, email).toBe(409);
  }
  expect((await admin.call(previewRole, { query: { email: known.email, to: "support" } })).body.userId).not.toBeNull();
});

test("a role is refused when the inviter may give none by then [V04]", async () => {
  const owner = await inRole(academy, "owner");
  const ownerId = await owner.id();
  const [first, second] = [newAddress(), newAddress()];
  await inviteAs(owner, first, "owner");
  await inviteAs(owner, second, "support");
  const person = await inRole(academy, null, first);
  expect((await change(admin, ownerId, "owner", "administrator")).status).toBe(200);
  expect((await admin.call(getTeam)).body.invitations.filter(({ isVoid }) => isVoid)).toHaveLength(2);
  expect(await accept(person)).toBe(409);
  expect(await roleOf(person)).toBeNull();
  expect((await change(admin, ownerId, "administrator", "owner")).status).toBe(200);
  await admin.call(suspendAccount, { body: { userId: ownerId, reason } });
  expect(await accept(await inRole(academy, null, second))).toBe(409);
});

test("what an owner decides about the person meanwhile counts, and an invitation gives nothing any more [V04]", async () => {
  const email = newAddress();
  await inviteAs(admin, email, "owner");
  const person = await inRole(academy, null, email);
  const userId = await person.id();
  expect((await change(admin, userId, null, "support")).status).toBe(200);
  expect((await change(admin, userId, "support", null)).status).toBe(200);
  await person.signInAgain();
  expect(await accept(person)).toBe(404);
  expect(await roleOf(person)).toBeNull();

  const suspended = newAddress();
  await inviteAs(admin, suspended, "administrator");
  const banned = await inRole(academy, null, suspended);
  await admin.call(suspendAccount, { body: { userId: await banned.id(), reason } });
  expect(await accept(banned)).toBe(403);
});

test("an invitation to a role is replaced, taken back, and ends after a week [V03 V04]", async () => {
  const email = newAddress();
  await inviteAs(admin, email, "owner");
  const { id } = await inviteAs(admin, email, "support");
  const person = await inRole(academy, null, email);
  expect((await person.call(getInvitation)).body.invitation).toMatchObject({ role: "support" });
  expect((await admin.call(revokeTeamInvitation, { params: { id }, body: {} })).status).toBe(200);
  expect(await accept(person)).toBe(404);

  const late = newAddress();
  await inviteAs(admin, late, "support");
  await academy.advance("8d");
  expect(await accept(await inRole(academy, null, late))).toBe(404);
});
