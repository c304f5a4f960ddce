import { afterEach, expect, test } from "vitest";
import { getTeam, requireSecondFactor } from "#contract/admin/team.ts";
import { listUsers } from "#contract/admin/users.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { exportList } from "#test/export-list.ts";
import { forFile } from "#test/fixtures.ts";
import {
  clientId,
  foreign,
  honesty,
  lies,
  openHostileProvider,
  seconds,
  signed,
  unsigned,
} from "#test/stand-ins/hostile-provider.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const boss = "back-office@example.test";

const provider = await forFile(openHostileProvider());
const academy = await forFile(
  openAcademyInProcess({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: "a secret",
    ADMIN_EMAILS: `${boss},careful@example.test`,
  }),
);
afterEach(() => {
  Object.assign(provider, honesty);
  provider.paths.clear();
});

/** Somebody goes to sign in, and the provider says this of them. */
async function arrive(claims: Record<string, unknown>, visitor: Visitor = academy.visitor()) {
  provider.person = { email_verified: true, ...claims };
  return { visitor, landed: await visitor.navigate("/api/login") };
}

const whoIs = async (visitor: Visitor) => (await visitor.call(getCurrentUser)).body;
const isSignedIn = async (visitor: Visitor) => (await visitor.call(getCurrentUser)).status === 200;

/** Who is known by what, and signed in where: what a sign-in writes. */
async function kept() {
  const { rows } = await academy.pool.query(`
    select (select json_agg(concat_ws(' ', id, email, email_verified) order by id) from users) as users,
      (select json_agg(identities order by issuer, subject) from identities) as identities,
      (select json_agg(sid order by sid) from sessions) as sessions`);
  return rows[0];
}

test("only the provider's auth_time makes a sign-in fresh [A27]", async () => {
  const person = { sub: "careful", email: "careful@example.test" };
  const { visitor } = await arrive(person);
  const copyPeople = () => exportList(visitor, "users");
  const ago = (seconds: number) => (claims: Record<string, unknown>) => ({
    ...claims,
    auth_time: Number(claims.iat) - seconds,
  });
  expect((await copyPeople()).status).toBe(403);
  for (const silence of [honesty.claims, ago(16 * 60)]) {
    provider.claims = silence;
    await visitor.navigate("/api/login?again=true&returnTo=/admin");
    expect((await visitor.call(listUsers)).status).toBe(200);
    expect((await copyPeople()).status).toBe(403);
  }
  expect(await (await copyPeople()).json()).toMatchObject({ code: "sign-in-again" });
  provider.claims = ago(5);
  await visitor.navigate("/api/login?again=true&returnTo=/admin");
  expect((await copyPeople()).status).toBe(200);
});

test("a second factor can be required only where the provider tells who used one [A28]", async () => {
  const person = { sub: "careful", email: "careful@example.test" };
  const { visitor } = await arrive(person);
  const saying = (amr: readonly string[] | undefined) => (claims: Record<string, unknown>) => ({
    ...claims,
    auth_time: claims.iat,
    ...(amr && { amr }),
  });
  const signInSaying = async (amr: readonly string[] | undefined) => {
    provider.claims = saying(amr);
    await visitor.navigate("/api/login?again=true&returnTo=/admin");
  };
  const team = async () => {
    const { mayRequireSecondFactor, members } = (await visitor.call(getTeam)).body;
    return [mayRequireSecondFactor, members.find(({ isSelf }) => isSelf)?.secondFactor];
  };
  const require = async () => (await visitor.call(requireSecondFactor, { body: { isRequired: true } })).status;
  await signInSaying(undefined);
  expect(await team()).toEqual(["provider-decides", "provider"]);
  expect(await require()).toBe(409);
  await signInSaying(["pwd", "mfa"]);
  expect(await team()).toEqual(["yes", "on"]);
  // A provider that has told before and is silent now: there was none.
  await signInSaying(undefined);
  expect(await team()).toEqual(["sign-in-with-one", "off"]);
  expect(await require()).toBe(409);
  await signInSaying(["pwd", "mfa"]);
  expect(await require()).toBe(200);
  await signInSaying(undefined);
  expect((await visitor.call(getTeam)).body.code).toBe("second-factor-required");
  await academy.pool.query("delete from operational_marks where name = 'team-second-factor'");
});

