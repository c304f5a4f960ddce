import { expect, test } from "vitest";
import { forFile } from "#test/fixtures.ts";
import { callback, demo, expectPage, openIssuer, publicUrl, randomAddress, stranger } from "#test/issuer-under-test.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const issuer = await forFile(openIssuer());

test("a person signs in with email and password and arrives at the callback with their claims", async () => {
  const { browser, action, pending, screen } = await issuer.atSignIn();
  expectPage(screen, 200, "Continue as basic@academy.test");
  const arrived = await browser.submit(action, { email: " BASIC@academy.test ", password: demo.password });
  expect(arrived.url.href).toContain(callback);
  const { person } = await issuer.openId.finish(arrived.url, pending);
  expect(person).toMatchObject({
    issuer: `${publicUrl}/issuer`,
    subject: "demo-basic",
    email: "basic@academy.test",
    emailVerified: true,
    firstName: "Marisol",
    lastName: "Vega",
  });
});

test("one press signs a demo account in, and a subject that is none does not", async () => {
  const { browser, action, pending } = await issuer.atSignIn();
  expectPage(await browser.submit(action, { demo: "somebody-else" }), 422, "right. Please try again");
  const arrived = await browser.submit(action, { demo: "demo-basic" });
  expect((await issuer.openId.finish(arrived.url, pending)).person.subject).toBe("demo-basic");
});

test("a wrong password and an unknown address get the same answer, and the address stays in the field", async () => {
  const { browser, action } = await issuer.atSignIn();
  const wrong = await browser.submit(action, { email: demo.email, password: "academy-dem0" });
  const unknown = await browser.submit(action, { email: "nobody@example.com", password: "academy-demo" });
  for (const screen of [wrong, unknown]) expectPage(screen, 422, "right. Please try again");
  expect(wrong.html.replaceAll(demo.email, "x").replace("Continue as x", "")).toBe(
    unknown.html.replaceAll("nobody@example.com", "x").replaceAll(demo.email, "x").replace("Continue as x", ""),
  );
  expect(wrong.html).toContain(`value="${demo.email}"`);
  expect(wrong.html).not.toContain("academy-dem0");
});

test("a person who must authenticate again is asked for the password although the issuer remembers them", async () => {
  const { browser, person } = await issuer.signUp();
  const { screen, action, pending } = await issuer.atSignIn(browser, { again: true });
  expectPage(screen, 200, "Password");
  const arrived = await browser.submit(action, { email: person.email, password: person.password });
  const { authenticatedAt } = await issuer.openId.finish(arrived.url, pending);
  expect(issuer.clock.now().getTime() - authenticatedAt.getTime()).toBeLessThan(MINUTE);
});

test("a request to create an account opens its form, and ends with a new or an existing account", async () => {
  const open = async () => {
    const { screen, ...at } = await issuer.atSignIn(issuer.browser(), { create: true });
    expectPage(screen, 200, "<h1>Create account</h1>");
    return at;
  };
  const created = await open();
  const person = stranger();
  const arrived = await created.browser.submit(`${created.action}/create-account`, person);
  expect((await issuer.openId.finish(arrived.url, created.pending)).person.email).toBe(person.email);

  const existing = await open();
  expectPage(await existing.browser.open(publicUrl + existing.action), 200, "<h1>Sign in</h1>");
  const { url } = await existing.browser.submit(existing.action, { demo: demo.subject });
  expect((await issuer.openId.finish(url, existing.pending)).person.email).toBe(demo.email);
});

test("who goes back to the form after signing in is told so", async () => {
  const { browser, action } = await issuer.atSignIn();
  const arrived = await browser.submit(action, { demo: "demo-basic" });
  expect(arrived.url.href).toContain("code=");
  expectPage(await browser.open(`${publicUrl}${action}`), 400, "already signed in");
});

