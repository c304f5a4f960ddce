import { expect, test } from "vitest";
import { forFile } from "#test/fixtures.ts";
import {
  callback,
  expectPage,
  type IssuerUnderTest,
  openIssuer,
  randomAddress,
  reserved,
  stranger,
  tokenOf,
} from "#test/issuer-under-test.ts";
import { until } from "#test/until.ts";

const issuer = await forFile(openIssuer());

/** Resets the password by the mailed link, in a new browser. */
async function reset(email: string, password: string) {
  const browser = issuer.browser();
  await browser.submit("/issuer/reset-password/ask", { email });
  const token = await issuer.tokenTo(email, "Choose a new password");
  expectPage(await browser.submit("/issuer/reset-password", { token, password }), 200, "Password saved");
  return browser;
}

const isRemembered = async (browser: ReturnType<IssuerUnderTest["browser"]>) =>
  (await issuer.atSignIn(browser)).screen.url.href.startsWith(callback);

test("a reset ends what was signed in, a code that was not used and a sign-in that was not finished [A25]", async () => {
  const { browser, pending, screen, person } = await issuer.signUp();
  const { subject } = (await issuer.openId.finish(screen.url, pending)).person;
  const unused = await issuer.openId.start("/");
  const withCode = await browser.open(unused.url);
  const typed = { email: person.email, password: person.password };
  const held = await issuer.atSignIn();
  const resume = await held.browser.submitAndHold(held.action, typed);
  expect(resume).toContain("/issuer/auth/");

  await reset(person.email, "nine quiet lamps");
  expect(await isRemembered(browser)).toBe(false);
  await expect(issuer.openId.finish(withCode.url, unused.pending)).rejects.toThrow("invalid_grant");
  expectPage(await held.browser.open(resume), 400, "Sign-in expired");
  expect(await isRemembered(held.browser)).toBe(false);
  expect(issuer.logouts.at(-1)).toMatchObject({ identity: { subject }, keptSid: null });
});

test("an end of sign-ins is later than every sign-in before it and earlier than every one after it", async () => {
  const { pending, screen, person } = await issuer.signUp();
  const { authenticatedAt: before } = await issuer.openId.finish(screen.url, pending);
  const browser = await reset(person.email, "nine quiet lamps");
  const logout = issuer.logouts.at(-1);
  const endedAt = logout && "endedAt" in logout ? logout.endedAt : new Date(Number.NaN);
  const again = await issuer.atSignIn(browser);
  const arrived = await browser.submit(again.action, { email: person.email, password: "nine quiet lamps" });
  const { authenticatedAt: after } = await issuer.openId.finish(arrived.url, again.pending);
  expect(before.getTime()).toBeLessThanOrEqual(endedAt.getTime());
  expect(after.getTime()).toBeGreaterThan(endedAt.getTime());
});

test("a client that does not hear of an end at first is told again", async () => {
  const { person } = await issuer.signUp();
  const before = issuer.logouts.length;
  issuer.failLogouts(1);
  await reset(person.email, "nine quiet lamps");
  await until(async () => issuer.logouts.length > before || undefined);
  await until(async () => (await issuer.pool.query("select from issuer.logouts")).rowCount === 0);
});

test("an address is confirmed by the browser that signed up or with the password, and by nothing else [A25]", async () => {
  const { person } = await issuer.signUp();
  const token = await issuer.tokenTo(person.email, "Confirm your email address");
  const elsewhere = issuer.browser();
  expectPage(await elsewhere.open(`/issuer/confirm-address?token=${token}`), 200, "Password");
  const confirm = (fields: Record<string, string>) => elsewhere.submit("/issuer/confirm-address", { token, ...fields });
  expectPage(await confirm({}), 422, "Enter your account");
  expectPage(await confirm({ password: "not the password" }), 422, "right. Please try again");
  expectPage(await confirm({ password: person.password }), 200, "Email address confirmed");
});

test("the first confirmation ends every sign-in but that of the browser that confirmed [A25]", async () => {
  const { browser, pending, screen, person } = await issuer.signUp();
  const { sid } = await issuer.openId.finish(screen.url, pending);
  const other = await issuer.signIn({ email: person.email, password: person.password });
  const token = await issuer.tokenTo(person.email, "Confirm your email address");
  expectPage(await browser.submit("/issuer/confirm-address", { token }), 200, "Email address confirmed");
  expect(await isRemembered(other.browser)).toBe(false);
  expect(await isRemembered(browser)).toBe(true);
  expect(sid).toBeTruthy();
  expect(issuer.logouts.at(-1)).toMatchObject({ keptSid: sid });
});

test("an owner who did not sign up gets a password that the stranger does not know [A25]", async () => {
  const { browser: strangers, person } = await issuer.signUp();
  const token = await issuer.tokenTo(person.email, "Confirm your email address");
  const owner = issuer.browser();
  expectPage(
    await owner.open(`/issuer/confirm-address?token=${token}`),
    200,
    "create this account? Choose a new password",
  );
  const choose = await owner.submit("/issuer/confirm-address/new-password", { token });
  expectPage(choose, 200, "New password");
  const fields = { token: tokenOf(choose.url.href), password: "nine quiet lamps" };
  expectPage(await owner.submit("/issuer/reset-password", fields), 200, "Password saved");
  expect(await isRemembered(strangers)).toBe(false);
  const again = await issuer.signIn({ email: person.email, password: person.password });
  expectPage(again.screen, 422, "right. Please try again");
});

