import { expect } from "vitest";
import { getAudience } from "#contract/admin/announcements.ts";
import { discardDrafts, publishContent } from "#contract/admin/content.ts";
import { listAllPurchases } from "#contract/admin/purchases.ts";
import { getUserDetail, listUsers } from "#contract/admin/users.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { getCurrentUser, viewerHeader } from "#contract/identity/identity.ts";
import { endSession, listSessions } from "#contract/identity/sessions.ts";
import { exportData, updateProfile } from "#contract/profile.ts";
import { changeCopy, draft } from "#test/drafts.ts";
import { exportList } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, test } = await academyOfFile();
await leaveOnlyJobs(academy);

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** Signs the same user in with another browser. */
async function another(person: Visitor, userAgent?: string): Promise<Visitor> {
  const browser = academy.visitor();
  const send = browser.send.bind(browser);
  browser.send = (method, path, body, headers) =>
    send(method, path, body, { ...(userAgent && { "user-agent": userAgent }), ...headers });
  return browser.signInAtIssuer(person.email);
}

const isSignedIn = async (browser: Visitor) => (await browser.call(getCurrentUser)).status === 200;

test("the short sign-in of other tests makes the rows that one through the pages makes", async () => {
  /** The rows, of which ids, addresses, times and what only a provider or a browser says are left out. */
  const rowsOf = async (person: Visitor) => {
    const { rows } = await academy.pool.query(
      `select to_jsonb(u) as "user", to_jsonb(i) as identity, s.sess as session,
         round(extract(epoch from s.expire - (s.sess ->> 'signedInAt')::timestamptz) / 3600)::int as hours
         from users u join identities i on i.user_id = u.id join sessions s on s.sess ->> 'userId' = u.id
        where u.email = $1`,
      [person.email],
    );
    const own = /(^|_)(id|at)$|(Id|At)$|^(email|subject|search_text|idToken|userAgent)$/;
    return rows.map(({ hours, ...tables }) => {
      delete tables.session.providerSid;
      const left = JSON.stringify(tables, (name, value) => (own.test(name) && value !== null ? "own" : value));
      return { hours, ...JSON.parse(left) };
    });
  };
  const byPages = await academy.visitor().signUpAtIssuer();
  const byRows = await academy.visitor().signUp();
  expect(await rowsOf(byRows)).toEqual(await rowsOf(byPages));
  await byPages.signInAtIssuer();
  await byRows.signInAgain();
  expect(await rowsOf(byRows)).toHaveLength(2);
  expect(await rowsOf(byRows)).toEqual(await rowsOf(byPages));
  expect(await isSignedIn(byRows)).toBe(true);
});

test("a person reads where they are signed in: this browser first, each in words, none by its secret", async () => {
  const person = await academy.visitor().signUpAtIssuer();
  await another(person, firefox);
  const { body } = await person.call(listSessions);
  expect(body).toMatchObject([
    { isCurrent: true, browser: "Unknown browser" },
    { isCurrent: false, browser: "Firefox", system: "Linux" },
  ]);
  const { rows } = await academy.pool.query("select sid from sessions");
  for (const { sid } of rows) expect(JSON.stringify(body)).not.toContain(sid);
  for (const { value } of person.cookies.values()) expect(JSON.stringify(body)).not.toContain(value);
});

test("one browser is signed out from another one, and must prove who it is to come back [A06]", async () => {
  const person = await academy.visitor().signUpAtIssuer();
  const lost = await another(person);
  const kept = await another(person);
  const [, ...others] = (await person.call(listSessions)).body;
  expect(others).toHaveLength(2);
  // The provider's times have a resolution of one second.
  await academy.advance("1m");
  const lostId = (await lost.call(listSessions)).body.find(({ isCurrent }) => isCurrent)?.id ?? "";
  const left = await person.call(endSession, { params: { id: lostId } });
  expect(left.body.map(({ id }) => id)).not.toContain(lostId);
  expect(await isSignedIn(lost)).toBe(false);
  expect(await isSignedIn(kept)).toBe(true);
  expect((await person.call(endSession, { params: { id: lostId } })).status).toBe(404);

  // The provider remembers the browser, and would sign it in without asking.
  const back = await lost.navigate("/api/login");
  expect(back.html).toContain("Password");
  expect(await isSignedIn(lost)).toBe(false);
  expect((await lost.typePassword()).url.pathname).toBe("/dashboard");
  expect(await isSignedIn(lost)).toBe(true);
});

test("nobody ends somebody else's session, nor their own by this way [Z05]", async () => {
  const person = await academy.visitor().signUp();
  const stranger = await academy.visitor().signUp();
  const [own] = (await person.call(listSessions)).body;
  expect((await stranger.call(endSession, { params: { id: own?.id ?? "" } })).status).toBe(404);
  expect((await person.call(endSession, { params: { id: own?.id ?? "" } })).status).toBe(403);
  expect(await isSignedIn(person)).toBe(true);
});

test("a call of a page that another person has left open is refused after a new sign-in [Z05]", async () => {
  const person = await academy.visitor().signUp();
  const before = await academy.visitor().signUp();
  const { body } = await before.call(getCurrentUser);
  const change = { firstName: "Somebody", lastName: "Else", phone: "", location: "", bio: "" };
  const saveAs = (id: string) => person.call(updateProfile, { body: change, headers: { [viewerHeader]: id } });
  for (const id of [body.id, "nobody", ""]) {
    expect(await saveAs(id)).toMatchObject({ status: 401, body: { code: "signed-in-as-another" } });
  }
  const { body: now } = await person.call(getCurrentUser);
  expect(now.firstName).not.toBe("Somebody");
  expect((await saveAs(now.id)).status).toBe(200);
});

