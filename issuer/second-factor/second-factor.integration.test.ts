import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { forFile } from "#test/fixtures.ts";
import { callback, demo, expectPage, type IssuerUnderTest, openIssuer } from "#test/issuer-under-test.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const account = "/issuer/account";
const page = `${account}/second-factor`;

const issuer = await forFile(openIssuer());

type Browser = Awaited<ReturnType<IssuerUnderTest["atSignIn"]>>["browser"];

/** The current code of an authenticator app. */
function appWith(key: string): () => string {
  const totp = new TOTP({ secret: Secret.fromBase32(key) });
  return () => totp.generate({ timestamp: issuer.clock.now().getTime() });
}

const codesIn = (html: string) => [...html.matchAll(/<li>([0-9a-z-]{19})<\/li>/g)].map(([, code = ""]) => code);

async function turnOn(browser: Browser, password: string) {
  const shown = await browser.submit(`${page}/begin`, { password });
  const key = (/<p class="key">([A-Z2-7 ]+)</.exec(shown.html)?.[1] ?? "").replaceAll(" ", "");
  const showCode = appWith(key);
  const on = await browser.submit(`${page}/confirm`, { code: showCode() });
  expectPage(on, 200, "recovery codes");
  issuer.advance(30 * SECOND);
  return { key, showCode, recoveryCodes: codesIn(on.html) };
}

/** A new account whose address is confirmed. */
async function confirmed() {
  const signedUp = await issuer.signUp();
  const confirm = "update issuer.accounts set email_verified_at = created_at where email = $1";
  await issuer.pool.query(confirm, [signedUp.person.email]);
  return signedUp;
}

/** The same with a second factor. */
async function withSecondFactor() {
  const { browser, person } = await confirmed();
  return { browser, person, ...(await turnOn(browser, person.password)) };
}

/** A browser that has sent the right password and is asked for the code. */
async function atCode(person: { email: string; password: string }) {
  const at = await issuer.signIn({ email: person.email, password: person.password });
  return { ...at, action: at.screen.url.pathname };
}

/** Returns the new password. */
async function resetPassword(email: string): Promise<string> {
  const password = "nine quiet lamps";
  await issuer.browser().submit("/issuer/reset-password/ask", { email });
  const token = await issuer.tokenTo(email, "Choose a new password");
  await issuer.browser().submit("/issuer/reset-password", { token, password });
  return password;
}

const methodsIn = ({ idToken }: { idToken: string }): unknown =>
  JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString()).amr;

test("a second factor is turned on with the password and a first code, and gives ten recovery codes", async () => {
  const { browser, person } = await confirmed();
  expectPage(await browser.open(page), 200, "need only your password to sign in");
  expectPage(await browser.open(account), 200, "Set up second factor");
  expectPage(await browser.submit(`${page}/begin`, { password: "not it" }), 422, "right. Please try again");
  const shown = await browser.submit(`${page}/begin`, { password: person.password });
  expectPage(shown, 200, 'class="qr"');
  const key = (/<p class="key">([A-Z2-7 ]+)</.exec(shown.html)?.[1] ?? "").replaceAll(" ", "");
  const wrong = await browser.submit(`${page}/confirm`, { code: "abcdef" });
  expectPage(wrong, 422, "right, or it has already been used");
  expect(wrong.html).not.toContain(shown.html.match(/<p class="key">([^<]+)/)?.[1] ?? "");
  const on = await browser.submit(`${page}/confirm`, { code: appWith(key)() });
  const codes = codesIn(on.html);
  expect(new Set(codes).size).toBe(10);
  expectPage(await browser.open(page), 200, "10 recovery codes are left");
  const overview = await browser.open(account);
  expectPage(overview, 200, "need your password and a code to sign in");
  expect(overview.html).not.toContain("Set up second factor");
  expect(await issuer.subjectsTo(person.email)).toContain("Your second factor is on");

  const { rows } = await issuer.pool.query(
    "select to_jsonb(f) from issuer.second_factors f union all select to_jsonb(c) from issuer.recovery_codes c",
  );
  const kept = JSON.stringify(rows);
  expect(kept).toContain("code_hash");
  for (const secret of [key, ...codes]) expect(kept).not.toContain(secret);
});

test("an unconfirmed account has no second factor, and the first proof of its address removes one [A25]", async () => {
  const { browser, person } = await issuer.signUp();
  expectPage(await browser.open(page), 200, "Confirm your email address first.");
  expectPage(await browser.submit(`${page}/begin`, { password: person.password }), 200, "Confirm your email address");

  const squatted = await withSecondFactor();
  const { email } = squatted.person;
  // As a previous release let a stranger make it.
  await issuer.pool.query("update issuer.accounts set email_verified_at = null where email = $1", [email]);
  expect((await atCode({ email, password: await resetPassword(email) })).screen.url.href).toContain(callback);
});