test("a reserved address opens nothing before it is confirmed, however often its password is typed [A25]", async () => {
  const { browser, screen, person } = await issuer.signUp({ ...stranger(), email: reserved.toUpperCase() });
  expectPage(screen, 403, "Confirm your email address before you sign in");
  expect(await isRemembered(browser)).toBe(false);
  const typed = { email: person.email, password: person.password };
  const again = await issuer.signIn(typed);
  expectPage(again.screen, 403, "Confirm your email address before");
  expect(await isRemembered(again.browser)).toBe(false);

  const token = await issuer.tokenTo(person.email, "Confirm your email address");
  expectPage(await browser.submit("/issuer/confirm-address", { token }), 200, "Email address confirmed");
  const confirmed = await issuer.signIn(typed);
  expect((await issuer.openId.finish(confirmed.screen.url, confirmed.pending)).person.emailVerified).toBe(true);
});

test("a changed password goes on where it was changed and ends every other sign-in [A25]", async () => {
  const { browser, pending, screen, person } = await issuer.signUp();
  const { sid } = await issuer.openId.finish(screen.url, pending);
  const typed = { email: person.email, password: person.password };
  const other = await issuer.signIn(typed);
  expectPage(await issuer.browser().open("/issuer/account"), 200, "Sign in again to change");
  expectPage(await browser.open("/issuer/account"), 200, person.email);
  const change = (password: string, newPassword: string) =>
    browser.submit("/issuer/account/password", { password, newPassword });
  expectPage(await change("not the password", "nine quiet lamps"), 422, "right. Please try again");
  expectPage(await change(person.password, "password1234"), 422, "too common");
  expectPage(await change(person.password, "nine quiet lamps"), 200, "still signed in here");

  expect(await isRemembered(browser)).toBe(true);
  expect(await isRemembered(other.browser)).toBe(false);
  expect(issuer.logouts.at(-1)).toMatchObject({ keptSid: sid });
  expectPage(await other.browser.submit((await issuer.atSignIn()).action, typed), 400, "Sign-in expired");
  expectPage((await issuer.signIn(typed)).screen, 422, "right. Please try again");
  expect(await issuer.subjectsTo(person.email)).toContain("Your password was changed");
});

test("an address changes when the new one is confirmed with the password or where it was asked, and the old one is told", async () => {
  const { browser, pending, screen, person } = await issuer.signUp();
  const { subject } = (await issuer.openId.finish(screen.url, pending)).person;
  const { email } = stranger();
  const change = (to: string, password = person.password) =>
    browser.submit("/issuer/account/email", { email: to, password });
  expectPage(await change("nobody@"), 422, "Enter an address like");
  expectPage(await change(email, "not the password"), 422, "right. Please try again");
  const taken = await issuer.signUp();
  expectPage(await change(taken.person.email), 422, "Another account already uses this email address.");
  expectPage(await change(email), 200, "keeps the old one");

  const token = await issuer.tokenTo(email, "Confirm your new email address");
  // The owner of a mistyped address gets the link, but has neither the browser nor the password.
  const mistaken = issuer.browser();
  expectPage(await mistaken.open(`/issuer/change-address?token=${token}`), 200, "Password");
  expectPage(await mistaken.submit("/issuer/change-address", { token }), 422, "Enter your account");
  expectPage(await mistaken.submit("/issuer/confirm-address/new-password", { token }), 410, "no longer works");
  expectPage(await browser.submit("/issuer/change-address", { token }), 200, "Email address confirmed");
  expect(await issuer.subjectsTo(person.email)).toContain("Your email address was changed");

  const again = await issuer.atSignIn(browser);
  const { person: changed } = await issuer.openId.finish(again.screen.url, again.pending);
  expect(changed).toMatchObject({ subject, email, emailVerified: true });
  const oldLink = await issuer.tokenTo(person.email, "Confirm your email address");
  expectPage(await browser.submit("/issuer/confirm-address", { token: oldLink }), 410, "no longer works");
});

test("a new address that somebody else took meanwhile stays theirs", async () => {
  const { browser, person } = await issuer.signUp();
  const newcomer = stranger();
  await browser.submit("/issuer/account/email", { email: newcomer.email, password: person.password });
  const token = await issuer.tokenTo(newcomer.email, "Confirm your new email address");
  await issuer.signUp(newcomer);
  expectPage(
    await browser.submit("/issuer/change-address", { token }),
    409,
    "Another account now uses this email address",
  );
});

test("a mailed link makes at most sixty more in an hour", async () => {
  const { person } = await issuer.signUp();
  const token = await issuer.tokenTo(person.email, "Confirm your email address");
  const address = { "x-forwarded-for": randomAddress() };
  const press = () => issuer.browser().submit("/issuer/confirm-address/new-password", { token }, address);
  await issuer.repeat(57, press);
  const screens = await Promise.all(Array.from({ length: 4 }, press));
  expect(screens.filter(({ status }) => status === 200)).toHaveLength(3);
  expectPage(await press(), 429, "Too many attempts");
});
