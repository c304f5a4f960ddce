import { beforeEach, expect } from "vitest";
import {
  type Announcement,
  announcementPreviewPath,
  announcementSteps,
  audienceOf as audienceIn,
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  getAudience,
  listAnnouncements,
  sendAnnouncement,
  testAnnouncement,
} from "#contract/admin/announcements.ts";
import { listAudit } from "#contract/admin/audit.ts";
import { deleteUserAccount, getUserDetail, listUsers, type UserFilter } from "#contract/admin/users.ts";
import { chooseAnnouncements, getAnnouncementChoice } from "#contract/announcements.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { mailServer } from "#test/stand-ins/mail-server.ts";
import { until } from "#test/until.ts";
import { exportedFile } from "#test/unzip.ts";

const server = await forFile(mailServer());
await server.start();
const { academy, administrator: admin, test } = await academyOfFile({ SMTP_URL: server.url });
beforeEach(() => admin.signInAgain());
await leaveOnlyJobs(academy);

const text = {
  subject: "A new module",
  text: "Module 6 is here.\n\nHave fun with it.",
  button: null,
  audience: "everybody",
};

async function draft(change: object = {}): Promise<Announcement> {
  const made = await admin.call(createAnnouncement, { body: { ...text, ...change } });
  expect(made.status).toBe(200);
  return made.body as Announcement;
}

const audienceOf = async (audience: string, toTeam: "true" | "false" = "false") =>
  (await admin.call(getAudience, { query: { audience, toTeam } })).body;

async function send({ id, audience }: Announcement): Promise<void> {
  await admin.signInAsDemo("admin@academy.test");
  const { total } = await audienceOf(audience);
  const answer = await admin.call(sendAnnouncement, { params: { id }, body: { recipients: total } });
  expect(answer, answer.body.message).toMatchObject({ status: 200, body: { state: "running", people: total } });
}

const stateOf = async (id: string) => {
  const { status, body } = await admin.call(getAnnouncement, { params: { id } });
  return status === 200 ? body : undefined;
};
const arrivalsOf = (subject: string) =>
  server.arrivals.filter(
    ({ headers, text: body }) => headers.get("subject") === subject && body.includes("Unsubscribe"),
  );
const idOf = async (email: string): Promise<string> =>
  (await academy.pool.query("select id from users where email = $1", [email])).rows[0]?.id;