test("what is typed into a form is shown as text", async () => {
  const { screen } = await issuer.signIn({ email: `"><script>alert(1)</script>`, password: "x" });
  expect(screen.html).not.toContain("<script>alert");
  expect(screen.html).toContain("&quot;&gt;&lt;script&gt;");
});

test("a form from another site, or without an origin, is refused", async () => {
  const { browser, action } = await issuer.atSignIn();
  for (const headers of [{ origin: "https://evil.test" }, { origin: "null" }]) {
    expectPage(await browser.submit(action, { demo: "demo-basic" }, headers), 403, "Form not accepted");
  }
});

test("a sign-in belongs to the browser that began it, and one without cookies reads that it needs them", async () => {
  const { action } = await issuer.atSignIn();
  const other = await issuer.atSignIn();
  expectPage(await other.browser.submit(action, { demo: "demo-basic" }), 400, "Cookies are off");
  const cookieless = await issuer.browser().open(`${publicUrl}${action}`);
  expectPage(cookieless, 400, "Cookies are off");
  expect(cookieless.html).toContain("Allow cookies for this site in your browser");
});

test("two sign-ins in two tabs of one browser both work", async () => {
  const { browser, action, pending } = await issuer.atSignIn();
  const second = await issuer.atSignIn(browser);
  const arrived = await browser.submit(action, { demo: "demo-basic" });
  await issuer.openId.finish(arrived.url, pending);
  const later = await browser.submit(second.action, { demo: "demo-basic" });
  expect((await issuer.openId.finish(later.url, second.pending)).person.subject).toBe("demo-basic");
});

test("one stranger's wrong passwords never lock the owner out, and those of many not in a known browser [A26]", async () => {
  const { browser: known, person } = await issuer.signUp();
  const stranger = await issuer.atSignIn();
  const guess = (client: string) =>
    stranger.browser.submit(
      stranger.action,
      { email: person.email, password: "not the password" },
      { "x-forwarded-for": client },
    );
  await issuer.repeat(10, () => guess("10.66.0.1"));
  await issuer.repeat(95, () => guess("10.66.0.1"));
  const typed = { email: person.email, password: person.password };
  const here = { "x-forwarded-for": "10.7.7.7" };
  expect((await issuer.signIn(typed, here)).screen.url.href).toContain(callback);

  await issuer.repeat(89, () => guess("10.66.1.1"));
  expectPage(await guess("10.66.1.2"), 422, "right. Please try again");
  expectPage(await guess("10.66.2.1"), 429, "Too many attempts");
  expectPage((await issuer.signIn(typed, here)).screen, 429, "Too many attempts");
  const again = await issuer.atSignIn(known, { again: true });
  const arrived = await known.submit(again.action, typed, { "x-forwarded-for": "10.66.0.1" });
  expect(arrived.url.href).toContain(callback);
});

test("a browser that signed in before has ten attempts of its own, wherever it is", async () => {
  const { browser, person } = await issuer.signUp();
  const { action } = await issuer.atSignIn(browser, { again: true });
  const guess = async () => {
    const client = { "x-forwarded-for": randomAddress() };
    const typed = { email: person.email, password: "not the password" };
    return (await browser.submit(action, typed, client)).status;
  };
  await issuer.repeat(9, guess);
  expect([await guess(), await guess()]).toEqual([422, 429]);
});

test("right passwords use up no attempts", async () => {
  const address = { "x-forwarded-for": randomAddress() };
  const signIn = async (email: string, password: string) =>
    (await issuer.signIn({ email, password }, address)).screen.url.href;
  await issuer.repeat(9, () => signIn(demo.email, "not the password"));
  await issuer.repeat(40, () => signIn("nobody@example.com", "not the password"));
  for (let time = 0; time < 2; time += 1) expect(await signIn(demo.email, demo.password)).toContain(callback);
});

