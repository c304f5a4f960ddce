import { expect, test } from "vitest";
import { forFile } from "#test/fixtures.ts";
import { callback, demo, expectPage, openIssuer, publicUrl, stranger, tokenOf } from "#test/issuer-under-test.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const issuer = await forFile(openIssuer());

test("the academy has an account deleted: nobody is remembered as it, and its password signs nobody in", async () => {
  const { browser, pending, screen, person } = await issuer.signUp();
  const identity = (await issuer.openId.finish(screen.url, pending)).person;
  const elsewhere = { ...identity, issuer: "https://elsewhere.example" };
  await issuer.openId.deleteAccount(elsewhere);
  await issuer.openId.deleteAccount({ ...identity, subject: "nobody" });
  expect((await issuer.atSignIn(browser)).screen.url.href).toContain(callback);

  await issuer.openId.deleteAccount(identity);
  await issuer.openId.deleteAccount(identity);
  const { screen: asked, action } = await issuer.atSignIn(browser);
  expectPage(asked, 200, "Password");
  const typed = { email: person.email, password: person.password };
  expectPage(await browser.submit(action, typed), 422, "right. Please try again");
  const { rows } = await issuer.pool.query(
    "select to_jsonb(t) from issuer.payloads t where account_id = $1 union all select to_jsonb(t) from issuer.links t where subject = $1",
    [identity.subject],
  );
  expect(rows).toEqual([]);
});

test("nobody but the academy has accounts deleted", async () => {
  const { pending, screen } = await issuer.signUp();
  const { subject } = (await issuer.openId.finish(screen.url, pending)).person;
  const url = `/issuer/accounts/${subject}`;
  for (const pair of ["academy:wrong", "other:a-client-secret-of-some-length-0123456789", "academy", ""]) {
    const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    const answer = await issuer.app.inject({ method: "DELETE", url, headers: { authorization } });
    expect(answer.statusCode, pair).toBe(401);
  }
  expect((await issuer.app.inject({ method: "DELETE", url })).statusCode).toBe(401);
  const { rows } = await issuer.pool.query("select 1 from issuer.accounts where subject = $1", [subject]);
  expect(rows).toHaveLength(1);
});

test("a new account is signed in at once, unconfirmed, and confirmed by the button behind the mailed link", async () => {
  const { browser, pending, screen, person } = await issuer.signUp();
  expect((await issuer.openId.finish(screen.url, pending)).person).toMatchObject({
    email: person.email,
    emailVerified: false,
    firstName: "Ada",
    lastName: "Moreau",
  });

  const link = await issuer.linkTo(person.email, "Confirm your email address");
  expect(link).toMatch(`${publicUrl}/issuer/confirm-address?token=`);
  const scanner = issuer.browser();
  expectPage(await scanner.open(link), 200, "Confirm my email address");
  const fields = { token: tokenOf(link) };
  expectPage(await browser.submit("/issuer/confirm-address", fields), 200, "Email address confirmed");
  expectPage(await browser.submit("/issuer/confirm-address", fields), 410, "Link no longer works");

  const again = await issuer.atSignIn(browser);
  expect((await issuer.openId.finish(again.screen.url, again.pending)).person.emailVerified).toBe(true);
});

test("mails to an address that nobody confirmed say nothing that a stranger typed [C07]", async () => {
  const victim = stranger().email;
  const { browser, person } = await issuer.signUp({
    ...stranger(),
    email: victim,
    firstName: "Gifts at prize.example",
  });
  await browser.submit("/issuer/reset-password/ask", { email: victim });
  const other = stranger().email;
  const change = { email: other, password: person.password };
  expectPage(await browser.submit("/issuer/account/email", change), 200, "keeps the old one");
  const token = await issuer.tokenTo(other, "Confirm your new email address");
  expectPage(await browser.submit("/issuer/change-address", { token }), 200, "Email address confirmed");
  const mails = (await issuer.mails()).filter(({ to }) => [victim, other].includes(to));
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    "Choose a new password",
    "Confirm your email address",
    "Confirm your new email address",
    "Your email address was changed",
  ]);
  for (const { text, html } of mails) expect(text + html).not.toContain("prize");
});

test("sign-up names what is wrong with each field, keeps what was typed and never the password", async () => {
  const { browser, action } = await issuer.atSignIn();
  const screen = await browser.submit(`${action}/create-account`, {
    firstName: " ",
    lastName: "Lovelace",
    email: "ada@",
    password: "short-one",
  });
  expectPage(screen, 422, "Enter your first name.");
  expect(screen.html).toContain("Enter an address like name@example.com.");
  expect(screen.html).toContain("Use at least 10 characters.");
  expect(screen.html).toContain('value="Lovelace"');
  expect(screen.html).not.toContain("short-one");
});

