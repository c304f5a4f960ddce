import { expect } from "vitest";
import { invite, listInvitations, revokeInvitation } from "#contract/admin/invitations.ts";
import { acceptInvitation, getInvitation } from "#contract/invitations.ts";
import { deleteUser } from "#contract/profile.ts";
import { listPayments } from "#contract/purchases/receipts.ts";
import { getOwnSubscription } from "#contract/purchases/subscriptions.ts";
import type { Tier } from "#contract/tiers.ts";
import { confirmAddress } from "#test/coaching.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const accept = (who: Visitor) => who.call(acceptInvitation, { body: {} });
const mailTo = (email: string, subject: RegExp) => academy.mailTo({ email }, subject);
const listed = async (query = {}) => (await admin.call(listInvitations, { query })).body.rows;

test("an invitation opens its plan to the account with the invited address, once it is confirmed, and to nobody else [V01]", async () => {
  const email = "Invited@Example.test";
  await admin.call(invite, { body: { email, tier: "premium" } });
  expect(await listed()).toMatchObject([{ email: "invited@example.test", tier: "premium", acceptedAt: null }]);
  expect(await listed({ search: "INVITED@" })).toHaveLength(1);
  expect(await listed({ search: "somebody" })).toEqual([]);
  const mail = await mailTo("invited@example.test", /You're invited/);
  expect(mail.text).toContain(`${academy.url}/invitation`);
  expect(mail.text).toContain("Annual Access");

  const other = await academy.visitor().signInAsDemo("new@academy.test");
  expect((await accept(other)).status).toBe(404);
  const stranger = await academy.visitor().signUpAtIssuer("invited@example.test");
  expect((await stranger.call(getInvitation)).body).toEqual({ invitation: null, isConfirmed: false });
  expect((await accept(stranger)).status).toBe(404);

  // By the link that was mailed to it, and without the sign-in that follows and renews the session.
  const { text } = await mailTo(stranger.email, /onfirm/);
  const page = await stranger.navigate(/http\S+token=\S+/.exec(text)?.[0] ?? "");
  const token = /name="token" value="([^"]+)"/.exec(page.html)?.[1];
  const form = { "content-type": "application/x-www-form-urlencoded" };
  expect((await stranger.send("POST", page.url.pathname, `token=${token}`, form)).status).toBe(303);
  // A session from before the confirmation may belong to somebody who merely typed the address.
  expect((await accept(stranger)).status).not.toBe(200);
  await stranger.signInAtIssuer();
  const { body } = await stranger.call(getInvitation);
  expect(body, JSON.stringify(body)).toMatchObject({ invitation: { tier: "premium" }, isConfirmed: true });
  const both = await Promise.all([accept(stranger), accept(stranger)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  expect(await stranger.access()).toMatchObject({ hasAccess: true, tier: "premium" });
  expect((await listed())[0]?.acceptedAt).not.toBeNull();
  expect((await admin.call(invite, { body: { email, tier: "vip" } })).status).toBe(409);
});

test("who signed up with an invited address takes the invitation along when they leave only if they confirmed it [V01]", async () => {
  const email = "awaited@example.test";
  await admin.call(invite, { body: { email, tier: "basic" } });
  const isInvited = async () => (await listed()).some((one) => one.email === email);
  const stranger = await academy.visitor().signUp(email);
  expect((await stranger.call(deleteUser)).status).toBe(200);
  expect(await isInvited()).toBe(true);

  const owner = await inRole(academy, null, email);
  expect((await owner.call(deleteUser)).status).toBe(200);
  expect(await isInvited()).toBe(false);
});

test("an invitation to a plan ends with the rights of who made it [V01]", async () => {
  const author = await inRole(academy, "administrator");
  const email = "promised@example.test";
  expect((await author.call(invite, { body: { email, tier: "vip" } })).status).toBe(200);
  const student = await inRole(academy, null, email);
  await academy.pool.query("update users set role = 'support' where email = $1", [author.email]);
  expect(await accept(student)).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await student.access()).hasAccess).toBe(false);
  await academy.pool.query("update users set role = 'administrator' where email = $1", [author.email]);
  expect((await accept(student)).status).toBe(200);
});

test("an invitation is taken back, replaced and expires; only so many are sent in a day [V01 V02]", async () => {
  const email = "late@example.test";
  const invitedTo = async (tier: Tier | null) => {
    await admin.call(invite, { body: { email, tier } });
    const ofEmail = (await listed()).filter((one) => one.email === email);
    expect(ofEmail).toMatchObject([{ tier }]);
    return ofEmail[0]?.id ?? "";
  };
  const gone = await invitedTo(null);
  const id = await invitedTo("vip");
  expect((await admin.call(revokeInvitation, { params: { id: gone }, body: {} })).status).toBe(404);
  expect((await admin.call(revokeInvitation, { params: { id }, body: {} })).status).toBe(200);

  await academy.pool.query("update limits set uses = 98 where key = 'invitations'");
  const statuses: number[] = [];
  for (const name of ["first", "second", "third"]) {
    statuses.push((await admin.call(invite, { body: { email: `${name}@example.test`, tier: null } })).status);
  }
  expect(statuses).toEqual([200, 200, 429]);
  const query = { limit: String(((await admin.call(listInvitations)).body.total ?? 0) - 1) };
  const { rows, total } = (await admin.call(listInvitations, { query })).body;
  const rest = (await admin.call(listInvitations, { query: { ...query, after: rows.at(-1)?.id ?? "" } })).body;
  expect(rest).toMatchObject({ total: null });
  expect(new Set([...rows, ...rest.rows].map(({ id }) => id)).size).toBe(total);
  await academy.advance("31d", admin);
  expect(await listed()).toEqual([]);
});

test("an accepted invitation ends a subscription whose renewal is still retried, so that nothing more is charged", async () => {
  const student = await academy.buyer("basic");
  await academy.nextChargesOf(student, "decline");
  // Refused so late, the renewal leaves no access, and its retries are ahead.
  await academy.advance("46d", admin, student);
  expect((await student.call(getOwnSubscription)).body).toMatchObject({
    access: { tier: null },
    subscription: { state: "declined" },
  });
  expect((await admin.call(invite, { body: { email: student.email, tier: "vip" } })).status).toBe(200);
  await confirmAddress(academy, student);
  await student.signInAgain();
  expect((await accept(student)).status).toBe(200);
  await academy.advance("4d", student);
  expect(await student.access()).toMatchObject({ hasAccess: true, tier: "vip" });
  expect((await student.call(listPayments)).body.map(({ kind }) => kind)).toEqual(["initial"]);
});
