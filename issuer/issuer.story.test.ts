import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Clock } from "#server/clock.ts";
import { openDb, openPool } from "#server/db/db.ts";
import { injectFetch } from "#server/identity/openid/in-process-fetch.ts";
import { openIdClient, type PendingSignIn, SignInFailed } from "#server/identity/openid/openid.ts";
import type { Message } from "#server/mail/mail.ts";
import { cloneDatabase } from "#test/postgres.ts";
import { type Screen, scriptedBrowser } from "#test/stand-ins/scripted-browser.ts";
import { mountIssuer } from "./issuer.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const publicUrl = "http://academy.test:4150";
const callback = `${publicUrl}/api/auth/callback`;
const demo = {
  subject: "demo-basic",
  email: "basic@academy.test",
  firstName: "Marisol",
  lastName: "Vega",
  password: "academy-demo",
  emailVerified: true,
} as const;

let house: Awaited<ReturnType<typeof openHouse>>;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(async () => {
  await house?.close();
});

/** An issuer on a real database, a relying party before it, a mailbox and a clock that moves. */
async function openHouse(origin = publicUrl) {
  const database = await cloneDatabase();
  const pool = openPool(database.connection, () => {});
  let ahead = 0;
  const clock: Clock = { now: () => new Date(Date.now() + ahead), onMove: () => {} };
  const mails: Message[] = [];
  const mail = { send: async (message: Message) => void mails.push(message), close: () => {} };
  const app = Fastify({ trustProxy: true });
  const client = { id: "academy", secret: "a-client-secret-of-some-length-0123456789" };
  await mountIssuer(app, {
    url: `${origin}/issuer`,
    db: openDb(pool),
    mail,
    clock,
    secrets: ["k".repeat(48)],
    client: { ...client, redirectUris: [`${origin}/api/auth/callback`], postLogoutRedirectUris: [`${origin}/`] },
    homeUrl: `${origin}/`,
    stylesheet: null,
    demoAccounts: [demo],
  });
  await app.ready();
  const openId = openIdClient({
    issuer: `${origin}/issuer`,
    clientId: client.id,
    clientSecret: client.secret,
    publicUrl: origin,
    fetch: injectFetch(app),
    sharesClock: true,
    clock,
  });
  return {
    app,
    clock,
    openId,
    mails,
    pool,
    advance: (milliseconds: number) => {
      ahead += milliseconds;
    },
    browser: () => scriptedBrowser(app, origin, `${origin}/api/auth/callback`),
    async close() {
      await app.close();
      await pool.end();
      await database.drop();
    },
  };
}

/** A browser that stands before the sign-in page. */
async function atSignIn(at = house) {
  const browser = at.browser();
  const { url, pending } = await at.openId.start("/dashboard");
  const screen = await browser.open(url);
  return { browser, pending, screen, action: screen.url.pathname };
}

