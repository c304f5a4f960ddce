import { expect } from "vitest";
import { getCoachDesk } from "#contract/coaching/coach.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { actionOf, hiddenFieldsOf } from "#test/visitor.ts";

const { academy, test } = await academyOfFile();

const cookieName = () => `academy-${new URL(academy.url).port}`;

/** The status for a browser that has this cookie of a session alone. */
async function statusWith(value = ""): Promise<number> {
  const browser = academy.visitor();
  browser.cookies.set(cookieName(), { value, path: "/" });
  return (await browser.call(getCurrentUser)).status;
}

test("a new person signs up at the issuer and comes back signed in, to where they were going", async () => {
  const visitor = academy.visitor();
  const checkout = "/checkout?tier=premium&priceId=premium_annual&name=Annual%20Access&price=397";
  const ada = { email: "ada@example.test", firstName: "Ada", lastName: "Shelf" };
  const landed = await visitor.createAccount(ada, `/api/login?returnTo=${encodeURIComponent(checkout)}`);
  expect(landed.url.pathname + landed.url.search).toBe(checkout);
  const user = await visitor.call(getCurrentUser);
  expect(user.body).toMatchObject({ ...ada, emailVerified: false, role: null, isAdmin: false });
  expect(user.body).not.toHaveProperty("subject");
});

test("the team arrives where it works and students at their course, unless they were going elsewhere", async () => {
  for (const [account, landing] of [
    ["admin", "/admin"],
    ["helpdesk", "/admin"],
    ["coach", "/coach"],
    ["new", "/dashboard"],
  ]) {
    const person = await academy.visitor().signInAtIssuer(`${account}@academy.test`, "academy-demo");
    expect((await person.navigate("/api/login")).url.pathname, account).toBe(landing);
    expect((await person.navigate("/api/login?returnTo=/course-access")).url.pathname, account).toBe("/course-access");
  }
});

test("signing in ends the old session and gives a new id, and never adopts one from the browser [A01 A02]", async () => {
  const visitor = await academy.visitor().signInAtIssuer("vip@academy.test", "academy-demo");
  // The cookie is signed by us, and the next sign-in ends it.
  const ended = visitor.cookies.get(cookieName())?.value ?? "";
  await visitor.navigate("/api/login");
  expect(visitor.cookies.get(cookieName())?.value).not.toBe(ended);
  expect(await statusWith(ended)).toBe(401);
  const ids = new Set<string>();
  for (const value of ["AAAA", "A".repeat(43), ended]) {
    visitor.cookies.set(cookieName(), { value, path: "/" });
    await visitor.navigate("/api/login");
    expect((await visitor.call(getCurrentUser)).body.email).toBe("vip@academy.test");
    const [id = ""] = decodeURIComponent(visitor.cookies.get(cookieName())?.value ?? "").split(".");
    expect(Buffer.from(id, "base64url").length).toBeGreaterThanOrEqual(16);
    ids.add(id);
    expect(await statusWith(value)).toBe(401);
  }
  expect(ids.size).toBe(3);
});

test("signing out ends the session for good [A05]", async () => {
  const visitor = await academy.visitor().signInAtIssuer("vip@academy.test", "academy-demo");
  const before = visitor.cookies.get(cookieName());
  const landed = await visitor.navigate("/api/logout");
  expect(landed.url.pathname).toBe("/");
  expect((await visitor.call(getCurrentUser)).status).toBe(401);
  expect(await statusWith(before?.value)).toBe(401);
  // At the issuer too: the next sign-in asks for the password.
  expect((await visitor.navigate("/api/login")).html).toContain("Password");
});

test("another site cannot sign people out [A22]", async () => {
  const visitor = await academy.visitor().signInAsDemo("vip@academy.test");
  for (const site of ["cross-site", "same-site"]) {
    await visitor.send("GET", "/api/logout", undefined, { "sec-fetch-site": site, "sec-fetch-dest": "image" });
    expect((await visitor.call(getCurrentUser)).status, site).toBe(200);
  }
  await visitor.send("GET", "/api/logout", undefined, { "sec-fetch-site": "same-origin" });
  expect((await visitor.call(getCurrentUser)).status).toBe(401);
});

test("another site that has a browser begin sign-ins without end leaves it room for all requests [A24]", async () => {
  const visitor = academy.visitor();
  const returnTo = `/profile?${"x".repeat(700)}`;
  for (let begun = 0; begun < 40; begun++) await visitor.send("GET", `/api/login?returnTo=${returnTo}`);
  expect((await visitor.send("GET", "/api/catalogue")).status).toBe(200);
  // Two sign-ins that one browser begins in two windows both finish.
  const begun = [await visitor.navigate("/api/login?returnTo=/contact"), await visitor.navigate("/api/login")];
  const pending = () => [...visitor.cookies.keys()].filter((name) => name.startsWith("academy-sign-in-")).length;
  const before = pending();
  expect(before).toBeGreaterThanOrEqual(begun.length);
  const action = actionOf(begun.at(-1)?.html ?? "");
  const landed = await visitor.navigate(action, { email: "vip@academy.test", password: "academy-demo" });
  expect(landed.url.pathname).toBe("/dashboard");
  expect(pending()).toBe(before - 1);
});

