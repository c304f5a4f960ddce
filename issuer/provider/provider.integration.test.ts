import Fastify from "fastify";
import { expect, test } from "vitest";
import { openDb } from "#server/db/db.ts";
import { type PendingSignIn, SignInFailed } from "#server/openid/openid.ts";
import { forFile } from "#test/fixtures.ts";
import { callback, demo, expectPage, openIssuer, publicUrl, stranger } from "#test/issuer-under-test.ts";
import { reader } from "#test/sample-emails.ts";
import { mountIssuer } from "../issuer.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const issuer = await forFile(openIssuer());

async function expectRefused(url: URL, pending: PendingSignIn, reason: string): Promise<void> {
  const error = await issuer.openId.finish(url, pending).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(SignInFailed);
  expect(error.reason).toBe(reason);
}

test("signing out with the ID token ends the session without a question", async () => {
  const { browser, pending, screen } = await issuer.signUp();
  const { idToken } = await issuer.openId.finish(screen.url, pending);
  expect((await issuer.atSignIn(browser)).screen.url.href).toContain(callback);

  const arrived = await browser.open((await issuer.openId.signOutUrl(idToken)) ?? "");
  expect(arrived.url.href).toBe(`${publicUrl}/`);
  expectPage((await issuer.atSignIn(browser)).screen, 200, "Sign in");
});

test("signing out without an ID token asks first", async () => {
  const { browser } = await issuer.signUp();
  const question = await browser.open((await issuer.openId.signOutUrl(null)) ?? "");
  expectPage(question, 200, "Sign out of the academy in this browser?");
  const [, xsrf = ""] = /name="xsrf" value="([^"]*)"/.exec(question.html) ?? [];
  await browser.submit("/issuer/session/end/confirm", { xsrf, logout: "yes" });
  expectPage((await issuer.atSignIn(browser)).screen, 200, "Sign in");
});

test("requests of one client that may leave a record are limited in every spelling, and others go on [A23]", async () => {
  const ask = (path: string, client: string) =>
    issuer.app.inject({ url: `/issuer${path}`, headers: { "x-forwarded-for": client } });
  for (const path of ["/auth/", "/auth/nothing"]) {
    await issuer.repeat(599, () => ask(path, "10.66.7.1"));
    expect((await ask(path, "10.66.7.1")).statusCode).not.toBe(429);
  }
  for (const path of ["/auth", "/auth/", "/AUTH", "/auth/nothing", "/AUTH/x", "/session/end", "/Session/End/"]) {
    expect([path, (await ask(path, "10.66.7.1")).statusCode]).toEqual([path, 429]);
    expect((await ask(path, "10.66.7.2")).statusCode).not.toBe(429);
  }
  for (const path of ["/.well-known/openid-configuration", "/jwks"]) {
    expect((await ask(path, "10.66.7.1")).statusCode).toBe(200);
  }
});

test("a sign-out without a session is stored for minutes, and the sign-in after it for days [A23]", async () => {
  const browser = issuer.browser();
  await browser.open("/issuer/session/end");
  const { rows } = await issuer.pool.query<{ expires_at: Date }>(
    "select expires_at from issuer.payloads where kind = 'Session' and account_id is null",
  );
  expect(rows.length).toBeGreaterThan(0);
  const soon = issuer.clock.now().getTime() + 16 * MINUTE;
  for (const { expires_at } of rows) expect(expires_at.getTime()).toBeLessThan(soon);

  const { action } = await issuer.atSignIn(browser);
  const { email, password } = demo;
  expect((await browser.submit(action, { email, password })).url.href).toContain(callback);
  issuer.advance(DAY);
  expect((await issuer.atSignIn(browser)).screen.url.href).toContain(callback);
  issuer.advance(-DAY);
});

test("another person's ID token does not sign this browser out unasked", async () => {
  const other = await issuer.signUp();
  const { idToken } = await issuer.openId.finish(other.screen.url, other.pending);
  const { browser } = await issuer.signUp();
  expectPage(await browser.open((await issuer.openId.signOutUrl(idToken)) ?? ""), 200, "Sign out of the academy");
});

test("the callback is refused with a foreign state, a changed nonce, another browser's code, a second time or too late", async () => {
  const [one, two] = [await issuer.signIn({ demo: "demo-basic" }), await issuer.signIn({ demo: "demo-basic" })];
  const [first, second] = [one.screen.url, two.screen.url];

  await expectRefused(first, two.pending, "OAUTH_INVALID_RESPONSE");
  const withoutState = new URL(first);
  withoutState.searchParams.delete("state");
  await expectRefused(withoutState, one.pending, "OAUTH_INVALID_RESPONSE");

  const swapped = new URL(first);
  swapped.searchParams.set("code", second.searchParams.get("code") ?? "");
  await expectRefused(swapped, one.pending, "invalid_grant");

  const late = { ...one.pending, startedAt: new Date(Date.now() - 11 * MINUTE).toISOString() };
  await expectRefused(first, late, "pending-expired");

  await issuer.openId.finish(first, one.pending);
  await expectRefused(first, one.pending, "invalid_grant");
});