function stranger() {
  const email = `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
  return { email, firstName: "Ada", lastName: "Moreau", password: "seven kettles sing" };
}

/** Creates an account by the page; the browser is signed in at the issuer afterwards. */
async function signUp(person = stranger(), at = house) {
  const { browser, action, pending } = await atSignIn(at);
  const screen = await browser.submit(`${action}/create-account`, person, { "x-forwarded-for": randomAddress() });
  return { browser, pending, screen, person };
}

function randomAddress(): string {
  const part = () => 1 + Math.floor(Math.random() * 250);
  return `10.${part()}.${part()}.${part()}`;
}

function linkTo(email: string, subject: string, at = house): string {
  const mail = at.mails.findLast((message) => message.to === email && message.subject === subject);
  const [link] = /http\S+token=\S+/.exec(mail?.text ?? "") ?? [];
  if (!link) throw new Error(`no mail "${subject}" for ${email}`);
  return link;
}

const tokenOf = (link: string) => new URL(link).searchParams.get("token") ?? "";

function expectPage(screen: Screen, status: number, words: string): void {
  expect(screen.html).toContain(words);
  expect(screen.status).toBe(status);
}

async function expectRefused(url: URL, pending: PendingSignIn, reason: string): Promise<void> {
  const error = await house.openId.finish(url, pending).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(SignInFailed);
  expect(error.reason).toBe(reason);
}

test("a person signs in with email and password and arrives at the callback with their claims", async () => {
  const { browser, action, pending, screen } = await atSignIn();
  expectPage(screen, 200, "Continue as basic@academy.test");
  const arrived = await browser.submit(action, { email: " BASIC@academy.test ", password: demo.password });
  expect(arrived.url.href).toContain(callback);
  const { person } = await house.openId.finish(arrived.url, pending);
  expect(person).toEqual({
    issuer: `${publicUrl}/issuer`,
    subject: "demo-basic",
    email: "basic@academy.test",
    emailVerified: true,
    firstName: "Marisol",
    lastName: "Vega",
  });
});

test("one press signs a demo account in, and a subject that is none does not", async () => {
  const { browser, action, pending } = await atSignIn();
  expectPage(await browser.submit(action, { demo: "somebody-else" }), 422, "not right");
  const arrived = await browser.submit(action, { demo: "demo-basic" });
  expect((await house.openId.finish(arrived.url, pending)).person.subject).toBe("demo-basic");
});

test("the person's email is not in the ID token", async () => {
  const { browser, action, pending } = await atSignIn();
  const { idToken } = await house.openId.finish((await browser.submit(action, { demo: "demo-basic" })).url, pending);
  const claims = Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString();
  expect(claims).toContain("demo-basic");
  expect(JSON.parse(claims)).not.toHaveProperty("email");
});

test("a wrong password and an unknown address get the same answer, and the address stays in the field", async () => {
  const { browser, action } = await atSignIn();
  const wrong = await browser.submit(action, { email: demo.email, password: "academy-dem0" });
  const unknown = await browser.submit(action, { email: "nobody@example.com", password: "academy-demo" });
  for (const screen of [wrong, unknown]) expectPage(screen, 422, "The email or the password is not right.");
  expect(wrong.html.replaceAll(demo.email, "x").replace("Continue as x", "")).toBe(
    unknown.html.replaceAll("nobody@example.com", "x").replaceAll(demo.email, "x").replace("Continue as x", ""),
  );
  expect(wrong.html).toContain(`value="${demo.email}"`);
  expect(wrong.html).not.toContain("academy-dem0");
});

test("whoever is remembered proved who they are when they signed in, by the academy's clock", async () => {
  const own = await openHouse();
  try {
    const { browser, pending, screen } = await signUp(stranger(), own);
    const signedUp = (await own.openId.finish(screen.url, pending)).authenticatedAt;
    expect(own.clock.now().getTime() - signedUp.getTime()).toBeLessThan(MINUTE);
    own.advance(20 * MINUTE);
    const later = await own.openId.start("/");
    const remembered = await own.openId.finish((await browser.open(later.url)).url, later.pending);
    expect(remembered.authenticatedAt).toEqual(signedUp);
  } finally {
    await own.close();
  }
});

test("whoever shall prove again who they are is asked although the issuer remembers them", async () => {
  const { browser, person } = await signUp();
  const { url, pending } = await house.openId.start("/profile", { again: true });
  const screen = await browser.open(url);
  expectPage(screen, 200, "Password");
  const arrived = await browser.submit(screen.url.pathname, { email: person.email, password: person.password });
  const { authenticatedAt } = await house.openId.finish(arrived.url, pending);
  expect(house.clock.now().getTime() - authenticatedAt.getTime()).toBeLessThan(MINUTE);
});

test("the academy has an account deleted: nobody is remembered as it, and its password signs nobody in", async () => {
  const { browser, pending, screen, person } = await signUp();
  const identity = (await house.openId.finish(screen.url, pending)).person;
  const elsewhere = { ...identity, issuer: "https://elsewhere.example" };
  await house.openId.deleteAccount(elsewhere);
  await house.openId.deleteAccount({ ...identity, subject: "nobody" });
  const before = await house.openId.start("/");
  expect((await browser.open(before.url)).url.href).toContain(callback);

  await house.openId.deleteAccount(identity);
  await house.openId.deleteAccount(identity);
  const after = await house.openId.start("/");
  const asked = await browser.open(after.url);
  expectPage(asked, 200, "Password");
  const typed = { email: person.email, password: person.password };
  expectPage(await browser.submit(asked.url.pathname, typed), 422, "not right");
  const { rows } = await house.pool.query(
    "select to_jsonb(t) from issuer.payloads t where account_id = $1 union all select to_jsonb(t) from issuer.links t where subject = $1",
    [identity.subject],
  );
  expect(rows).toEqual([]);
});

test("nobody but the academy has accounts deleted", async () => {
  const { pending, screen } = await signUp();
  const { subject } = (await house.openId.finish(screen.url, pending)).person;
  const url = `/issuer/accounts/${subject}`;
  for (const pair of ["academy:wrong", "other:a-client-secret-of-some-length-0123456789", "academy", ""]) {
    const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    const answer = await house.app.inject({ method: "DELETE", url, headers: { authorization } });
    expect(answer.statusCode, pair).toBe(401);
  }
  expect((await house.app.inject({ method: "DELETE", url })).statusCode).toBe(401);
  const { rows } = await house.pool.query("select 1 from issuer.accounts where subject = $1", [subject]);
  expect(rows).toHaveLength(1);
});

test("what is typed into a form is shown as text", async () => {
  const { browser, action } = await atSignIn();
  const screen = await browser.submit(action, { email: `"><script>alert(1)</script>`, password: "x" });
  expect(screen.html).not.toContain("<script>alert");
  expect(screen.html).toContain("&quot;&gt;&lt;script&gt;");
});

