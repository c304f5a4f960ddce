import { expect, test } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { suspendAccount } from "#contract/admin/users.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { draft, publish } from "#test/drafts.ts";

test("the audit log is searched by the names of who did it and what it was done to, and by their ids", async () => {
  await using academy = await openAcademyInProcess({ ADMIN_EMAILS: "admin@academy.test,vip@academy.test" });
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const other = await academy.visitor().signInAsDemo("vip@academy.test");
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const { id: userId, firstName } = (await basic.call(getCurrentUser)).body;
  await draft(admin, "modules", "module-1", { title: "100% Wool_Sorting" });
  await publish(admin);
  await other.call(suspendAccount, { body: { userId, reason: "Asked for it" } });

  const actionsFound = async (query: Record<string, string>) => {
    const { rows, total } = (await admin.call(listAudit, { query })).body;
    expect(rows).toHaveLength(total ?? -1);
    return rows.map(({ action, subjectName }) => `${action}: ${subjectName}`);
  };
  const suspended = [expect.stringMatching(new RegExp(`^suspend account: ${firstName}`))];
  const drafted = ["publish module: 100% Wool_Sorting", "draft module: 100% Wool_Sorting"];
  expect(await actionsFound({ subject: `${firstName}`.toUpperCase() })).toEqual(suspended);
  expect(await actionsFound({ subject: "basic@academy" })).toEqual(suspended);
  expect(await actionsFound({ subject: userId })).toEqual(suspended);
  expect(await actionsFound({ actor: "vip@academy" })).toEqual(suspended);
  expect(await actionsFound({ subject: "wool_sorting 100%" })).toEqual(drafted);
  expect(await actionsFound({ subject: "module-1" })).toEqual(drafted);
  expect(await actionsFound({ subject: "woolXsorting" })).toEqual([]);
  expect(await actionsFound({ actor: "vip@academy", subject: "wool" })).toEqual([]);
});