test("only who is signed in and knows the password gets to see a key", async () => {
  expectPage(await issuer.browser().open(page), 200, "Sign in again to change");
  for (const step of ["begin", "confirm", "off"]) {
    expectPage(await issuer.browser().submit(`${page}/${step}`, { password: "x", code: "123456" }), 401, "Sign in");
  }
  const { browser, person, key } = await withSecondFactor();
  const again = await browser.submit(`${page}/begin`, { password: person.password });
  expectPage(again, 200, "need your password and a code to sign in");
  expect(again.html).not.toContain('class="qr"');
  const { rows } = await issuer.pool.query("select count(*)::int as n from issuer.second_factors where secret = $1", [
    key,
  ]);
  expect(rows).toEqual([{ n: 0 }]);
});

test("signing in takes the password and then a code, and the ID token says so", async () => {
  const { person, showCode } = await withSecondFactor();
  const { browser, pending, screen, action } = await atCode(person);
  expectPage(screen, 200, "Enter your code");
  expectPage(await browser.submit(action, { code: "000000" }), 422, "right, or it has already been used");
  const arrived = await browser.submit(action, { code: showCode() });
  expect(methodsIn(await issuer.openId.finish(arrived.url, pending))).toEqual(["pwd", "otp", "mfa"]);
});

test("the next sign-in by the browser that turned it on or off says so, and off ends all others [A28]", async () => {
  const { browser, person, showCode } = await withSecondFactor();
  const nextMethods = async () => {
    const { screen, pending } = await issuer.atSignIn(browser);
    const finished = await issuer.openId.finish(screen.url, pending);
    return { sid: finished.sid, methods: methodsIn(finished) };
  };
  const { sid, methods } = await nextMethods();
  expect(methods).toEqual(["pwd", "otp", "mfa"]);
  const elsewhere = await atCode(person);
  await elsewhere.browser.submit(elsewhere.action, { code: showCode() });
  issuer.advance(30 * SECOND);
  const { password } = person;
  expectPage(
    await browser.submit(`${page}/off`, { password, code: showCode() }),
    200,
    "need only your password to sign in",
  );
  // The browser that turned it off keeps its session here, and not the one with the client.
  expect(sid).not.toBeNull();
  expect(issuer.logouts.at(-1)).toMatchObject({ keptSid: null });
  expectPage(await elsewhere.browser.open(page), 200, "Sign in again to change");
  expect((await nextMethods()).methods).toEqual(["pwd"]);
});

test("without the code nobody comes further, by whatever address", async () => {
  const { person } = await withSecondFactor();
  const { browser, action, pending } = await atCode(person);
  expectPage((await issuer.atSignIn(browser)).screen, 200, "Sign in");
  expect((await browser.submit(action, { code: "" })).url.href).not.toContain(callback);
  const resume = action.replace(/\/interaction\/([^/]+)\/code$/, "/auth/$1");
  expect((await browser.open(resume)).url.searchParams.get("code")).toBeNull();
  expect(pending.state).not.toBe("");
  // Without the password first, the code page leads back to the password page.
  const fresh = await issuer.atSignIn();
  expectPage(await fresh.browser.open(`${fresh.action}/code`), 200, "Password");
});

test("a code works once, and codes of long ago or of tomorrow do not", async () => {
  const { person, key, showCode } = await withSecondFactor();
  const code = showCode();
  const first = await atCode(person);
  expect((await first.browser.submit(first.action, { code })).url.href).toContain(callback);
  const second = await atCode(person);
  expectPage(await second.browser.submit(second.action, { code }), 422, "already been used");
  const totp = new TOTP({ secret: Secret.fromBase32(key) });
  for (const minutes of [-2, 2]) {
    const other = totp.generate({ timestamp: issuer.clock.now().getTime() + minutes * MINUTE });
    expectPage(await second.browser.submit(second.action, { code: other }), 422, "right, or it has already been used");
  }
  issuer.advance(30 * SECOND);
  const both = await Promise.all(
    [await atCode(person), await atCode(person)].map(({ browser, action }) =>
      browser.submit(action, { code: showCode() }),
    ),
  );
  expect(both.filter(({ url }) => url.href.startsWith(callback))).toHaveLength(1);
});