test("a new account is signed in at once, unconfirmed, and confirmed by the button behind the mailed link", async () => {
  const { browser, pending, screen, person } = await signUp();
  expect((await house.openId.finish(screen.url, pending)).person).toMatchObject({
    email: person.email,
    emailVerified: false,
    firstName: "Ada",
    lastName: "Moreau",
  });

  const link = linkTo(person.email, "Confirm your address");
  expect(link).toMatch(`${publicUrl}/issuer/confirm-address?token=`);
  const scanner = house.browser();
  expectPage(await scanner.open(link), 200, "Confirm my address");
  const fields = { token: tokenOf(link) };
  expectPage(await house.browser().submit("/issuer/confirm-address", fields), 200, "Address confirmed");
  expectPage(await house.browser().submit("/issuer/confirm-address", fields), 410, "Link no longer works");

  const again = await house.openId.start("/");
  const arrived = await browser.open(again.url);
  expect((await house.openId.finish(arrived.url, again.pending)).person.emailVerified).toBe(true);
});

test("a confirmation link can be asked for again and ends after seven days", async () => {
  const own = await openHouse();
  try {
    const { person } = await signUp(stranger(), own);
    own.mails.length = 0;
    await own.browser().submit("/issuer/confirm-address/again", { email: person.email });
    const link = linkTo(person.email, "Confirm your address", own);
    own.advance(7 * DAY + MINUTE);
    expectPage(await own.browser().open(link), 410, "Link no longer works");
    own.mails.length = 0;
    await own.browser().submit("/issuer/confirm-address/again", { email: demo.email });
    expect(own.mails).toEqual([]);
  } finally {
    await own.close();
  }
});

test("sign-up names what is wrong with each field, keeps what was typed and never the password", async () => {
  const { browser, action } = await atSignIn();
  const screen = await browser.submit(`${action}/create-account`, {
    firstName: "Ada",
    lastName: " ",
    email: "ada@",
    password: "short-one",
  });
  expectPage(screen, 422, "Enter your last name.");
  expect(screen.html).toContain("Enter an address like name@example.com.");
  expect(screen.html).toContain("Use at least 10 characters.");
  expect(screen.html).toContain('value="Ada"');
  expect(screen.html).not.toContain("short-one");
});

test("an address in other capitals cannot be taken a second time", async () => {
  const { person } = await signUp();
  const { screen } = await signUp({ ...person, email: person.email.toUpperCase() });
  expectPage(screen, 422, "An account with this address exists. Sign in or reset the password.");
});

test("of ten sign-ups at once with one address, one becomes an account and no one sees an error of ours", async () => {
  const person = stranger();
  const screens = await Promise.all(Array.from({ length: 10 }, async () => (await signUp(person)).screen));
  expect(screens.filter((screen) => screen.url.href.startsWith(callback))).toHaveLength(1);
  expect(screens.every((screen) => screen.status < 500)).toBe(true);
});

