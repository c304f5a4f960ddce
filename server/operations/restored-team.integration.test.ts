import { join } from "node:path";
import { expect, test } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { getChecklist } from "#contract/admin/checklist.ts";
import { changeRole, confirmTeam, getTeam, inviteToTeam, revokeTeamInvitation } from "#contract/admin/team.ts";
import { acceptInvitation } from "#contract/invitations.ts";
import { readConfig } from "#server/context/config.ts";
import { addressOf } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { databaseOfTest } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { environmentOf, findingOn } from "#test/operate.ts";
import { folderOfTest } from "#test/temporary-folder.ts";
import type { Visitor } from "#test/visitor.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";

const env = { SESSION_SECRET: "a secret that outlives the academy of this test" };
const reason = "as agreed";

test("a restore brings dismissed people and revoked invitations back, says so, and an owner of ADMIN_EMAILS confirms the team [V05]", async () => {
  const folder = folderOfTest();
  const file = join(folder, "academy.tar");
  const invited = "invited@example.test";
  let dismissed = "";
  {
    await using lost = await openAcademyInProcess(env);
    const admin = await lost.visitor().signInAsDemo("admin@academy.test");
    const person = await inRole(lost, "owner");
    dismissed = person.email;
    const sent = await admin.call(inviteToTeam, { body: { email: invited, role: "administrator", reason } });
    await backUp(readConfig(environmentOf(lost)), file, "1.2.3");
    const params = { userId: await person.id() };
    expect((await admin.call(changeRole, { params, body: { from: "owner", to: null, reason } })).status).toBe(200);
    const id = sent.body.invitations[0]?.id ?? "";
    expect((await admin.call(revokeTeamInvitation, { params: { id }, body: {} })).status).toBe(200);
    expect((await admin.call(getTeam)).body).toMatchObject({ restoredAt: null, mayConfirm: true });
  }
  const { database } = await databaseOfTest();
  const where = { DATA_DIR: join(folder, "restored"), DATABASE_URL: addressOf(database) };
  const { team } = await restore(readConfig(where), file);
  expect(team.people).toContainEqual({ email: dismissed, isConfirmed: true, isSuspended: false, role: "owner" });
  expect(team.invited).toEqual([{ email: invited, role: "administrator" }]);

  await using restored = await openAcademyInProcess({ ...env, ...where }, database);
  const admin = await restored.visitor().signInAsDemo("admin@academy.test");
  const back = await signInAs(restored.visitor(), dismissed);
  const teamCheck = async () => (await admin.call(getChecklist)).body.checks.find(({ id }) => id === "team");
  expect(await teamCheck()).toMatchObject({ state: "problem", links: [{ to: "/admin/team" }] });
  const doctorOnTeam = () => findingOn("Team", { ...where, PORT: new URL(restored.url).port });
  expect(await doctorOnTeam()).toMatchObject({
    problem: true,
    detail: expect.stringMatching(/have their roles again: .* at \/admin\/team .* an owner of ADMIN_EMAILS confirms/),
  });
  const { restoredAt } = (await admin.call(getTeam)).body;
  expect((await back.call(getTeam)).body).toMatchObject({ restoredAt, mayConfirm: false });
  const guest = await inRole(restored, null, invited);
  expect((await guest.call(acceptInvitation, { body: {} })).status).toBe(409);

  const body = { restoredAt };
  expect((await back.call(confirmTeam, { body })).status).toBe(403);
  expect((await admin.call(confirmTeam, { body: { restoredAt: "2026-01-01T00:00:00.000Z" } })).status).toBe(409);
  expect((await admin.call(confirmTeam, { body })).body).toMatchObject({ restoredAt: null });
  expect((await admin.call(confirmTeam, { body })).status).toBe(409);
  expect(await teamCheck()).toMatchObject({ state: "done" });
  expect(await doctorOnTeam()).toMatchObject({ problem: false });
  expect((await admin.call(listAudit, { query: { subject: "team" } })).body.rows).toMatchObject([
    { action: "confirm restored team", after: body },
  ]);
  expect((await guest.call(acceptInvitation, { body: {} })).status).toBe(200);
});

/** With the account that somebody signed up for in the lost academy. */
function signInAs(visitor: Visitor, email: string): Promise<Visitor> {
  return Object.assign(visitor, { email }).signInAgain();
}