test("a callback without its state, with another browser's, or a second time signs nobody in [A08]", async () => {
  const visitor = academy.visitor();
  const cookieless = await visitor.send("GET", "/api/auth/callback");
  expect(cookieless.status).toBe(400);
  expect(await cookieless.text()).toContain("Allow cookies for this site");
  expect((await visitor.send("GET", "/api/auth/callback?code=x&state=y")).status).toBe(400);

  const victim = await academy.visitor().signInAtIssuer("vip@academy.test", "academy-demo");
  const start = await victim.send("GET", "/api/login");
  const atIssuer = await victim.send("GET", start.headers.get("location") ?? "");
  const callback = atIssuer.headers.get("location") ?? "";
  expect(callback).toContain("/api/auth/callback?code=");
  const attacker = academy.visitor();
  expect((await attacker.send("GET", callback)).status).toBe(400);
  expect(attacker.cookies.has(cookieName())).toBe(false);
  expect((await victim.send("GET", callback)).status).toBe(303);
  const replayed = await victim.send("GET", callback);
  expect(replayed.status).toBe(400);
  expect(await replayed.text()).toContain("Try again");
});

test("a signed cookie of another kind under a pending sign-in's name is refused like any other [A08]", async () => {
  const visitor = await academy.visitor().signInAsDemo("vip@academy.test");
  const session = visitor.cookies.get(cookieName());
  visitor.cookies.set("academy-sign-in-AAAAAAAAAAAAAAAA", session ?? { value: "", path: "/" });
  const answer = await visitor.send("GET", `/api/auth/callback?code=x&state=${"A".repeat(20)}`);
  expect(answer.status).toBe(400);
});

test("neither returnTo nor a forged host leads to another site [A13 A14]", async () => {
  const visitor = await academy.visitor().signInAtIssuer("vip@academy.test", "academy-demo");
  // `return-to.test.ts` has all the others.
  const landed = await visitor.navigate(`/api/login?returnTo=${encodeURIComponent("//evil.example")}`);
  expect(landed.url.href).toBe(`${academy.url}/dashboard`);
  const forged = await academy.visitor().send("GET", "/api/login", undefined, { "x-forwarded-host": "evil.example" });
  expect(forged.headers.get("location")).toMatch(new RegExp(`^${academy.url}/issuer/`));
  expect(forged.headers.get("location")).not.toContain("evil");
});

test("a confirmed address counts from the next sign-in [A18]", async () => {
  const visitor = await academy.visitor().signUpAtIssuer();
  const mail = await academy.mailTo(visitor, "");
  const link = /https?:\/\/\S+/.exec(mail.text)?.[0] ?? "";
  const page = await visitor.navigate(link);
  await visitor.navigate(actionOf(page.html), hiddenFieldsOf(page.html));
  await visitor.navigate("/api/login");
  expect((await visitor.call(getCurrentUser)).body.emailVerified).toBe(true);
});

test("concurrent first sign-ins of one person make one user [A19]", async () => {
  const visitor = await academy.visitor().signUpAtIssuer();
  const ids = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const tab = visitor.at(academy);
      await tab.navigate("/api/login");
      return tab.id();
    }),
  );
  expect(new Set(ids).size).toBe(1);
});

// Last, because it moves this academy's clock.
test("a session ends after seven idle days, after thirty days in use, and after twelve hours for administrators and coaches [A04]", async () => {
  const idle = await academy.visitor().signInAsDemo("vip@academy.test");
  const used = await academy.visitor().signInAsDemo("basic@academy.test");
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const coach = await academy.visitor().signInAsDemo("coach@academy.test");
  await leaveOnlyJobs(academy);
  await academy.advance("11h");
  expect((await administrator.call(getCurrentUser)).status).toBe(200);
  expect((await coach.call(getCoachDesk)).status).toBe(200);
  await academy.advance("2h");
  expect((await administrator.call(getCurrentUser)).status).toBe(401);
  expect((await used.call(getCoachDesk)).status).toBe(403);
  expect((await coach.call(getCoachDesk)).status).toBe(401);
  expect((await coach.call(getCurrentUser)).status).toBe(401);
  for (let day = 0; day < 28; day += 4) {
    await academy.advance("4d");
    expect((await used.call(getCurrentUser)).status, `day ${day}`).toBe(200);
  }
  expect((await idle.call(getCurrentUser)).status).toBe(401);
  await academy.advance("2d");
  expect((await used.call(getCurrentUser)).status).toBe(401);
});

test("a sign-up form sent without scripts leads on, to the checkout of its plan", async () => {
  const visitor = academy.visitor();
  const withPlan = await visitor.navigate("/signup?tier=vip&priceId=vip_lifetime&price=1497&code=spring", {});
  expect(withPlan.status).toBe(200);
  const [, way = ""] = /<a class="button" href="([^"]+)"/.exec(withPlan.html) ?? [];
  const returnTo = new URL(way.replaceAll("&amp;", "&"), academy.url).searchParams.get("returnTo");
  expect(returnTo).toBe("/checkout?tier=vip&priceId=vip_lifetime&name=Lifetime%20Access&price=1497&code=spring");
  const without = await visitor.navigate("/signup?tier=gold", {});
  expect(without.html).toContain('href="/api/login?returnTo=%2Fdashboard&amp;create=true"');
});
