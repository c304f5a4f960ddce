import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import { getTeam, requireSecondFactor } from "#contract/admin/team.ts";
import { getCoachDesk } from "#contract/coaching/coach.ts";
import { openCalendar } from "#contract/coaching/coaching.ts";
import { getCurrentUser, loginUrl } from "#contract/identity/identity.ts";
import { listResources } from "#contract/resources.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { actionOf, type Visitor } from "#test/visitor.ts";

const secrets = { SESSION_SECRET: "one secret that both nodes of this test share" };
const { academy, test } = await academyOfFile(secrets);
const password = "academy-demo";
const owner = "admin@academy.test";
const page = "/issuer/account/second-factor";

const signIn = (email: string) => academy.visitor().signInAtIssuer(email, password);
const change = (by: Visitor, isRequired: boolean) => by.call(requireSecondFactor, { body: { isRequired } });
const notLet = { status: 403, body: { code: "second-factor-required" } };

/** @returns what the app shows next */
async function turnOn(visitor: Visitor): Promise<() => Promise<string>> {
  const { html } = await visitor.navigate(`${page}/begin`, { password });
  const key = (/<p class="key">([A-Z2-7 ]+)</.exec(html)?.[1] ?? "").replaceAll(" ", "");
  const totp = new TOTP({ secret: Secret.fromBase32(key) });
  const showCode = async () => totp.generate({ timestamp: await academy.now() });
  expect((await visitor.navigate(`${page}/confirm`, { code: await showCode() })).html).toContain("recovery codes");
  return async () => {
    await academy.advance("1m");
    return showCode();
  };
}

/** From the list, of the last sign-in. */
async function factorOf(email: string, by: Visitor) {
  return (await by.call(getTeam)).body.members.find((member) => member.email === email)?.secondFactor;
}

test("an owner who has signed in with a second factor requires one, and it ends nobody's way in [A28]", async () => {
  await using other = await openAcademyInProcess({ ...secrets, PUBLIC_URL: academy.url }, academy.database);
  const admin = await signIn(owner);
  expect(await change(admin, true)).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await admin.call(getTeam)).body).toMatchObject({
    needsSecondFactor: false,
    mayRequireSecondFactor: "sign-in-with-one",
  });
  expect(await factorOf(owner, admin)).toBe("off");
  expect(await factorOf("helpdesk@academy.test", admin)).toBe("unknown");

  const support = await signIn("helpdesk@academy.test");
  expect(await factorOf("helpdesk@academy.test", admin)).toBe("off");
  const showCode = await turnOn(admin);
  // The session from before has shown no code.
  expect((await change(admin, true)).status).toBe(409);
  await admin.navigate(loginUrl("/admin/team"));
  expect(await factorOf(owner, admin)).toBe("on");
  expect((await change(admin, true)).body).toMatchObject({ needsSecondFactor: true });
  expect((await admin.call(listAudit, { query: { subject: "team" } })).body.rows).toMatchObject([
    { action: "require second factor", before: { isRequired: false }, after: { isRequired: true } },
  ]);

  // Now, on every node.
  expect(await support.call(getTeam)).toMatchObject({ status: 403, body: { code: "second-factor-required" } });
  const headers = { host: new URL(academy.url).host, cookie: support.cookieHeader };
  expect((await other.inject({ url: "/api/admin/users", headers })).json()).toMatchObject(notLet.body);
  expect((await support.call(getCurrentUser)).body).toMatchObject({ role: "support", needsSecondFactor: true });
  expect(await support.access()).toMatchObject({ hasAccess: false, tier: null });

  const again = await signInWithCode(owner, showCode);
  expect((await again.call(getTeam)).status).toBe(200);
  expect((await change(again, false)).body).toMatchObject({ needsSecondFactor: false });
  expect((await support.call(getCurrentUser)).body.needsSecondFactor).toBe(false);
  expect((await support.send("GET", "/api/admin/users")).status).toBe(200);
});

async function signInWithCode(email: string, showCode: () => Promise<string>): Promise<Visitor> {
  const visitor = academy.visitor();
  const asked = await visitor.typePassword(password, { email });
  await visitor.navigate(actionOf(asked.html), { code: await showCode() });
  return visitor;
}

async function whileRequired(work: () => Promise<void>): Promise<void> {
  await academy.pool.query("insert into operational_marks values ('team-second-factor', 'true', now())");
  try {
    await work();
  } finally {
    await academy.pool.query("delete from operational_marks where name = 'team-second-factor'");
  }
}

test("what a role opens outside the administration needs the second factor too [A28]", async ({ administrator }) => {
  const policyOf = async () =>
    (await administrator.send("GET", "/admin/content?preview=vimeo:76979871")).headers.get("content-security-policy");
  const [resource] = (await administrator.call(listResources)).body;
  const download = () => administrator.send("GET", `/api/download/${resource?.id}`);
  expect((await download()).status).toBe(200);
  expect(await policyOf()).toContain("vimeo");
  await whileRequired(async () => {
    expect((await download()).status).toBe(403);
    expect(await policyOf()).not.toContain("vimeo");
  });
});

test("a coach without a required second factor sees and subscribes to no sessions of students [A28]", async () => {
  const coach = await signIn("coach@academy.test");
  const { url } = (await coach.call(openCalendar, { body: {} })).body;
  const calendar = async () => (await academy.visitor().send("GET", new URL(url).pathname)).text();
  expect(await calendar()).toContain("Coaching with Hana");
  await whileRequired(async () => {
    expect(await coach.call(getCoachDesk)).toMatchObject(notLet);
    expect(await coach.call(openCalendar, { body: {} })).toMatchObject(notLet);
    expect(await calendar()).not.toContain("Coaching with");
    const showCode = await turnOn(coach);
    const again = await signInWithCode("coach@academy.test", showCode);
    expect((await again.call(getCoachDesk)).status).toBe(200);
  });
});