test("an ID token for another nonce is refused", async () => {
  const { screen, pending } = await issuer.signIn({ demo: "demo-basic" });
  await expectRefused(screen.url, { ...pending, nonce: "another" }, "OAUTH_JWT_CLAIM_COMPARISON_FAILED");
});

test("text with NUL is refused by pages and protocol, and breaks neither [F04]", async () => {
  const { screen } = await issuer.signIn({ email: "a\0@example.test", password: "x" });
  expectPage(screen, 400, "Form not received");
  expect((await issuer.browser().open("/issuer/auth?client_id=%00")).status).toBe(400);
  const body = { grant_type: "authorization_code", code: "\0", client_id: "\0", client_secret: "x" };
  const answer = await issuer.app.inject({
    method: "POST",
    url: "/issuer/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams(body).toString(),
  });
  expect(answer.statusCode).toBe(401);
});

test("a parameter that is repeated without end keeps nobody waiting, at whichever endpoint [F10]", async () => {
  // Takes minutes in quadratic time.
  const repeated = "a=b&".repeat(150_000);
  for (const path of ["/me", "/auth", "/session/end", "/jwks", "/nothing"]) {
    expect([path, (await issuer.app.inject(`/issuer${path}?${repeated}`)).statusCode]).toEqual([path, 400]);
  }
});

test("an error in the callback is a refusal", async () => {
  const { pending } = await issuer.atSignIn();
  const url = new URL(
    `${callback}?error=access_denied&state=${pending.state}&iss=${encodeURIComponent(`${publicUrl}/issuer`)}`,
  );
  await expectRefused(url, pending, "access_denied");
});

test("a request without PKCE, with plain PKCE or for another redirect address is refused", async () => {
  const { url } = await issuer.openId.start("/");
  const without = new URL(url);
  without.searchParams.delete("code_challenge");
  without.searchParams.delete("code_challenge_method");
  expect((await issuer.browser().open(without.href)).url.searchParams.get("error")).toBe("invalid_request");
  const plain = new URL(url);
  plain.searchParams.set("code_challenge_method", "plain");
  expect((await issuer.browser().open(plain.href)).url.searchParams.get("error")).toBe("invalid_request");
  const elsewhere = new URL(url);
  elsewhere.searchParams.set("redirect_uri", `${callback}/more`);
  expectPage(await issuer.browser().open(elsewhere.href), 400, "Sign-in failed");
});

test("a Host header or a forwarded one changes no address", async () => {
  const evil = {
    host: "evil.test",
    "x-forwarded-host": "evil.test",
    "x-forwarded-proto": "https",
    forwarded: "host=evil.test",
  };
  const discovery = await issuer.app.inject({ url: "/issuer/.well-known/openid-configuration", headers: evil });
  expect(discovery.json().issuer).toBe(`${publicUrl}/issuer`);
  expect(discovery.body).not.toContain("evil.test");

  const { browser, action } = await issuer.atSignIn();
  const person = stranger();
  const screen = await browser.submit(`${action}/create-account`, person, evil);
  expect(screen.url.host).toBe("academy.test:4150");
  expect(await issuer.linkTo(person.email, "Confirm your email address")).toContain(`${publicUrl}/issuer/`);
});

test("a second node uses the same keys and the same demo accounts", async () => {
  const { app, pool } = issuer;
  const published = await app.inject("/issuer/jwks");
  const other = Fastify();
  await mountIssuer(other, {
    url: `${publicUrl}/issuer`,
    db: openDb(pool),
    mail: { send: async () => {}, canWriteTo: async () => true, close: async () => {} },
    enqueueMail: async () => {},
    clock: { now: () => new Date(), onMove: () => {} },
    secrets: ["k".repeat(48)],
    onFailedSignIn: () => {},
    client: {
      id: "academy",
      secret: "s".repeat(40),
      redirectUris: [callback],
      postLogoutRedirectUris: [],
      backchannelLogoutUri: `${publicUrl}/logout`,
    },
    send: fetch,
    hasBegun: () => true,
    reservedEmails: [],
    profileUrl: "/profile",
    signInUrl: (path) => path,
    contactUrl: "/contact",
    findAcademy: async () => reader.academy,
    homeUrl: "/",
    stylesheet: "/assets/pages.css",
    demoAccounts: [demo],
  });
  expect((await other.inject("/issuer/jwks")).json()).toEqual(published.json());
  expect(published.body).not.toContain('"d"');
  await other.close();
});

test("cookies are out of scripts' reach, and on https secure and under the issuer's path or bound to the host", async () => {
  await using own = await openIssuer("https://academy.example");
  const { url } = await own.openId.start("/");
  const { pathname, search } = new URL(url);
  const begun = await own.app.inject(`${pathname}${search}`);
  const left = await own.app.inject("/issuer/session/end");
  for (const answer of [begun, left]) {
    expect(answer.cookies.length).toBeGreaterThan(0);
    for (const cookie of answer.cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "lax" });
      expect(cookie.path).toMatch(cookie.name.startsWith("__Host-") ? /^\/$/ : /^\/issuer/);
    }
  }
  expect(left.cookies.map(({ name }) => name)).toContain("__Host-issuer-session");
});
