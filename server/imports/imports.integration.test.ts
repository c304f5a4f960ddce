import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import {
  type CheckedImport,
  checkImport,
  deleteImport,
  getImport,
  type ImportMapping,
  importErrorsUrl,
  inviteImported,
  listImportRows,
  listImports,
  previewImportInvitation,
  startImport,
  stopImport,
} from "#contract/admin/imports.ts";
import { suspendAccount } from "#contract/admin/users.ts";
import { chooseAnnouncements } from "#contract/announcements.ts";
import { deleteUser } from "#contract/profile.ts";
import { listElsewhere } from "#contract/progress.ts";
import { cancelOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { booksOf } from "#test/books.ts";
import { confirmAddress } from "#test/coaching.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { until } from "#test/until.ts";
import { hiddenFieldsOf, type Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();

async function upload(content: string | Uint8Array<ArrayBuffer>, mapping?: ImportMapping | string, name = "list.csv") {
  const form = new FormData();
  if (mapping) form.append("mapping", typeof mapping === "string" ? mapping : JSON.stringify(mapping));
  form.append("file", new File([content], name));
  const response = await admin.send("POST", checkImport.path, form);
  const body = (await response.json()) as CheckedImport & { message: string };
  return { status: response.status, body };
}

const lines = (...rows: string[]) => `${rows.join("\r\n")}\r\n`;
const at = (id: string) => ({ params: { id }, body: {} });

async function ended(id: string) {
  const running = "select from imports where id = $1 and state = 'running'";
  await until(async () => (await academy.pool.query(running, [id])).rowCount === 0);
  return (await admin.call(getImport, { params: { id } })).body;
}

async function imported(content: string | Uint8Array<ArrayBuffer>, mapping?: ImportMapping | string) {
  const { status, body } = await upload(content, mapping);
  expect(status, body.message).toBe(201);
  expect((await admin.call(startImport, at(body.id))).status).toBe(200);
  return { checked: body, ended: await ended(body.id) };
}

const invitationsOf = async (id: string) => (await admin.call(getImport, { params: { id } })).body.invitations;

/** Confirms the address by the link that was mailed to it, and signs in with it. */
async function confirmed(email: string): Promise<Visitor> {
  const who = await academy.visitor().signUpAtIssuer(email);
  const { text } = await academy.mailTo({ email }, /onfirm/);
  const page = await who.navigate(/http\S+token=\S+/.exec(text)?.[0] ?? "");
  await who.navigate(page.url.pathname, hiddenFieldsOf(page.html));
  return who.signInAtIssuer();
}

test("a dry run says what each row would do, and changes nobody", async () => {
  const student = await inRole(academy, null, "known@example.test");
  const { status, body } = await upload(
    lines(
      "Email,Name,Plan,Until",
      "new@example.test,Ana,Annual Access,2999-01-31",
      "NEW@example.test,Again,Lifetime Access,",
      "known@example.test,Known,Lifetime Access,",
      "no address,Nobody,,",
      "past@example.test,Past,monthly,2020-01-31",
      "gold@example.test,Gold,Gold,",
      `long@example.test,${"x".repeat(10_000)},,`,
    ),
  );
  expect(status).toBe(201);
  expect(body).toMatchObject({
    state: "checked",
    counts: { new: 1, changed: 1, same: 0, refused: 5 },
    mapping: { email: "Email", name: "Name", plan: "Plan", until: "Until" },
    unknownPlans: ["Gold"],
    rows: [
      { line: 2, fate: "refused", reason: "The last day is more than a hundred years away." },
      { line: 3, fate: "new" },
      { line: 4, fate: "changed" },
      { line: 5, fate: "refused" },
      { line: 6, fate: "refused", reason: "The access ended before today." },
      { line: 7, fate: "refused", reason: "We have no plan called “Gold”." },
      { line: 8, fate: "refused", reason: "The name is longer than 200 characters." },
    ],
  });
  expect(await student.access()).toMatchObject({ hasAccess: false });
  expect((await admin.call(listImports)).body.rows).toEqual([]);
});

test("a plan is given at once with a confirmed account, else when the address signs in, and never lowers one [N09]", async () => {
  const [holder, payer] = [await academy.buyer("vip"), await academy.buyer("basic")];
  for (const buyer of [holder, payer]) await confirmAddress(academy, buyer);
  const known = await inRole(academy, null, "here@example.test");
  const unproved = await academy.visitor().signUp("unproved@example.test");
  const email = "moves@example.test";
  const file = lines(
    "email;plan;completed",
    `${holder.email};basic;`,
    `${payer.email};vip;`,
    `${known.email};premium;lesson-1-1`,
    `${unproved.email};premium;`,
    `${email};premium;lesson-1-1|lesson-1-2`,
  );
  const first = await imported(file);
  const outcomes = { given: 1, invited: 3, same: 1 };
  expect(first.ended).toMatchObject({ state: "done", people: 5, done: 4, skipped: 1, outcomes });
  expect(await holder.access()).toMatchObject({ tier: "vip", source: "purchase" });
  expect(await payer.access()).toMatchObject({ tier: "basic" });
  expect(await payer.subscription()).toMatchObject({ state: "renewing" });
  expect(await known.access()).toMatchObject({ tier: "premium", source: "import" });
  expect(await unproved.access()).toMatchObject({ tier: null });

  const twice = await upload(file);
  expect(twice.body.counts).toEqual({ new: 0, changed: 0, same: 5, refused: 0 });

  const stranger = await academy.visitor().signUpAtIssuer("stranger@example.test");
  expect(await stranger.access()).toMatchObject({ tier: null });
  const mover = await confirmed(email);
  const given = await mover.access();
  expect(given).toMatchObject({ tier: "premium", source: "import" });
  await mover.signInAtIssuer();
  expect(await mover.access()).toEqual(given);
  const rows = await admin.call(listImportRows, { params: { id: first.checked.id }, query: { outcome: "claimed" } });
  expect(rows.body.rows).toMatchObject([{ email, userId: await mover.id(), completed: 2 }]);
  expect((await mover.call(listElsewhere)).body).toEqual(["lesson-1-1", "lesson-1-2"]);
  const counted = "select count(*)::int as n from course_progress where user_id = $1";
  expect((await academy.pool.query(counted, [await mover.id()])).rows).toEqual([{ n: 0 }]);
  expect((await upload(file)).body.counts).toEqual({ new: 0, changed: 0, same: 5, refused: 0 });
  // Imported plans count as given, not as unpaid.
  expect(await booksOf(admin).compare()).toEqual([]);
}, 60_000);

const openTo = async (email: string) =>
  (await academy.pool.query("select tier from import_rows where email = $1 and outcome = 'invited'", [email])).rows;

test("a later list adds to an invitation, takes nothing from it, and leaves it when it is deleted", async () => {
  const email = "twice@example.test";
  const file = (plan: string) => lines("email,plan", `${email},${plan}`);
  const first = await imported(file("premium"));
  expect((await upload(file("basic"))).body.counts).toMatchObject({ same: 1 });
  const second = await imported(file("vip"));
  expect(second.ended.outcomes).toEqual({ invited: 1 });
  expect(await openTo(email)).toEqual([{ tier: "vip" }]);
  await admin.call(deleteImport, at(second.checked.id));
  expect(await openTo(email)).toEqual([{ tier: "premium" }]);

  const { body } = await upload(file("basic"));
  expect(body.counts).toMatchObject({ same: 1 });
  await admin.call(deleteImport, at(first.checked.id));
  await admin.call(startImport, at(body.id));
  expect((await ended(body.id)).outcomes).toEqual({ invited: 1 });
  expect(await openTo(email)).toEqual([{ tier: "basic" }]);
});

test("a row is refused when its plan is higher and that of an earlier list lasts longer", async () => {
  await imported(lines("email,plan,until", "either@example.test,premium,2090-01-31"));
  const { checked, ended } = await imported(lines("email,plan,until", "either@example.test,vip,2028-01-31"));
  expect(checked.rows).toMatchObject([{ fate: "refused", reason: expect.stringMatching(/^An earlier list promises/) }]);
  expect(ended.outcomes).toEqual({ refused: 1 });
  expect(await openTo("either@example.test")).toEqual([{ tier: "premium" }]);
});

test("a plan waits while a membership renews, and adds nothing once its last day has passed [N09]", async () => {
  const payer = await confirmed("pays@example.test");
  expect((await payer.buy("basic")).status).toBe(200);
  const list = lines("email,plan,completed", "pays@example.test,vip,lesson-1-1");
  const reason = "They pay for a membership. The plan waits for a sign-in after it ends.";
  expect((await upload(lines("email,plan", "pays@example.test,vip"))).body).toMatchObject({
    counts: { changed: 1 },
    rows: [{ reason }],
  });
  expect((await upload(list)).body.rows).toMatchObject([{ fate: "changed", reason }]);
  expect((await imported(`${list}late@example.test,vip,`)).ended.outcomes).toEqual({ invited: 2 });
  expect((await imported(list)).ended.outcomes).toEqual({ same: 1 });
  await payer.signInAtIssuer();
  expect(await payer.access()).toMatchObject({ tier: "basic" });
  expect((await payer.call(listElsewhere)).body).toEqual(["lesson-1-1"]);
  expect(await openTo("pays@example.test")).toEqual([{ tier: "vip" }]);
  expect((await payer.call(cancelOwnSubscription, { body: {} })).status).toBe(200);
  await payer.signInAtIssuer();
  expect(await payer.access()).toMatchObject({ tier: "vip", source: "import" });
  const { rows } = (await admin.call(listAudit, { query: { subject: await payer.id() } })).body;
  expect(rows).toContainEqual(expect.objectContaining({ action: "give imported plan" }));

  await academy.pool.query(
    "update import_rows set ends_at = now() - interval '1 day' where email = 'late@example.test'",
  );
  expect(await (await confirmed("late@example.test")).access()).toMatchObject({ tier: null });
  const late = await academy.pool.query("select outcome, reason from import_rows where email = 'late@example.test'");
  expect(late.rows).toEqual([{ outcome: "same", reason: "The access has ended." }]);
}, 60_000);

test("a completed lesson that no longer exists keeps nobody from the plan of their list [N09]", async () => {
  const email = "waits@example.test";
  await imported(lines("email,plan,completed", `${email},premium,lesson-1-1`));
  const vanished = `update import_rows set completed = '["lesson-1-1","gone"]' where email = $1`;
  await academy.pool.query(vanished, [email]);
  const student = await confirmed(email);
  expect(await student.access()).toMatchObject({ tier: "premium", source: "import" });
  expect((await student.call(listElsewhere)).body).toEqual(["lesson-1-1"]);
});

test("columns without a name and words of JavaScript mean nothing", async () => {
  const rows = ["0,plain@example.test,basic", "1,odd@example.test,constructor", "2,proto@example.test,__proto__"];
  const { status, body } = await upload(lines(",email,plan", ...rows));
  expect(status, body.message).toBe(201);
  expect(body).toMatchObject({ counts: { new: 1, refused: 2 }, unknownPlans: ["constructor", "__proto__"] });
});

test("nobody who is suspended is given anything, and who deletes their account leaves no row", async () => {
  const known = await inRole(academy, null, "suspended@example.test");
  await admin.call(suspendAccount, { body: { userId: await known.id(), reason: "Shared a password" } });
  const file = lines("email,plan", "suspended@example.test,vip", "leaver@example.test,basic");
  const { checked } = await imported(file);
  expect(checked.rows[0]).toMatchObject({ fate: "refused", reason: "The account is on hold or suspended." });
  const leaver = await confirmed("leaver@example.test");
  expect(await leaver.access()).toMatchObject({ tier: "basic" });
  expect((await leaver.call(deleteUser)).status).toBe(200);
  const left = "select 1 from import_rows where email = 'leaver@example.test'";
  expect((await academy.pool.query(left)).rowCount).toBe(0);
}, 60_000);

test("formulas and HTML in a list stay text, and a workbook is imported [N10]", async () => {
  const name = "=HYPERLINK(“x”) <b>Zoë</b>";
  const { writeXlsx } = await import("hucre/xlsx");
  const rows = [
    ["Email", "Name", "Plan", "Until"],
    ["sheet@example.test", name, "premium", new Date("2031-05-31T00:00:00Z")],
  ];
  const workbook = await writeXlsx({ sheets: [{ name: "Students", rows }] });
  const { body } = await upload(new Uint8Array(workbook), undefined, "list.xlsx");
  expect(body.counts, body.message).toEqual({ new: 1, changed: 0, same: 0, refused: 0 });
  const listed = await admin.call(listImportRows, { params: { id: body.id } });
  expect(listed.body.rows).toMatchObject([{ name, tier: "premium", until: expect.stringMatching(/^2031-06-01/) }]);
});

test("a file that is no list, is too large or lacks a chosen column is refused [N10]", async () => {
  const refused = async (content: string, mapping?: string) => {
    const { status, body } = await upload(content, mapping);
    return `${status} ${body.message}`;
  };
  expect(await refused("")).toMatch(/^400 This file is empty/);
  expect(await refused("email\na@example.test\n", '{"email":"Mail"}')).toMatch(/no column called “Mail”/);
  expect(await refused("x".repeat(21 * 1024 * 1024))).toMatch(/^413/);
});

test("the file of errors has the file's own columns, and imports cleanly once it is corrected", async () => {
  const { checked, ended } = await imported(
    lines("Email,Note,Plan", "fine@example.test,ok,basic", "wrong,=1+1,basic", "also@example.test,x,Gold"),
  );
  expect(ended.counts).toMatchObject({ new: 1, refused: 2 });
  const response = await admin.send("GET", importErrorsUrl(checked.id));
  const errors = await response.text();
  expect(errors).toBe(
    lines(
      "Email,Note,Plan,Import error",
      "wrong,'=1+1,basic,This isn’t an email address.",
      "also@example.test,x,Gold,We have no plan called “Gold”.",
    ),
  );
  const { rows: audit } = (await admin.call(listAudit, { query: { subject: checked.id } })).body;
  expect(audit).toContainEqual(expect.objectContaining({ action: "export import errors", after: { rows: 2 } }));
  const corrected = await upload(errors.replace("wrong", "right@example.test").replace("Gold,", "vip,"));
  expect(corrected.body.counts).toEqual({ new: 2, changed: 0, same: 0, refused: 0 });
});

test("exports of other programs are recognized, and words for plans can be chosen", async () => {
  const ghost = await upload(
    lines(
      "id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers",
      "1,ghost@example.test,Gus,,false,,,2024-01-01,,,Gold",
    ),
  );
  expect(ghost.body).toMatchObject({ source: "ghost", mapping: { plan: "tiers", subscribed: "subscribed_to_emails" } });
  const chosen = { email: "email", plan: "tiers", plans: { Gold: "premium" } } as const;
  const again = await upload(lines("email,tiers", "ghost@example.test,Gold"), chosen);
  expect(again.body.counts).toMatchObject({ new: 1 });
  const members = lines("First name,Last name,Email,Sign in count", "Ti,Mo,ti@example.test,3");
  const thinkific = await upload(members, "thinkific");
  expect(thinkific.body.mapping).toMatchObject({ name: "First name", lastName: "Last name", email: "Email" });
  const dates = lines("email,plan,until", "dates@example.test,basic,31/12/2031");
  const read = { email: "email", plan: "plan", until: "until" };
  expect((await upload(dates)).body).toMatchObject({ counts: { new: 1 }, mapping: { ...read, dates: "dmy" } });
  expect((await upload(dates, { ...read, dates: "mdy" })).body.counts).toMatchObject({ refused: 1 });
  const nameless = await upload(lines("contact,plan", "dates@example.test,basic"));
  expect(nameless.body).toMatchObject({ counts: { refused: 1 }, mapping: { plan: "plan" } });
});

test("invitations are sent once each and only when asked, as many an hour as chosen, not to the unsubscribed or blocked [N11]", async () => {
  const quiet = await academy.visitor().signUp("quiet@example.test");
  await quiet.call(chooseAnnouncements, { body: { wanted: false } });
  const blocked = await academy.visitor().signUp("blocked@example.test");
  const people = Array.from({ length: 5 }, (_, n) => `crowd-${n}@example.test,premium,yes`);
  const { checked } = await imported(
    lines(
      "email,plan,subscribed",
      ...["quiet@example.test,premium,yes", "blocked@example.test,premium,yes", "left@example.test,premium,no"],
      ...people,
    ),
  );
  const { id } = checked;
  expect(checked.invitations).toMatchObject({ unsubscribed: 1 });
  const { rows } = (await admin.call(listImportRows, { params: { id } })).body;
  expect(rows.filter(({ mayEmail }) => !mayEmail)).toMatchObject([{ email: "left@example.test" }]);
  expect(await invitationsOf(id)).toMatchObject({ state: "none", waiting: 7, sent: 0, unsubscribed: 1 });
  await admin.call(suspendAccount, { body: { userId: await blocked.id(), reason: "Shared a password" } });
  const { subject, html } = (await admin.call(previewImportInvitation, { params: { id } })).body;
  expect([subject, html]).toEqual([expect.stringMatching(/is ready$/), expect.stringContaining("Annual Access")]);
  expect((await admin.call(inviteImported, { params: { id }, body: { perHour: 3 } })).status).toBe(200);
  await until(async () => (await invitationsOf(id)).sent === 3);
  expect((await admin.call(stopImport, at(id))).body.invitations).toMatchObject({ state: "stopped", sent: 3 });
  expect((await admin.call(inviteImported, { params: { id }, body: {} })).status).toBe(200);
  await until(async () => (await invitationsOf(id)).state === "done");
  expect(await invitationsOf(id)).toMatchObject({ sent: 5, waiting: 0, unsubscribed: 2 });
  const { text } = await academy.mailTo({ email: "crowd-0@example.test" }, /is ready/);
  expect(text).toContain("crowd-0@example.test");
  expect((await admin.call(deleteImport, at(id))).status).toBe(200);
  const open = "select 1 from import_rows where email like 'crowd-%'";
  expect((await academy.pool.query(open)).rowCount).toBe(0);

  const again = (await imported(lines("email", "crowd-0@example.test", "fresh@example.test"))).checked;
  await admin.call(inviteImported, { params: { id: again.id }, body: {} });
  await until(async () => (await invitationsOf(again.id)).state === "done");
  await academy.mailTo({ email: "fresh@example.test" }, /is ready/);
  expect(await academy.mails("crowd-0@example.test")).toHaveLength(1);
}, 60_000);

test("whoever unsubscribed in a later list is not invited [N11]", async () => {
  const file = (subscribed: string) => lines("email,plan,subscribed", `regrets@example.test,premium,${subscribed}`);
  const { checked } = await imported(file("yes"));
  expect(await invitationsOf(checked.id)).toMatchObject({ waiting: 1 });
  expect((await imported(file("no"))).ended.outcomes).toEqual({ same: 1 });
  expect(await invitationsOf(checked.id)).toMatchObject({ waiting: 0 });
});

test("an administrator sends the invitations of a list whose author has left the team", async () => {
  const author = await inRole(academy, "administrator", "author@example.test");
  const { checked } = await imported(lines("email", "inherited@example.test"));
  const has = "update imports set author_id = $1 where id = $2";
  await academy.pool.query(has, [await author.id(), checked.id]);
  await academy.pool.query("update users set role = null where email = 'author@example.test'");
  await admin.call(inviteImported, { params: { id: checked.id }, body: {} });
  expect(await academy.mailTo({ email: "inherited@example.test" }, /is ready/)).toBeDefined();
});

test("invitations end with the sender's role, and the hour's limit outlasts the list [N11]", async () => {
  const helper = await inRole(academy, "administrator", "sender@example.test");
  const list = await imported(lines("email", "first@example.test", "second@example.test"));
  const { id } = list.checked;
  // As many as were sent in this hour by this file's other tests, and one more.
  const { rows } = await academy.pool.query<{ sent: number }>("select count(*)::int as sent from import_mails");
  const perHour = (rows[0]?.sent ?? 0) + 1;
  expect((await helper.call(inviteImported, { params: { id }, body: { perHour } })).status).toBe(200);
  await until(async () => (await invitationsOf(id)).sent === 1);
  await academy.pool.query("update users set role = null where email = 'sender@example.test'");
  await academy.advance("61m", admin);
  await until(async () => (await invitationsOf(id)).state === "stopped");
  expect(await invitationsOf(id)).toMatchObject({ sent: 1, waiting: 1 });

  await admin.call(inviteImported, { params: { id }, body: { perHour: 1 } });
  await until(async () => (await invitationsOf(id)).state === "done");
  expect((await admin.call(deleteImport, at(id))).status).toBe(200);
  const next = (await imported(lines("email", "third@example.test"))).checked.id;
  await admin.call(inviteImported, { params: { id: next }, body: { perHour: 1 } });
  const turn = "select sending_turn as turn from imports where id = $1";
  await until(async () => (await academy.pool.query<{ turn: number }>(turn, [next])).rows[0]?.turn === 2);
  expect(await invitationsOf(next)).toMatchObject({ state: "sending", sent: 0 });
  await academy.advance("61m", admin);
  await until(async () => (await invitationsOf(next)).state === "done");
  expect(await academy.mails("third@example.test")).toHaveLength(1);
}, 60_000);

test("an import is started once, and stopping it leaves the rest for another file [N12]", async () => {
  const people = Array.from({ length: 400 }, (_, n) => `many-${n}@example.test`);
  const { body } = await upload(lines("email", ...people));
  const starts = await Promise.all([admin.call(startImport, at(body.id)), admin.call(startImport, at(body.id))]);
  expect(starts.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const stopped = await admin.call(stopImport, at(body.id));
  const { outcomes = {}, state } = stopped.body;
  if (stopped.status === 200) expect(state).toBe("stopped");
  const after = await ended(body.id);
  expect((after.outcomes.invited ?? 0) + (after.outcomes.stopped ?? 0)).toBe(400);
  expect(outcomes.invited ?? 0).toBeLessThanOrEqual(after.outcomes.invited ?? 0);
});

test("the names of a file's columns are forgotten with the last row that was left out", async () => {
  const { checked } = await imported(lines("email,Ana Reyes", "kept@example.test,", "wrong,"));
  const columnsOf = async () =>
    (await academy.pool.query("select columns from imports where id = $1", [checked.id])).rows[0]?.columns;
  await academy.advance("2d", admin);
  expect(await columnsOf()).toEqual(["email", "Ana Reyes"]);
  await academy.advance("30d", admin);
  expect(await columnsOf()).toEqual([]);
}, 60_000);