async function expectRefused({ visitor, landed }: Awaited<ReturnType<typeof arrive>>, status: number, words: string) {
  expect([landed.status, landed.url.pathname]).toEqual([status, "/api/auth/callback"]);
  expect(landed.html).toContain("Sign-in did not work");
  expect(landed.html).toContain(words);
  expect(landed.html).toContain('href="/api/login">Try again</a>');
  expect([...visitor.cookies.keys()]).toEqual([]);
  expect(await isSignedIn(visitor)).toBe(false);
}

test("a forged ID token fails the sign-in and stores nothing [A10]", async () => {
  const { visitor: student } = await arrive({ sub: "student", email: "student@example.test" });
  const before = await kept();
  // `relying-party.test.ts` has all of them.
  Object.assign(provider, lies[0]?.[1]);
  await expectRefused(await arrive({ sub: "liar", email: "liar@example.test" }), 400, "Please sign in again.");
  expect(await kept()).toEqual(before);
  expect(await isSignedIn(student)).toBe(true);
});

test("a code works once, in the browser for which it was issued [A09]", async () => {
  provider.person = { sub: "owner", email: "owner@example.test", email_verified: true };
  const atCallback = async (visitor: Visitor) => {
    const { headers } = await visitor.send(
      "GET",
      (await visitor.send("GET", "/api/login")).headers.get("location") ?? "",
    );
    return new URL(headers.get("location") ?? "").searchParams;
  };
  const [owner, thief] = [academy.visitor(), academy.visitor()];
  const [own, stolen] = [await atCallback(thief), await atCallback(owner)];
  const finish = (visitor: Visitor, state: URLSearchParams, code: URLSearchParams) =>
    visitor.send("GET", `/api/auth/callback?state=${state.get("state")}&code=${code.get("code")}`);
  expect((await finish(thief, own, stolen)).status).toBe(400);
  expect(await isSignedIn(thief)).toBe(false);
  // Anybody who tried has used the code up.
  expect((await finish(owner, stolen, stolen)).status).toBe(400);
  const again = await atCallback(owner);
  expect((await finish(owner, again, again)).status).toBe(303);
  expect(await isSignedIn(owner)).toBe(true);
});

test("while the provider fails or hangs sign-ins say so and sessions keep working [A12]", async () => {
  const { visitor: student } = await arrive({ sub: "student", email: "student@example.test" });
  const other = { sub: "other", email: "other@example.test" };
  const words = "reach our sign-in service right now.";
  // `relying-party.test.ts` has all failures.
  provider.paths.set("/token", (request) => void request.socket.destroy());
  await expectRefused(await arrive(other), 503, words);

  const hanging = [];
  for (const path of ["/token", "/userinfo"]) {
    const asked = Promise.withResolvers<void>();
    provider.paths.set(path, () => asked.resolve());
    hanging.push(arrive(other));
    await asked.promise;
    provider.paths.delete(path);
  }
  expect(await isSignedIn(student)).toBe(true);
  for (const one of hanging) await expectRefused(await one, 503, words);

  const { visitor, landed } = await arrive(other);
  expect(landed.url.pathname).toBe("/dashboard");
  expect(await isSignedIn(visitor)).toBe(true);
  await until(async () => academy.log.some((line) => line.includes("the OpenID provider does not answer")));
});

test("only a verified address that equals the named one makes an administrator [A16]", async () => {
  const sub = "boss";
  for (const email_verified of ["true", 1, false, null]) {
    const { visitor } = await arrive({ sub, email: boss, email_verified });
    expect((await whoIs(visitor)).isAdmin, String(email_verified)).toBe(false);
  }
  for (const email of [boss, "Back-Office@EXAMPLE.test"]) {
    const { visitor } = await arrive({ sub, email });
    expect(await whoIs(visitor), email).toMatchObject({ email: boss, isAdmin: true });
    expect((await visitor.call(listUsers)).status).toBe(200);
  }
});