test("a person with one name signs up with it", async () => {
  const { pending, screen } = await issuer.signUp({ ...stranger(), firstName: "Sukarno", lastName: "" });
  const { person } = await issuer.openId.finish(screen.url, pending);
  expect(person).toMatchObject({ firstName: "Sukarno", lastName: null });
});

test("a client is told of sixty addresses in a quarter of an hour that they have an account", async () => {
  const { person } = await issuer.signUp();
  const { browser, action } = await issuer.atSignIn();
  const ask = async () =>
    (await browser.submit(`${action}/create-account`, person, { "x-forwarded-for": "10.66.8.1" })).status;
  await issuer.repeat(59, ask);
  expect([await ask(), await ask()]).toEqual([422, 429]);
});

test.each([
  ["ada@example.com", "ADA@Example.com"],
  ["user@xn--e1afmkfd.xn--p1ai", "User@пример.рф"],
  ["m\u00fcller/a=b@example.de", "\u200bMU\u0308LLER/a=b@example.de"],
])(
  "whoever signed up as %s signs in and resets the password as %s, and nobody signs up as it",
  async (email, other) => {
    const { pending, screen, person } = await issuer.signUp({ ...stranger(), email });
    expect((await issuer.openId.finish(screen.url, pending)).person.email).toBe(email);
    const taken = await issuer.signUp({ ...stranger(), email: other });
    expectPage(taken.screen, 422, "already an account with this email address. Sign in, or reset your password.");
    const { browser, action } = await issuer.atSignIn();
    expectPage(await browser.submit(`${action}/reset-password`, { email: other }), 200, "Check your email");
    expect(await issuer.linkTo(email, "Choose a new password")).toContain("token=");
    const arrived = await browser.submit(action, { email: other, password: person.password });
    expect(arrived.url.href).toContain(callback);
  },
);

test("an address to which the mail server cannot write gets no account", async () => {
  const { screen } = await issuer.signUp({ ...stranger(), email: "josé@example.com" });
  expectPage(screen, 422, "can&#39;t send email to addresses with letters like");
  const { browser, person } = await issuer.signUp();
  const change = { email: "josé@example.com", password: person.password };
  expectPage(await browser.submit("/issuer/account/email", change), 422, "can&#39;t send email");
});

test("four concurrent sign-ups with one address make one account, and none gets a server error", async () => {
  const person = stranger();
  const screens = await Promise.all(Array.from({ length: 4 }, async () => (await issuer.signUp(person)).screen));
  expect(screens.filter((screen) => screen.url.href.startsWith(callback))).toHaveLength(1);
  expect(screens.every((screen) => screen.status < 500)).toBe(true);
});

test("a forgotten password is replaced by the mailed link, which works once and ends the old sessions", async () => {
  const { browser, person } = await issuer.signUp();
  const { browser: elsewhere, action, pending } = await issuer.atSignIn();
  expectPage(await elsewhere.submit(`${action}/reset-password`, { email: person.email }), 200, "Check your email");
  const link = await issuer.linkTo(person.email, "Choose a new password");
  expectPage(await elsewhere.open(link), 200, "New password");
  const token = tokenOf(link);
  expectPage(await elsewhere.submit("/issuer/reset-password", { token, password: "password1234" }), 422, "too common");
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
  expect(await issuer.subjectsTo(person.email)).toContain("Your password was changed");

  expectPage((await issuer.atSignIn(browser)).screen, 200, "Sign in");
  expectPage(
    await elsewhere.submit(action, { email: person.email, password: person.password }),
    422,
    "right. Please try again",
  );
  const arrived = await elsewhere.submit(action, { email: person.email, password: "nine quiet lamps" });
  expect((await issuer.openId.finish(arrived.url, pending)).person.emailVerified).toBe(true);
});

test("asking for a link for an unknown address sends nothing and answers the same", async () => {
  const ask = (email: string) => issuer.browser().submit("/issuer/reset-password/ask", { email });
  const before = (await issuer.mails()).length;
  const unknown = await ask("nobody-at-all@example.com");
  expect(await issuer.mails()).toHaveLength(before);
  expect((await ask(demo.email)).html).toBe(unknown.html);
});

// Last, because it moves the clock.
test("a confirmation link can be asked for again and ends after a day", async () => {
  const { person } = await issuer.signUp();
  await issuer.linkTo(person.email, "Confirm your email address");
  await issuer.browser().submit("/issuer/confirm-address/again", { email: person.email });
  const mails = async () => (await issuer.mails()).filter(({ to }) => [person.email, demo.email].includes(to)).length;
  const before = await mails();
  const link = await issuer.linkTo(person.email, "Confirm your email address");
  issuer.advance(DAY + MINUTE);
  expectPage(await issuer.browser().open(link), 410, "Link no longer works");
  await issuer.browser().submit("/issuer/confirm-address/again", { email: demo.email });
  expect(await mails()).toBe(before);
});
