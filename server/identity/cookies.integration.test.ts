import { expect } from "vitest";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { endOtherSessions, listSessions } from "#contract/identity/sessions.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { type ScriptedBrowser, scriptedBrowser } from "#test/stand-ins/scripted-browser.ts";
import { until } from "#test/until.ts";
import { actionOf, type Visitor } from "#test/visitor.ts";

const secret = { SESSION_SECRET: "a secret that all of the nodes were started with" };

const { academy, test } = await academyOfFile(secret);
const second = await forFile(openAcademyInProcess(secret, academy.database));
/** On https. */
const secure = await forFile(openAcademyInProcess({ PUBLIC_URL: "https://academy.example", DEMO_IS_PUBLIC: "yes" }));

const cookieName = ({ url }: { url: string }) => `academy-${new URL(url).port}`;

/** Every Set-Cookie header that a browser receives while it signs in, uses the site and signs out. */
async function everyCookie(node: RunningAcademy, browser: Visitor): Promise<string[]> {
  const seen: string[] = [];
  const send = browser.send.bind(browser);
  browser.send = async (...request) => {
    const response = await send(...request);
    seen.push(...response.headers.getSetCookie());
    return response;
  };
  await browser.signUpAtIssuer();
  const paths = [
    ...["/", "/signup", "/contact", "/privacy-policy", "/dashboard", "/profile", "/api/auth/user", "/api/plans"],
    ...["/api/catalogue", "/api/course-access", "/api/user/sessions", "/issuer/account", "/nowhere", "/api/nowhere"],
    ...["/issuer/reset-password/ask", "/api/login?again=true", "/api/auth/callback?state=x&code=y", "/healthz"],
  ];
  for (const path of paths) await browser.navigate(path);
  browser.cookies.set(cookieName(node), { value: "forged", path: "/" });
  await browser.send("GET", "/api/auth/user");
  await browser.navigate("/api/login");
  await browser.navigate("/api/logout");
  return seen;
}