test("an international address from the provider is stored in the one form", async () => {
  const { visitor } = await arrive({ sub: "zoe", email: "Zoe\u0308@ПРИМЕР.РФ" });
  expect(await whoIs(visitor)).toMatchObject({ email: "zoë@xn--e1afmkfd.xn--p1ai" });
});

test("no claim of the provider gives a role [Z26]", async () => {
  const claims = { role: "owner", roles: ["owner", "admin"], groups: ["administrators"], isAdmin: true };
  const { visitor } = await arrive({ sub: "climber", email: "climber@example.test", ...claims });
  expect(await whoIs(visitor)).toMatchObject({ email: "climber@example.test", role: null, isAdmin: false });
  expect((await visitor.call(listUsers)).status).toBe(403);
});

test.each([
  ["a sign that lower case turns into a k", "bac\u212A-office@example.test"],
  ["a Cyrillic letter", "b\u0430ck-office@example.test"],
  ["a full-width letter", "\uFF42ack-office@example.test"],
  ["a space", `${boss} `],
  ["a space that does not break", `\u00A0${boss}`],
  ["a mark that is not seen", `\u200B${boss}`],
  ["a line break", `${boss}\n`],
  ["a NUL", `${boss}\0`],
  ["quotes", `"${boss}"@evil.test`],
  ["a second address", `${boss},me@evil.test`],
  ["a list", [boss]],
  ["an object", { toString: boss }],
])(
  "%s in a verified address makes nobody an administrator: it is no address that we use [A16]",
  async (_name, email) => {
    const before = await kept();
    await expectRefused(await arrive({ sub: "pretender", email }), 400, "give us an email address");
    expect(await kept()).toEqual(before);
  },
);

test("an address that only looks like an administrator's is another address [A16]", async () => {
  for (const [at, email] of [
    "back-office+admin@example.test",
    "backoffice@example.test",
    "back-office@xn--exmple-cua.test",
    `${boss}.evil.test`,
  ].entries()) {
    const { visitor } = await arrive({ sub: `namesake-${at}`, email });
    expect(await whoIs(visitor), email).toMatchObject({ email, isAdmin: false });
    expect((await visitor.call(listUsers)).status).toBe(403);
  }
});

test("neither a verified address nor another issuer's subject opens an existing account [A17]", async () => {
  const { visitor: student } = await arrive({ sub: "student", email: "student@example.test" });
  const { id } = await whoIs(student);
  const before = await kept();
  for (const email of ["student@example.test", "STUDENT@example.test", "premium@academy.test"]) {
    await expectRefused(await arrive({ sub: "thief", email }), 409, "Sign in the way you did before.");
  }
  expect(await kept()).toEqual(before);

  const { rows } = await academy.pool.query(
    "select issuer, subject, user_id from identities where issuer = 'built-in' limit 1",
  );
  const { visitor: stranger } = await arrive({ sub: rows[0].subject, email: "stranger@example.test" });
  expect(await whoIs(stranger)).toMatchObject({ email: "stranger@example.test", hasPurchasedCourse: false });
  expect((await whoIs(stranger)).id).not.toBe(rows[0].user_id);
  expect((await whoIs(student)).id).toBe(id);
});

test("changing to an address of another account keeps the old address and the account [A18]", async () => {
  const person = { sub: "mover", email: "mover@example.test" };
  const { id } = await whoIs((await arrive(person)).visitor);
  const { visitor } = await arrive({ ...person, email: "premium@academy.test" });
  expect(await whoIs(visitor)).toMatchObject({ id, email: "mover@example.test" });
  const { visitor: moved } = await arrive({ ...person, email: "moved@example.test" });
  expect(await whoIs(moved)).toMatchObject({ id, email: "moved@example.test" });
});