test("a forgotten password is replaced by the mailed link, which works once and ends the old sessions", async () => {
  const { browser, person } = await signUp();
  const { browser: elsewhere, action, pending } = await atSignIn();
  expectPage(await elsewhere.submit(`${action}/reset-password`, { email: person.email }), 200, "Look into your mail");
  const link = linkTo(person.email, "Choose a new password");
  expectPage(await elsewhere.open(link), 200, "New password");
  const token = tokenOf(link);
  expectPage(
    await elsewhere.submit("/issuer/reset-password", { token, password: "password1234" }),
    422,
    "common passwords",
  );
  expectPage(
    await elsewhere.submit("/issuer/reset-password", { token, password: "nine quiet lamps" }),
    200,
    "Password saved",
  );
  expectPage(
    await elsewhere.submit("/issuer/reset-password", { token, password: "nine loud lamps!" }),
    410,
    "no longer works",
  );
  expect(house.mails.some((mail) => mail.to === person.email && mail.subject === "Your password was changed")).toBe(
    true,
  );

  const old = await house.openId.start("/");
  expectPage(await browser.open(old.url), 200, "Sign in");
  expectPage(await elsewhere.submit(action, { email: person.email, password: person.password }), 422, "not right");
  const arrived = await elsewhere.submit(action, { email: person.email, password: "nine quiet lamps" });
  expect((await house.openId.finish(arrived.url, pending)).person.emailVerified).toBe(true);
});

test("asking for a link for an unknown address sends nothing and answers the same", async () => {
  const ask = (email: string) => house.browser().submit("/issuer/reset-password/ask", { email });
  const before = house.mails.length;
  const unknown = await ask("nobody-at-all@example.com");
  expect(house.mails).toHaveLength(before);
  expect((await ask(demo.email)).html).toBe(unknown.html);
});

test("signing out with the ID token ends the session without a question", async () => {
  const { browser, pending, screen } = await signUp();
  const { idToken } = await house.openId.finish(screen.url, pending);
  const silent = await house.openId.start("/");
  expect((await browser.open(silent.url)).url.href).toContain(callback);

  const arrived = await browser.open((await house.openId.signOutUrl(idToken)) ?? "");
  expect(arrived.url.href).toBe(`${publicUrl}/`);
  const next = await house.openId.start("/");
  expectPage(await browser.open(next.url), 200, "Sign in");
});

test("signing out without an ID token asks first", async () => {
  const { browser } = await signUp();
  const question = await browser.open((await house.openId.signOutUrl(null)) ?? "");
  expectPage(question, 200, "Sign out of the academy in this browser?");
  const [, xsrf = ""] = /name="xsrf" value="([^"]*)"/.exec(question.html) ?? [];
  await browser.submit("/issuer/session/end/confirm", { xsrf, logout: "yes" });
  const next = await house.openId.start("/");
  expectPage(await browser.open(next.url), 200, "Sign in");
});

test("another person's ID token does not sign this browser out unasked", async () => {
  const other = await signUp();
  const { idToken } = await house.openId.finish(other.screen.url, other.pending);
  const { browser } = await signUp();
  expectPage(await browser.open((await house.openId.signOutUrl(idToken)) ?? ""), 200, "Sign out of the academy");
});

test("the callback is refused with a foreign state, a changed nonce, another browser's code, a second time or too late", async () => {
  const one = await atSignIn();
  const two = await atSignIn();
  const first = (await one.browser.submit(one.action, { demo: "demo-basic" })).url;
  const second = (await two.browser.submit(two.action, { demo: "demo-basic" })).url;

  await expectRefused(first, two.pending, "OAUTH_INVALID_RESPONSE");
  const withoutState = new URL(first);
  withoutState.searchParams.delete("state");
  await expectRefused(withoutState, one.pending, "OAUTH_INVALID_RESPONSE");

  const swapped = new URL(first);
  swapped.searchParams.set("code", second.searchParams.get("code") ?? "");
  await expectRefused(swapped, one.pending, "invalid_grant");

  const late = { ...one.pending, startedAt: new Date(Date.now() - 11 * MINUTE).toISOString() };
  await expectRefused(first, late, "pending-expired");

  await house.openId.finish(first, one.pending);
  await expectRefused(first, one.pending, "invalid_grant");
});