test("an announcement is sent once to its subscribers, and unsubscribing needs no sign-in [N01 N02 N03]", async () => {
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const premium = await academy.visitor().signInAsDemo("premium@academy.test");
  expect((await premium.call(getAnnouncementChoice)).body).toEqual({ wanted: true, answers: true });
  const before = await audienceOf("everybody");
  expect(before.rows.map(({ email }) => email)).toEqual(expect.arrayContaining(["vip@academy.test"]));
  expect(before.rows.map(({ email }) => email)).not.toContain("suspended@academy.test");
  expect(before.suspended).toBe(1);
  await basic.call(chooseAnnouncements, { body: { wanted: false } });
  const audience = await audienceOf("everybody");
  expect(audience).toMatchObject({ total: (before.total ?? 0) - 1, unsubscribed: before.unsubscribed + 1 });

  const announcement = await draft({ button: { label: "Open it", url: "https://example.test/module" } });
  const params = { id: announcement.id };
  expect((await admin.call(testAnnouncement, { params, body: {} })).status).toBe(200);
  await until(async () => server.arrivals.some(({ headers }) => headers.get("subject") === `Test: ${text.subject}`));
  const few = await admin.call(sendAnnouncement, { params, body: { recipients: 1 } });
  expect(few).toMatchObject({ status: 409, body: { code: "conflict" } });
  await send(announcement);
  expect((await admin.call(sendAnnouncement, { params, body: { recipients: 99 } })).status).toBe(409);
  expect((await admin.call(changeAnnouncement, { params, body: text })).status).toBe(409);
  await until(async () => server.arrivals.some(({ to }) => to === "support@academy.test"));
  await premium.call(chooseAnnouncements, { body: { wanted: false } });
  expect(arrivalsOf(text.subject)).toEqual([]);

  await academy.advance("5m");
  const sent = arrivalsOf(text.subject);
  expect(await stateOf(announcement.id)).toMatchObject({
    state: "done",
    done: (audience.total ?? 0) - 1,
    skipped: 1,
    failed: 0,
  });
  expect(sent.map(({ to }) => to).toSorted()).toEqual(
    audience.rows
      .map(({ email }) => email)
      .filter((email) => email !== "premium@academy.test")
      .toSorted(),
  );
  const mail = sent.find(({ to }) => to === "vip@academy.test");
  const url = /^<(.*)>$/.exec(mail?.headers.get("list-unsubscribe") ?? "")?.[1] ?? "";
  expect(url).toMatch(new RegExp(`^${academy.url}/unsubscribe/[0-9a-f]{64}$`));
  expect(mail?.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(mail?.text).toContain(url);
  expect(new Set(sent.map(({ headers }) => headers.get("list-unsubscribe"))).size).toBe(sent.length);

  const vip = await academy.visitor().signInAsDemo("vip@academy.test");
  const opened = await academy.visitor().navigate(url);
  expect(opened.html).toContain("Unsubscribe from news and reminders?");
  expect((await vip.call(getAnnouncementChoice)).body).toMatchObject({ wanted: true });
  // Like a mail provider: a cross-origin multipart form, twice, because it may retry.
  for (let time = 0; time < 2; time++) {
    const body = new FormData();
    body.set("List-Unsubscribe", "One-Click");
    expect((await fetch(url, { method: "POST", body, headers: { origin: "https://mail.example" } })).status).toBe(200);
    expect((await vip.call(getAnnouncementChoice)).body).toEqual({ wanted: false, answers: true });
  }
  expect((await academy.visitor().navigate(url)).html).toContain("You are unsubscribed");
  // The link of the other optional emails.
  expect((await academy.visitor().navigate(`${url}/answers`)).html).toContain(
    "Unsubscribe from answers to your questions?",
  );
  expect((await vip.call(getAnnouncementChoice)).body).toEqual({ wanted: false, answers: true });
  expect((await fetch(`${url}/answers`, { method: "POST" })).status).toBe(200);
  expect((await vip.call(chooseAnnouncements, { body: { wanted: true } })).body).toEqual({
    wanted: true,
    answers: false,
  });
  expect((await vip.call(chooseAnnouncements, { body: { wanted: false } })).body.wanted).toBe(false);
  const guessed = await fetch(url.replace(/.{8}$/, "00000000"), { method: "POST" });
  expect(guessed.status).toBe(404);

  const detail = await admin.call(getUserDetail, { params: { userId: await idOf("vip@academy.test") } });
  expect(detail.body.emails).toEqual(expect.arrayContaining([expect.objectContaining({ subject: text.subject })]));
  const exported = JSON.parse(await exportedFile(vip, "announcements.json"));
  expect(exported).toMatchObject({ wanted: false, sent: [{ subject: text.subject, text: text.text }] });
  expect(JSON.stringify(exported)).not.toContain(url.slice(-64));
  const audit = await admin.call(listAudit, { query: { subject: announcement.id } });
  expect(audit.body.rows.map(({ action, subjectName }) => [action, subjectName])).toEqual([
    ["send announcement", text.subject],
    ["create announcement", text.subject],
  ]);
});

test("an announcement is paused, resumed and stopped, and leaves out deleted accounts [N02]", async () => {
  const people = await Promise.all(["a", "b"].map((name) => inRole(academy, null, `${name}-leaver@example.test`)));
  const announcement = await draft({ subject: "Paused", audience: "filter:tier=none" });
  const params = { id: announcement.id };
  await send(announcement);
  expect((await admin.call(announcementSteps.pause, { params, body: {} })).body.state).toBe("paused");
  await academy.advance("10m");
  expect(arrivalsOf("Paused")).toEqual([]);
  const userId = await idOf(people[0]?.email ?? "");
  await admin.signInAsDemo("admin@academy.test");
  expect((await admin.call(deleteUserAccount, { body: { userId } })).status).toBe(200);
  expect((await admin.call(announcementSteps.resume, { params, body: {} })).body.state).toBe("running");
  await academy.advance("5m");
  expect(await stateOf(announcement.id)).toMatchObject({ state: "done", skipped: 1 });
  expect(arrivalsOf("Paused").map(({ to }) => to)).toContain(people[1]?.email);
  expect(arrivalsOf("Paused").map(({ to }) => to)).not.toContain(people[0]?.email);
  expect((await academy.pool.query("select from announcement_recipients where user_id = $1", [userId])).rowCount).toBe(
    0,
  );

  const stopped = await draft({ subject: "Stopped", audience: "filter:tier=none" });
  await send(stopped);
  expect((await admin.call(announcementSteps.stop, { params: { id: stopped.id }, body: {} })).body.state).toBe(
    "stopped",
  );
  await academy.advance("10m");
  expect(arrivalsOf("Stopped")).toEqual([]);
  expect((await admin.call(announcementSteps.resume, { params: { id: stopped.id }, body: {} })).status).toBe(409);
});

test("an older version of an announcement is not changed, deleted or sent", async () => {
  const older = await draft({ subject: "Drafted" });
  const params = { id: older.id };
  const at = (announcement: Announcement) => ({ params, query: { version: announcement.version } });
  const change = (announcement: Announcement, subject: string) =>
    admin.call(changeAnnouncement, { ...at(announcement), body: { ...text, subject } });
  const newer = (await change(older, "First")).body;
  expect(newer.version).not.toBe(older.version);
  const message = expect.stringContaining("Someone changed");
  const conflict = { status: 409, body: { code: "conflict", message } };
  expect(await change(older, "Second")).toMatchObject(conflict);
  expect(await admin.call(deleteAnnouncement, { ...at(older), body: {} })).toMatchObject(conflict);
  const { total: recipients } = await audienceOf("everybody");
  expect(await admin.call(sendAnnouncement, { ...at(older), body: { recipients } })).toMatchObject(conflict);
  expect(await stateOf(older.id)).toMatchObject({ state: "draft", subject: "First", version: newer.version });
  expect((await change(newer, "Second")).body).toMatchObject({ subject: "Second" });
});

test("a mail server that is down holds an announcement up and loses none of it [N01]", async () => {
  await server.stop();
  const announcement = await draft({ subject: "Held up", audience: "filter:tier=vip" });
  await academy.pool.query("delete from announcement_choices");
  await send(announcement);
  await academy.advance("30m");
  expect(await stateOf(announcement.id)).toMatchObject({ state: "running", done: 0 });
  await server.start();
  for (let hour = 0; hour < 3; hour++) await academy.advance("1h");
  expect(await stateOf(announcement.id)).toMatchObject({ state: "done", failed: 0 });
  expect(arrivalsOf("Held up").map(({ to }) => to)).toEqual(["vip@academy.test"]);
});

test("an announcement injects no headers or scripts, and a session sends only a few a day [N04]", async () => {
  await admin.signInAsDemo("admin@academy.test");
  for (const subject of ["Hello\r\nBcc: all@example.test", "Hello\u2028there", "", "\u200b \u2800"]) {
    const answer = await admin.call(createAnnouncement, { body: { ...text, subject } });
    expect(answer.status, subject).toBe(400);
  }
  const url = "javascript:alert(1)";
  expect((await admin.call(createAnnouncement, { body: { ...text, button: { label: "Go", url } } })).status).toBe(400);
  const markup = await draft({ text: "<script>alert(1)</script>", audience: "filter:show=renewal-declined" });
  const preview = await admin.send("GET", announcementPreviewPath.replace("{id}", markup.id));
  expect(await preview.text()).toContain("&lt;script&gt;");
  expect(preview.headers.get("content-security-policy")).toContain("sandbox");
  expect((await admin.call(deleteAnnouncement, { params: { id: markup.id }, body: {} })).status).toBe(200);
  expect(await stateOf(markup.id)).toBeUndefined();
  expect((await admin.call(listAnnouncements, { query: { after: markup.id } })).status).toBe(404);

  const statuses: number[] = [];
  for (let at = 0; at < 6; at++) {
    const { id } = await draft({ subject: "Again", audience: "filter:tier=vip" });
    statuses.push((await admin.call(sendAnnouncement, { params: { id }, body: { recipients: 1 } })).status);
  }
  expect(statuses.at(-1)).toBe(429);
});

test("audiences of the first release are read as filters, and one with a deleted lesson has no title", async () => {
  await academy.pool.query(
    `insert into announcements (id, subject, text, audience, created_at)
     select 'old-' || n, 'Old', 'Text', audience, now()
     from unnest(array['tier:premium', 'state:on_hold', 'state:declined', 'stopped-at:lesson-1-1', 'stopped-at:gone'])
       with ordinality as old (audience, n)`,
  );
  const { rows } = (await admin.call(listAnnouncements)).body;
  const old = rows.filter(({ subject }) => subject === "Old").toSorted((a, b) => a.id.localeCompare(b.id));
  expect(old.map(({ audience, lessonTitle }) => [audience, lessonTitle])).toEqual([
    ["filter:tier=premium", null],
    ["filter:status=on_hold", null],
    ["filter:show=renewal-declined", null],
    ["filter:progress=stopped-at&lesson=lesson-1-1", expect.any(String)],
    ["filter:progress=stopped-at&lesson=gone", null],
  ]);
  expect((await audienceOf("tier:premium")).total).toBe((await audienceOf("filter:tier=premium")).total);
});

test("an address that an audience searches for is not in the audit log, and goes with its account", async () => {
  const { email } = await inRole(academy, null, "jane+1@searched.test");
  const searched = await draft({ audience: "filter:%73earch=x&tier=none&search=To%20JANE%2B1%40searched.test" });
  const other = await draft({ audience: "filter:search=jane%2B1@searched.test.example" });
  expect(searched.audience).toBe("filter:search=To+JANE%2B1%40searched.test&tier=none");
  const audit = await admin.call(listAudit, { query: { subject: searched.id } });
  expect(audit.body.rows[0]?.after).toMatchObject({ audience: "filter:search=…&tier=none" });
  await admin.call(deleteUserAccount, { body: { userId: await idOf(email) } });
  expect((await stateOf(searched.id))?.audience).toBe("filter:search=%28deleted%29&tier=none");
  expect((await stateOf(other.id))?.audience).toBe(other.audience);
});

test("an audience is any filter of the list of users, and the team is left out unless it is asked for", async () => {
  const people = await Promise.all(["f1", "f2", "f3"].map((name) => inRole(academy, null, `${name}@filter.test`)));
  const [first = "", second = "", third = ""] = await Promise.all(people.map(({ email }) => idOf(email)));
  await academy.pool.query(
    `insert into course_progress (id, user_id, lesson_id, module_id, is_completed, credit_since, created_at, updated_at)
     select l.id || u.id, u.id, l.id, l.module_id, l.id = 'lesson-1-1' and u.id = $1, now(), now(), now()
     from users u, lessons l where u.id = $1 and l.id = 'lesson-1-2' or u.id in ($1, $2) and l.id = 'lesson-1-1'`,
    [first, second],
  );
  const found = async (filter: UserFilter) => {
    const query = { search: "filter.test", ...filter };
    const audience = await audienceOf(audienceIn(query));
    const { body } = await admin.call(listUsers, { query: query as Record<string, string> });
    expect(audience.rows.map(({ id }) => id).toSorted()).toEqual(body.map(({ id }) => id).toSorted());
    return body.map(({ id }) => [first, second, third].indexOf(id) + 1).toSorted();
  };
  expect(await found({})).toEqual([1, 2, 3]);
  expect(await found({ progress: "not-begun", lesson: "lesson-1-1" })).toEqual([3]);
  expect(await found({ progress: "not-completed", lesson: "lesson-1-1" })).toEqual([2, 3]);
  expect(await found({ progress: "not-begun", lesson: "lesson-1-2" })).toEqual([2, 3]);
  expect(await found({ progress: "not-begun" })).toEqual([3]);
  expect(await found({ progress: "stopped-at", lesson: "lesson-1-1" })).toEqual([2]);
  expect(await found({ progress: "stopped-at", lesson: "lesson-1-2" })).toEqual([1]);
  for (const progress of ["not-begun", "stopped-at"] as const) {
    expect(await found({ progress, lesson: "no-such-lesson" })).toEqual([]);
  }
  expect(await found({ tier: "vip" })).toEqual([]);
  for (const audience of [
    "",
    "somebody",
    "filter:tier=gold",
    "tier:gold",
    "filter:progress=stopped-at",
    "selection:",
  ]) {
    expect((await admin.call(getAudience, { query: { audience } })).status, audience).toBe(400);
  }

  const { id } = await draft({ audience: audienceIn({ search: "f1@filter.test", tier: "none" }) });
  expect(await stateOf(id)).toMatchObject({ audience: "filter:search=f1%40filter.test&tier=none", toTeam: false });

  await academy.pool.query("update users set role = 'support' where id = $1", [first]);
  await academy.pool.query(
    `insert into coaches (user_id, display_name, time_zone, is_active, created_at, updated_at)
     values ($1, 'Second', 'UTC', true, now(), now())`,
    [second],
  );
  const all = audienceIn({ search: "filter.test" });
  expect(await audienceOf(all)).toMatchObject({ total: 1, team: 2, rows: [{ id: third }] });
  expect(await audienceOf(all, "true")).toMatchObject({ total: 3, team: 0 });
  expect((await audienceOf("everybody")).rows.map(({ email }) => email)).not.toContain("admin@academy.test");
});