test("a verified sign-in takes the address from a user who never confirmed it, who keeps the account [A25]", async () => {
  const email = "first@example.test";
  const { visitor: unconfirmed } = await arrive({ sub: "early", email, email_verified: false });
  const { id } = await whoIs(unconfirmed);
  const { visitor: owner } = await arrive({ sub: "owner", email });
  const own = await whoIs(owner);
  expect(own).toMatchObject({ email, emailVerified: true });
  expect(own.id).not.toBe(id);
  expect(await whoIs(unconfirmed)).toMatchObject({ id, email: `unconfirmed-${id}@unconfirmed.invalid` });

  // Neither by coming back nor by a second one: the address is its owner's now.
  const { visitor: back } = await arrive({ sub: "early", email, email_verified: false });
  expect(await whoIs(back)).toMatchObject({ id, email: `unconfirmed-${id}@unconfirmed.invalid` });
  await expectRefused(await arrive({ sub: "third", email }), 409, "already an account with this email address");
  expect((await whoIs(owner)).id).toBe(own.id);
  const { visitor: corrected } = await arrive({ sub: "early", email: "early@example.test" });
  expect(await whoIs(corrected)).toMatchObject({ id, email: "early@example.test", emailVerified: true });
});

test("a known person gets a newly verified address from a user who never confirmed it [A18]", async () => {
  const { visitor: holder } = await arrive({ sub: "holder", email: "moving-in@example.test", email_verified: false });
  const { id } = await whoIs(holder);
  await arrive({ sub: "mover", email: "old-one@example.test" });
  const { visitor: mover } = await arrive({ sub: "mover", email: "moving-in@example.test" });
  expect(await whoIs(mover)).toMatchObject({ email: "moving-in@example.test", emailVerified: true });
  expect((await whoIs(holder)).email).toBe(`unconfirmed-${id}@unconfirmed.invalid`);
});

test("an administrator's rights need a sign-in that is younger than the confirmation of the address [A25]", async () => {
  await academy.pool.query("update users set email = 'another-boss@example.test' where email = $1", [boss]);
  const { visitor } = await arrive({ sub: "new-boss", email: boss, email_verified: false });
  expect((await whoIs(visitor)).isAdmin).toBe(false);
  // The provider remembers a sign-in of before the confirmation, whatever it is asked for.
  provider.claims = (honest) => ({ ...honest, auth_time: seconds() - 3600 });
  await arrive({ sub: "new-boss", email: boss }, visitor);
  expect((await whoIs(visitor)).isAdmin).toBe(false);
  expect((await visitor.call(listUsers)).status).toBe(403);
  provider.claims = honesty.claims;
  await arrive({ sub: "new-boss", email: boss }, visitor);
  expect((await whoIs(visitor)).isAdmin).toBe(true);
});

test("a logout token ends the sessions that it names, and a forged one ends none", async () => {
  const send = async (token: string) => {
    const body = new URLSearchParams({ logout_token: token }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return (await academy.visitor().send("POST", "/api/auth/backchannel-logout", body, headers)).status;
  };
  const honest = {
    ...{ iss: provider.issuer, aud: clientId, iat: seconds(), exp: seconds() + 120, jti: "x" },
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
  const tell = (claims: object, key?: typeof foreign.privateKey) => send(signed({ ...honest, ...claims }, key));
  provider.claims = (honest) => ({ ...honest, sid: "one" });
  const { visitor: one } = await arrive({ sub: "many", email: "many@example.test" });
  provider.claims = (honest) => ({ ...honest, sid: "two" });
  const { visitor: two } = await arrive({ sub: "many", email: "many@example.test" });
  for (const lie of [
    { iss: "https://evil.test" },
    { aud: "somebody-else" },
    { exp: seconds() - 600 },
    { nonce: "as in an ID token" },
    { events: {} },
    // An ID token.
    { events: undefined, jti: undefined, nonce: "n" },
  ]) {
    expect(await tell({ sub: "many", ...lie }), JSON.stringify(lie)).toBe(400);
  }
  expect(await tell({ sub: "many" }, foreign.privateKey)).toBe(400);
  expect(await tell({})).toBe(400);
  for (const token of ["", "nonsense", unsigned({ ...honest, sub: "many" })])
    expect(await send(token), token).toBe(400);
  expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([true, true]);
  expect(await tell({ sid: "one" })).toBe(204);
  expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, true]);
  expect(await tell({ sub: "many" })).toBe(204);
  expect(await isSignedIn(two)).toBe(false);
});