test("an ID token for another nonce is refused", async () => {
  const { browser, action, pending } = await atSignIn();
  const arrived = await browser.submit(action, { demo: "demo-basic" });
  await expectRefused(arrived.url, { ...pending, nonce: "another" }, "OAUTH_JWT_CLAIM_COMPARISON_FAILED");
});

test("an error in the callback is a refusal", async () => {
  const { pending } = await atSignIn();
  const url = new URL(
    `${callback}?error=access_denied&state=${pending.state}&iss=${encodeURIComponent(`${publicUrl}/issuer`)}`,
  );
  await expectRefused(url, pending, "access_denied");
});

test("a request without PKCE, with plain PKCE or for another redirect address is refused", async () => {
  const { url } = await house.openId.start("/");
  const without = new URL(url);
  without.searchParams.delete("code_challenge");
  without.searchParams.delete("code_challenge_method");
  expect((await house.browser().open(without.href)).url.searchParams.get("error")).toBe("invalid_request");
  const plain = new URL(url);
  plain.searchParams.set("code_challenge_method", "plain");
  expect((await house.browser().open(plain.href)).url.searchParams.get("error")).toBe("invalid_request");
  const elsewhere = new URL(url);
  elsewhere.searchParams.set("redirect_uri", `${callback}/more`);
  expectPage(await house.browser().open(elsewhere.href), 400, "Sign-in failed");
});

test("a Host header or a forwarded one changes no address", async () => {
  const evil = {
    host: "evil.test",
    "x-forwarded-host": "evil.test",
    "x-forwarded-proto": "https",
    forwarded: "host=evil.test",
  };
  const discovery = await house.app.inject({ url: "/issuer/.well-known/openid-configuration", headers: evil });
  expect(discovery.json().issuer).toBe(`${publicUrl}/issuer`);
  expect(discovery.body).not.toContain("evil.test");

  const { browser, action } = await atSignIn();
  const person = stranger();
  const screen = await browser.submit(`${action}/create-account`, person, evil);
  expect(screen.url.host).toBe("academy.test:4150");
  expect(linkTo(person.email, "Confirm your address")).toContain(`${publicUrl}/issuer/`);
});

test("a form from another site, or from a page without an origin, does nothing", async () => {
  const { browser, action } = await atSignIn();
  for (const headers of [{ origin: "https://evil.test" }, { origin: "null" }]) {
    expectPage(await browser.submit(action, { demo: "demo-basic" }, headers), 403, "Not from here");
  }
});

test("a sign-in belongs to the browser that began it", async () => {
  const { action } = await atSignIn();
  const other = await atSignIn();
  expectPage(await other.browser.submit(action, { demo: "demo-basic" }), 400, "Sign-in expired");
  expectPage(await house.browser().open(`${publicUrl}${action}`), 400, "Sign-in expired");
});

test("two sign-ins in two tabs of one browser both work", async () => {
  const { browser, action, pending } = await atSignIn();
  const second = await house.openId.start("/profile");
  const tab = await browser.open(second.url);
  const arrived = await browser.submit(action, { demo: "demo-basic" });
  await house.openId.finish(arrived.url, pending);
  const later = await browser.submit(tab.url.pathname, { demo: "demo-basic" });
  expect((await house.openId.finish(later.url, second.pending)).person.subject).toBe("demo-basic");
});

test("the eleventh wrong password of an account has to wait, and the right one then too, for a quarter of an hour", async () => {
  const own = await openHouse();
  try {
    const { browser, action, pending } = await atSignIn(own);
    const attempt = (password: string) =>
      browser.submit(action, { email: demo.email, password }, { "x-forwarded-for": randomAddress() });
    const wrong = await Promise.all(Array.from({ length: 11 }, () => attempt("not the password")));
    expect(wrong.map((screen) => screen.status).sort()).toEqual([...Array(10).fill(422), 429]);
    const refused = await attempt(demo.password);
    expectPage(refused, 429, "Please wait 15 minutes and try again.");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(800);
    own.advance(15 * MINUTE);
    const late = await atSignIn(own);
    const arrived = await late.browser.submit(late.action, { email: demo.email, password: demo.password });
    expect(arrived.url.searchParams.get("code")).toBeTruthy();
    expect(pending.state).not.toBe(late.pending.state);
  } finally {
    await own.close();
  }
});

