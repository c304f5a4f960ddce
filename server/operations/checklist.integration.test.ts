import { expect } from "vitest";
import { getChecklist } from "#contract/admin/checklist.ts";
import { withdrawClaims } from "#contract/admin/claims.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { test } = await academyOfFile();

test("the checklist lists what is done, to do and failing, with links", async ({ academy, administrator }) => {
  const listed = async () => {
    const { status, body } = await administrator.call(getChecklist);
    expect(status).toBe(200);
    return Object.fromEntries(body.checks.map(({ id, ...check }) => [id, check]));
  };
  const before = await listed();
  expect(before.gateway?.state).toBe("done");
  expect(before.captions).toMatchObject({ state: "done", detail: "Every lesson has captions." });
  expect(before["mail-domain"]).toMatchObject({
    state: "nothing-yet",
    detail: expect.stringContaining("academy.test"),
  });
  expect(before.backups).toMatchObject({ state: "todo", detail: expect.stringContaining("BACKUP_EVERY") });
  expect(before.administrators).toMatchObject({ state: "todo", detail: expect.stringContaining("admin@academy.test") });
  expect(before.claims).toMatchObject({ state: "todo", links: [{ to: "/admin/claims" }] });

  await administrator.call(withdrawClaims, { body: {} });
  await academy.pool.query("delete from lesson_cues where lesson_id = 'lesson-1-2'");
  await academy.pool.query("insert into operational_marks (name, value, updated_at) values ('backups', $1, now())", [
    {
      madeAt: "2020-01-01T00:00:00.000Z",
      name: "academy-2020-01-01T00-00-00Z.tar",
      size: 1,
      verifiedAt: null,
      verifiedName: null,
    },
  ]);
  const after = await listed();
  expect(after.claims).toMatchObject({ state: "done" });
  expect(after.captions).toMatchObject({
    state: "todo",
    detail: expect.stringContaining("Opening Your Seller Account"),
  });
  expect(after.backups).toMatchObject({ state: "problem", detail: expect.stringContaining("January 1, 2020") });
});

test("a failing check is a problem and does not affect the others", async ({ academy, administrator }) => {
  await academy.pool.query("alter table webhooks rename to gone");
  const { checks } = (await administrator.call(getChecklist)).body;
  const stateOf = Object.fromEntries(checks.map(({ id, state }) => [id, state]));
  const others = { gateway: "done", renewals: "done", books: "done" };
  expect(stateOf).toMatchObject({ webhooks: "problem", ...others });
});