test("a session says to the hour when it was last used, and one that ended is not listed", async () => {
  const person = await academy.visitor().signUpAtIssuer();
  const other = await another(person);
  await academy.advance("3h");
  await other.call(getCurrentUser);
  const [here, there] = (await person.call(listSessions)).body;
  expect(Date.parse(here?.lastSeenAt ?? "") - Date.parse(here?.signedInAt ?? "")).toBeGreaterThan(2 * 3_600_000);
  expect(Date.parse(there?.lastSeenAt ?? "") - Date.parse(there?.signedInAt ?? "")).toBeGreaterThan(2 * 3_600_000);
  await academy.advance("5d");
  await person.call(getCurrentUser);
  await academy.advance("5d");
  expect((await person.call(listSessions)).body).toHaveLength(1);
});

test("who signs in without end keeps the two hundred sign-ins that were used last [A23]", async () => {
  const person = await academy.visitor().signUpAtIssuer();
  const id = await person.id();
  await academy.pool.query(
    `insert into sessions (sid, sess, expire)
     select 'flood-' || n, jsonb_build_object('userId', $1::text, 'signedInAt', seen, 'authenticatedAt', seen,
       'lastSeenAt', seen, 'idToken', '', 'userAgent', n::text), now() + interval '1 day'
     from generate_series(1, 400) n,
       lateral (select to_char(now() - n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as seen) as at`,
    [id],
  );
  const newest = await another(person);
  const { rows } = await academy.pool.query(
    "select count(*)::int as kept, count(*) filter (where sid = 'flood-150')::int as recent from sessions where sess ->> 'userId' = $1",
    [id],
  );
  expect(rows).toEqual([{ kept: 200, recent: 1 }]);
  expect([await isSignedIn(newest), await isSignedIn(person)]).toEqual([true, true]);
});

test("what a borrowed browser must not do asks for a proof of the last ten minutes, not for a remembered sign-in [G01]", async () => {
  const person = await academy.visitor().signUpAtIssuer();
  await academy.advance("11m");
  expect(await person.call(exportData)).toMatchObject({ status: 403, body: { code: "sign-in-again" } });
  await person.navigate("/api/login");
  expect((await person.call(exportData)).status).toBe(403);

  const landed = await person.typePassword(undefined, { path: "/api/login?returnTo=/profile&again=true" });
  expect(landed.url.pathname).toBe("/profile");
  expect((await person.send("GET", exportData.path)).status).toBe(200);
});

test("protected calls keep a sign-in fresh for fifteen minutes each, for four hours at most [A27]", async () => {
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const exportStatus = async () => (await exportList(administrator, "coaching")).status;
  for (const minutes of [14, 28]) {
    await academy.advance("14m");
    expect(await exportStatus(), `${minutes} minutes`).toBe(200);
  }
  await academy.pool.query(
    `update sessions set sess = jsonb_set(sess::jsonb, '{authenticatedAt}',
       to_jsonb((sess ->> 'authenticatedAt')::timestamptz - interval '210 minutes'))
     where sess ->> 'userId' = $1`,
    [await administrator.id()],
  );
  expect(await exportStatus(), "238 minutes").toBe(200);
  await academy.advance("3m");
  expect(await exportStatus()).toBe(403);

  await administrator.signInAgain();
  await academy.advance("14m");
  await administrator.call(getCurrentUser);
  await academy.advance("2m");
  expect(await exportStatus()).toBe(403);
});

test("a publication needs a fresh sign-in when a price, a setting or a legal text is among the drafts", async () => {
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const publish = async () => (await administrator.call(publishContent, { body: {} })).status;
  await academy.advance("16m");
  expect((await changeCopy(administrator, "contact", () => ({ headline: "Write to us" }))).status).toBe(200);
  expect(await publish()).toBe(200);
  const sections = [{ id: "new-1", title: "Contact", text: "Write.", privacyChoices: false }];
  await changeCopy(administrator, "terms", () => ({ sections }));
  expect(await publish()).toBe(403);
  await administrator.call(discardDrafts, { body: {} });

  await draft(administrator, "plans", "vip_lifetime", { name: "Forever" });
  expect(await publish()).toBe(403);
  await administrator.signInAgain();
  expect(await publish()).toBe(200);
});

test("a thousand people an hour can be listed, and more only after a fresh sign-in [A27]", async () => {
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  await academy.pool.query(`insert into users (id, email, created_at, updated_at)
    select 'listed' || n, 'listed' || n || '@example.test', now(), now() from generate_series(1, 1200) as n`);
  await academy.advance("16m");
  const list = (after?: string) =>
    administrator.call(listUsers, { query: { search: "listed", limit: "200", ...(after && { after }) } });
  let last: string | undefined;
  for (let page = 1; page <= 5; page++) {
    const { status, body } = await list(last);
    expect(status).toBe(200);
    last = body.at(-1)?.id;
  }
  // The same people again are no further ones.
  expect((await list()).status).toBe(200);
  expect(await list(last)).toMatchObject({ status: 403, body: { code: "sign-in-again" } });
  const others: [Endpoint, object][] = [
    [listAllPurchases, {}],
    [getAudience, { query: { audience: "everybody" } }],
    [getUserDetail, { params: { userId: "listed1001" } }],
  ];
  for (const [endpoint, input] of others) {
    expect((await administrator.call(endpoint, input)).body, endpoint.path).toMatchObject({ code: "sign-in-again" });
  }
  await administrator.signInAgain();
  expect((await list(last)).status).toBe(200);
  await academy.advance("61m");
  expect((await list(last)).status).toBe(200);
});