test("one network address cannot try a password on many accounts, nor request mails without limit", async () => {
  const { browser, action } = await issuer.atSignIn();
  const address = { "x-forwarded-for": "10.9.8.7" };
  const guess = async (name: string) =>
    (await browser.submit(action, { email: `${name}@example.com`, password: "seven kettles" }, address)).status;
  await issuer.repeat(49, () => guess("one"));
  expect([await guess("two"), await guess("three")]).toEqual([422, 429]);
  const { email } = (await issuer.signUp()).person;
  const asked = [];
  for (let time = 0; time < 5; time += 1) asked.push(await browser.submit("/issuer/reset-password/ask", { email }));
  expect(asked.map((screen) => screen.status)).toEqual([200, 200, 200, 200, 429]);
  const resets = (await issuer.mails()).filter(({ to, subject }) => to === email && /new password/.test(subject));
  expect(resets).toHaveLength(4);
});

test("requests for confirmations that send nothing do not use up the owner's resets [A26]", async () => {
  const { email } = demo;
  const ask = (path: string, client: string) => issuer.browser().submit(path, { email }, { "x-forwarded-for": client });
  const before = await issuer.mails();
  for (let time = 0; time < 5; time += 1) await ask("/issuer/confirm-address/again", "10.66.3.1");
  expect((await issuer.mails()).length).toBe(before.length);
  expectPage(await ask("/issuer/reset-password/ask", "10.7.7.7"), 200, "Check your email");
  expect(await issuer.linkTo(email, "Choose a new password")).toContain("/issuer/reset-password?token=");
});

test("an address of the issuer that does not exist answers with a page and 404", async () => {
  const screen = await issuer.browser().open(`${publicUrl}/issuer/nothing-here`);
  expectPage(screen, 404, "Page not found");
  expect(screen.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("the script comes from the sources", async () => {
  expect((await issuer.app.inject("/issuer/page.js")).headers["content-type"]).toContain("text/javascript");
});

test("every page forbids framing, foreign scripts and keeping", async () => {
  const { screen } = await issuer.atSignIn();
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

// Last, because they move the clock.
test("a remembered person's authentication time is that of their sign-in, by the academy's clock", async () => {
  const { browser, pending, screen } = await issuer.signUp();
  const signedUp = (await issuer.openId.finish(screen.url, pending)).authenticatedAt;
  expect(issuer.clock.now().getTime() - signedUp.getTime()).toBeLessThan(MINUTE);
  issuer.advance(20 * MINUTE);
  const later = await issuer.atSignIn(browser);
  const remembered = await issuer.openId.finish(later.screen.url, later.pending);
  expect(remembered.authenticatedAt).toEqual(signedUp);
});

test("after ten wrong passwords a client must wait 15 minutes for an account, also with the right one", async () => {
  const { browser, action } = await issuer.atSignIn();
  const address = { "x-forwarded-for": randomAddress() };
  const attempt = (password: string) => browser.submit(action, { email: demo.email, password }, address);
  await issuer.repeat(8, () => attempt("not the password"));
  const wrong = await Promise.all(Array.from({ length: 3 }, () => attempt("not the password")));
  expect(wrong.map((screen) => screen.status).sort()).toEqual([422, 422, 429]);
  const refused = await attempt(demo.password);
  expectPage(refused, 429, "Please wait 15 minutes and try again.");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(800);
  issuer.advance(15 * MINUTE);
  const late = await issuer.signIn({ email: demo.email, password: demo.password }, address);
  expect(late.screen.url.searchParams.get("code")).toBeTruthy();
});

test("after the clock moved by 400 days the old session has ended and sign-in works", async () => {
  const { browser } = await issuer.signUp();
  issuer.advance(400 * DAY);
  const { screen, action, pending } = await issuer.atSignIn(browser);
  expectPage(screen, 200, "Continue as basic@academy.test");
  const arrived = await browser.submit(action, { demo: "demo-basic" });
  expect((await issuer.openId.finish(arrived.url, pending)).person.subject).toBe("demo-basic");
});