test("right passwords use no attempts up", async () => {
  const address = { "x-forwarded-for": randomAddress() };
  for (let time = 0; time < 12; time += 1) {
    const { browser, action } = await atSignIn();
    const arrived = await browser.submit(action, { email: demo.email, password: demo.password }, address);
    expect(arrived.url.href).toContain(callback);
  }
});

test("one network address cannot try one password on many accounts, and cannot ask for mails without end", async () => {
  const own = await openHouse();
  try {
    const { browser, action } = await atSignIn(own);
    const address = { "x-forwarded-for": "10.9.8.7" };
    const statuses: number[] = [];
    for (let at = 0; at < 51; at += 1) {
      const screen = await browser.submit(
        action,
        { email: `person-${at}@example.com`, password: "seven kettles" },
        address,
      );
      statuses.push(screen.status);
    }
    expect(statuses).toEqual([...Array(50).fill(422), 429]);
    const asked = [];
    for (let time = 0; time < 5; time += 1)
      asked.push(await browser.submit("/issuer/reset-password/ask", { email: demo.email }));
    expect(asked.map((screen) => screen.status)).toEqual([200, 200, 200, 200, 429]);
    expect(own.mails).toHaveLength(4);
  } finally {
    await own.close();
  }
});

test("sign-in works after the clock was moved by 400 days, and the session of before is over", async () => {
  const own = await openHouse();
  try {
    const { browser } = await signUp(stranger(), own);
    own.advance(400 * DAY);
    const { url, pending } = await own.openId.start("/");
    const screen = await browser.open(url);
    expectPage(screen, 200, "Continue as basic@academy.test");
    const arrived = await browser.submit(screen.url.pathname, { demo: "demo-basic" });
    expect((await own.openId.finish(arrived.url, pending)).person.subject).toBe("demo-basic");
  } finally {
    await own.close();
  }
});

test("a second node uses the same keys and the same demo accounts", async () => {
  const { app, pool } = house;
  const published = await app.inject("/issuer/jwks");
  const other = Fastify();
  await mountIssuer(other, {
    url: `${publicUrl}/issuer`,
    db: openDb(pool),
    mail: { send: async () => {}, close: () => {} },
    clock: { now: () => new Date(), onMove: () => {} },
    secrets: ["k".repeat(48)],
    client: { id: "academy", secret: "s".repeat(40), redirectUris: [callback], postLogoutRedirectUris: [] },
    homeUrl: "/",
    stylesheet: "/assets/pages.css",
    demoAccounts: [demo],
  });
  expect((await other.inject("/issuer/jwks")).json()).toEqual(published.json());
  expect(published.body).not.toContain('"d"');
  await other.close();
});

test("an address of the issuer that does not exist answers with a page and 404", async () => {
  const screen = await house.browser().open(`${publicUrl}/issuer/nothing-here`);
  expectPage(screen, 404, "Page not found");
  expect(screen.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("every page forbids framing, foreign scripts and keeping", async () => {
  const { screen } = await atSignIn();
  const policy = String(screen.headers["content-security-policy"]);
  for (const rule of ["default-src 'none'", "script-src 'self'", "form-action 'self'", "frame-ancestors 'none'"]) {
    expect(policy).toContain(rule);
  }
  expect(screen.headers).toMatchObject({
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
  });
});

test("cookies stay under the issuer's path, out of scripts' reach, and on https are secure", async () => {
  const own = await openHouse("https://academy.example");
  try {
    const { url } = await own.openId.start("/");
    const { pathname, search } = new URL(url);
    const answer = await own.app.inject(`${pathname}${search}`);
    expect(answer.cookies.length).toBeGreaterThan(0);
    for (const cookie of answer.cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "lax" });
      expect(cookie.path).toMatch(/^\/issuer/);
    }
  } finally {
    await own.close();
  }
});
