import { expect } from "vitest";
import { searchAdministration } from "#contract/admin/search.ts";
import { updateProfile } from "#contract/profile.ts";
import { test } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";

test("a search finds people, their purchases and lessons, by words, receipt and transaction", async ({
  academy,
  administrator,
}) => {
  const { student, purchaseId, transactionId } = await academy.purchase("basic");
  const search = async (q: string) => (await administrator.call(searchAdministration, { query: { q } })).body;
  const body = { firstName: "Quillon", lastName: "Wholesale", phone: "", location: "", bio: "" };
  await student.call(updateProfile, { body });
  const userId = await student.id();
  expect(await search("wholesale quill")).toMatchObject({
    people: [{ id: userId, email: student.email, firstName: "Quillon" }],
    purchases: [{ id: purchaseId, userName: "Quillon Wholesale", amount: "49.00" }],
    lessons: [],
  });
  expect(await search(transactionId)).toMatchObject({ people: [], purchases: [{ id: purchaseId }] });
  const { people, lessons } = await search("account");
  expect(lessons[0]).toMatchObject({ id: expect.stringMatching(/^lesson-/), moduleTitle: expect.any(String) });
  expect(people.length).toBeLessThanOrEqual(5);
  expect(await search("nobody-at-all")).toEqual({ people: [], purchases: [], lessons: [] });
  expect((await administrator.call(searchAdministration, { query: { q: "" } })).status).toBe(400);
});

test("support finds what its lists show, and a student nothing [Z46]", async ({ academy, administrator, student }) => {
  const support = await inRole(academy, "support");
  const query = { q: student.email };
  const { status, body } = await support.call(searchAdministration, { query });
  expect([status, body]).toEqual([200, (await administrator.call(searchAdministration, { query })).body]);
  expect(body.people).toMatchObject([{ email: student.email }]);
  expect((await student.call(searchAdministration, { query })).status).toBe(403);
});