test("every cookie is HttpOnly, SameSite=Lax and host-only [A03]", async () => {
  const seen = await everyCookie(academy, academy.visitor());
  expect(new Set(seen.map((line) => line.split("=", 1)[0])).size).toBeGreaterThanOrEqual(5);
  for (const line of seen) {
    expect(line).toMatch(/; ?httponly/i);
    expect(line).toMatch(/; ?samesite=lax/i);
    expect(line).toMatch(/; ?path=\//i);
    expect(line).not.toMatch(/domain=/i);
    expect(line).not.toMatch(/; ?secure/i);
  }
});

const vip = { email: "vip@academy.test", password: "academy-demo" };

/** A browser at the academy on https. */
const secureBrowser = () => scriptedBrowser(secure, "https://academy.example");

/** Another one, to which a sibling subdomain gave this one's cookies, which it cannot do with `__Host-` ones. */
function plantedBy(neighbour: ScriptedBrowser): ScriptedBrowser {
  const browser = secureBrowser();
  const plain = [...neighbour.cookies].filter(([, { name }]) => !name.startsWith("__Host-"));
  for (const [key, cookie] of plain) browser.cookies.set(key, cookie);
  return browser;
}

async function signedInBrowser(): Promise<ScriptedBrowser> {
  const browser = secureBrowser();
  const landed = await browser.submit(actionOf((await browser.open("/api/login")).html), vip);
  expect(landed.url.pathname).toBe("/dashboard");
  return browser;
}

test("on https every cookie is Secure, and those with path / have the __Host- prefix [A03 A08]", async () => {
  const browser = await signedInBrowser();
  expect(browser.seen.some((line) => line.startsWith("__Host-academy="))).toBe(true);
  for (const line of browser.seen) {
    expect(line).toMatch(/; ?secure/i);
    expect(line).toMatch(/; ?httponly/i);
    expect(line).toMatch(/; ?samesite=lax/i);
    expect(line).not.toMatch(/domain=/i);
    expect(line.startsWith("__Host-"), line).toBe(/; ?path=\/(;|$)/i.test(line));
  }
});

test("a public demo answers its public name, and no other", async () => {
  const statusFor = async (host: string) => (await secure.inject({ url: "/healthz", headers: { host } })).statusCode;
  expect(await statusFor("academy.example")).toBe(200);
  expect(await statusFor("ACADEMY.example:443")).toBe(200);
  expect(await statusFor("evil.example")).toBe(421);
});

test("a neighbour under the domain plants neither a session of the issuer nor half a sign-in [A08]", async () => {
  const signedIn = await signedInBrowser();
  expect((await signedIn.open("/issuer/account")).html).toContain("vip@academy.test");
  const victim = plantedBy(signedIn);
  expect((await victim.open("/issuer/account")).html).not.toContain("vip@academy.test");
  expect((await victim.open("/api/login")).url.pathname).toMatch(/^\/issuer\/interaction\//);

  const halfWay = secureBrowser();
  const resume = await halfWay.submitAndHold(actionOf((await halfWay.open("/api/login")).html), vip);
  expect(resume).toContain("/issuer/auth/");
  const other = plantedBy(halfWay);
  const refused = await other.open(resume);
  expect([refused.status, refused.url.href]).toEqual([400, resume]);
  expect((await other.open("/api/login")).url.pathname).toMatch(/^\/issuer\/interaction\//);
  expect((await halfWay.open(resume)).url.pathname).toBe("/dashboard");
});

test("three more sign-ins end with one press, on both nodes and for the list as well [A06]", async () => {
  const person = await academy.visitor().signUp();
  const others = await Promise.all([1, 2, 3].map(() => academy.visitor().signUp(person.email)));
  expect((await person.call(listSessions)).body).toHaveLength(4);
  const replay = async (browser: Visitor, node: RunningAcademy) =>
    (await browser.copyAt(node).call(getCurrentUser)).status;
  for (const other of others) expect([await replay(other, academy), await replay(other, second)]).toEqual([200, 200]);
  const left = await person.call(endOtherSessions);
  expect(left.body).toMatchObject([{ isCurrent: true }]);
  for (const other of others) expect([await replay(other, academy), await replay(other, second)]).toEqual([401, 401]);
  expect([await replay(person, academy), await replay(person, second)]).toEqual([200, 200]);
});

test("anonymous requests leave no session, and a begun sign-in leaves one row of minutes at the issuer [A23]", async () => {
  const { pool } = academy;
  const counted = async () => {
    const { rows } = await pool.query(
      "select (select count(*)::int from sessions) as sessions, (select count(*)::int from issuer.payloads) as payloads",
    );
    return rows[0];
  };
  const before = await counted();
  const paths = ["/", "/api/plans", "/api/auth/user", "/api/catalogue", "/api/login", "/contact", "/api/course-access"];
  for (const path of [...paths, ...paths]) {
    const { headers } = await academy.visitor().send("GET", path);
    if (path !== "/api/login") expect(headers.getSetCookie(), path).toEqual([]);
  }
  expect(await counted()).toEqual(before);
  // `issuer/provider` has the limit for one client.
  const start = await academy.visitor().send("GET", "/api/login");
  const begun = await academy.visitor().send("GET", start.headers.get("location") ?? "");
  expect(begun.status).toBe(303);
  expect(await counted()).toEqual({ ...before, payloads: before.payloads + 1 });
  const late = await pool.query(
    "select 1 from issuer.payloads where kind = 'Interaction' and expires_at > now() + interval '15 minutes'",
  );
  expect(late.rows).toEqual([]);
});

test("thousands of expired sessions are purged by the job, and those that are open stay [A23]", async () => {
  const person = await academy.visitor().signUp();
  await academy.pool.query(
    `insert into sessions (sid, sess, expire)
     select 'old-' || n, '{"userId":"nobody"}', now() - interval '1 day' from generate_series(1, 2500) n`,
  );
  await academy.advance("25h");
  await until(async () => {
    const { rows } = await academy.pool.query("select 1 from sessions where sid like 'old-%' limit 1");
    return rows.length === 0 || undefined;
  });
  expect((await person.call(getCurrentUser)).status).toBe(200);
});

test("a cookie with any bit flipped signs nobody in [A24]", async () => {
  const person = await second.visitor().signUp();
  const { value } = person.cookies.get(cookieName(second)) ?? { value: "" };
  for (let at = 0; at < value.length; at += 7) {
    const flipped = String.fromCharCode(value.charCodeAt(at) ^ 1);
    if (!/[\w.%-]/.test(flipped)) continue;
    const forger = second.visitor();
    const forged = `${value.slice(0, at)}${flipped}${value.slice(at + 1)}`;
    forger.cookies.set(cookieName(second), { value: forged, path: "/" });
    expect((await forger.call(getCurrentUser)).status, `position ${at}`).toBe(401);
  }
  expect((await person.call(getCurrentUser)).status).toBe(200);
});

test("an oversized cookie is refused, and many or malformed ones cause no error [A24]", async () => {
  const ask = (cookie: string) => second.visitor().send("GET", "/api/auth/user", undefined, { cookie });
  expect((await ask(`${cookieName(second)}=${"a".repeat(100_000)}`)).status).toBe(431);
  const many = Array.from({ length: 900 }, (_, at) => `c${at}=v`).join("; ");
  const name = cookieName(second);
  const odd = [
    ...[many, "=", ";;;", "__proto__=x", `${name}=; ${name}=a.b`],
    ...["%", "s%3Ax.y", "%E0%A4%A", ".", '"'].map((value) => `${name}=${value}`),
  ];
  for (const cookie of odd) expect((await ask(cookie)).status, cookie.slice(0, 40)).toBe(401);
  for (const cookie of odd) {
    const answer = await second.visitor().send("GET", "/api/auth/callback?state=c0&code=x", undefined, { cookie });
    expect(answer.status, cookie.slice(0, 40)).toBe(400);
    expect((await second.visitor().send("GET", "/issuer/account", undefined, { cookie })).status).toBe(200);
  }
});