test("a recovery code signs in once, in any spelling, and the person is told", async () => {
  const { person, recoveryCodes } = await withSecondFactor();
  const [code = ""] = recoveryCodes;
  const first = await atCode(person);
  const typed = code.toUpperCase().replaceAll("-", " ");
  expect((await first.browser.submit(first.action, { code: typed })).url.href).toContain(callback);
  const second = await atCode(person);
  expectPage(await second.browser.submit(second.action, { code }), 422, "right, or it has already been used");
  expect(await issuer.subjectsTo(person.email)).toContain("A recovery code was used");
  expectPage(await first.browser.open(page), 200, "9 recovery codes are left");
});

test("the eleventh wrong code has to wait, and so does the right one", async () => {
  const { person, showCode } = await withSecondFactor();
  const { browser, action } = await atCode(person);
  for (let time = 0; time < 10; time++) expect((await browser.submit(action, { code: "000000" })).status).toBe(422);
  expectPage(await browser.submit(action, { code: showCode() }), 429, "Too many attempts");
  issuer.advance(15 * MINUTE);
  const later = await atCode(person);
  expect((await later.browser.submit(later.action, { code: showCode() })).url.href).toContain(callback);
});

test("an account has fifty wrong codes a day", async () => {
  const { person, showCode } = await withSecondFactor();
  for (let part = 0; part < 5; part++) {
    const { browser, action } = await atCode(person);
    await issuer.repeat(10, () => browser.submit(action, { code: "000000" }));
    issuer.advance(15 * MINUTE);
  }
  const { browser, action } = await atCode(person);
  expectPage(await browser.submit(action, { code: showCode() }), 429, "Too many attempts");
});

test("thirty wrong codes of one client have to wait, whatever the account", async () => {
  const client = { "x-forwarded-for": "10.66.9.1" };
  const one = await atCode((await withSecondFactor()).person);
  const { person, showCode } = await withSecondFactor();
  const other = await atCode(person);
  await issuer.repeat(29, () => one.browser.submit(one.action, { code: "000000" }, client));
  expect((await other.browser.submit(other.action, { code: "000000" }, client)).status).toBe(422);
  expectPage(await other.browser.submit(other.action, { code: showCode() }, client), 429, "Too many attempts");
});

test("a password reset leaves the second factor as it is", async () => {
  const { person, showCode } = await withSecondFactor();
  const password = await resetPassword(person.email);
  const { browser, action, screen } = await atCode({ ...person, password });
  expectPage(screen, 200, "Enter your code");
  expect((await browser.submit(action, { code: showCode() })).url.href).toContain(callback);
});

test("turning the second factor off and changing the address take the password and a code, and mail the person", async () => {
  const { browser, person, showCode, recoveryCodes } = await withSecondFactor();
  const { password } = person;
  const change = { email: `new-${person.email}`, password };
  expectPage(
    await browser.submit(`${account}/email`, { ...change, code: "000000" }),
    422,
    "right, or it has already been used",
  );
  expectPage(
    await browser.submit(`${account}/email`, { ...change, code: recoveryCodes[0] ?? "" }),
    200,
    "Check your email",
  );
  const code = showCode();
  expectPage(await browser.submit(`${page}/off`, { password: "not it", code }), 422, "right. Please try again");
  expectPage(await browser.submit(`${page}/off`, { password }), 422, "right, or it has already been used");
  expectPage(await browser.submit(`${page}/off`, { password, code }), 200, "need only your password to sign in");
  expect((await atCode(person)).screen.url.href).toContain(callback);
  expect(await issuer.subjectsTo(person.email)).toContain("Your second factor is off");
});

test("turning it on ends every other sign-in, so that none without a code turns it off [A27]", async () => {
  const { browser, person } = await confirmed();
  const elsewhere = await issuer.signIn({ email: person.email, password: person.password });
  const { person: known, sid } = await issuer.openId.finish(elsewhere.screen.url, elsewhere.pending);
  await turnOn(browser, person.password);
  expectPage(
    await elsewhere.browser.submit(`${page}/off`, { password: person.password }),
    401,
    "Sign in again to change",
  );
  expect(issuer.logouts.at(-1)).toMatchObject({ identity: { subject: known.subject } });
  expect(issuer.logouts.at(-1)).not.toMatchObject({ keptSid: sid });
  expectPage(await browser.open(page), 200, "need your password and a code to sign in");
  expect((await issuer.atSignIn(browser)).screen.url.href).toContain(callback);
});

test("a demo account stays one press, until it has a second factor", async () => {
  const first = await issuer.signIn({ demo: demo.subject });
  expect(first.screen.url.href).toContain(callback);
  await turnOn(first.browser, demo.password);
  expectPage((await issuer.signIn({ demo: demo.subject })).screen, 200, "Enter your code");
});
