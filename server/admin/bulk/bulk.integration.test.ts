import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { getAudience } from "#contract/admin/announcements.ts";
import { listAudit } from "#contract/admin/audit.ts";
import {
  type BulkOperation,
  bulkSteps,
  getBulkAction,
  listBulkActions,
  listBulkPeople,
  maxPeople,
  previewBulkAction,
  previewUndo,
  selectAudience,
  startBulkAction,
  type UserSelection,
  undoBulkAction,
} from "#contract/admin/bulk-actions.ts";
import { countContacts, listContacts, markContacts } from "#contract/admin/contacts.ts";
import { runReconciliation } from "#contract/admin/reconciliation.ts";
import {
  deleteUserAccount,
  listUsers,
  reactivateAccount,
  suspendAccount,
  updateUserTier,
} from "#contract/admin/users.ts";
import { sendContactMessage } from "#contract/contact.ts";
import type { Tier } from "#contract/tiers.ts";
import { exportList } from "#test/export-list.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { until } from "#test/until.ts";

const env = { ADMIN_EMAILS: "admin@academy.test,vip@academy.test" };
const { academy, administrator: admin, test } = await academyOfFile(env);

async function studentWith(tier: Tier | null) {
  const visitor = await (tier ? academy.buyer(tier) : academy.visitor().signUp());
  return { visitor, id: await visitor.id() };
}

type Student = Awaited<ReturnType<typeof studentWith>>;

const auditOf = async ({ id }: Student) =>
  (await admin.call(listAudit, { query: { subject: id } })).body.rows.map(({ action }) => action);
const idsOf = (students: readonly Student[]) => ({ ids: students.map(({ id }) => id) });

async function previewOf(selection: UserSelection, operation: BulkOperation, by = admin) {
  return by.call(previewBulkAction, { body: { selection, operation } });
}

async function begin(selection: UserSelection, operation: BulkOperation, reason?: string) {
  const { body } = await previewOf(selection, operation);
  const asked = { selection, operation, reason, preview: body.preview };
  return admin.call(startBulkAction, { params: { id: randomUUID() }, body: asked });
}

async function ended(id: string) {
  return until(async () => {
    const { body } = await admin.call(getBulkAction, { params: { id } });
    return body.state !== "running" && body;
  });
}

async function doTo(selection: UserSelection, operation: BulkOperation, reason?: string) {
  const { status, body } = await begin(selection, operation, reason);
  expect(status, JSON.stringify(body)).toBe(200);
  return ended(body.id);
}

async function undone(id: string) {
  const { status, body } = await admin.call(undoBulkAction, { params: { id }, body: {} });
  expect(status, JSON.stringify(body)).toBe(200);
  return ended(body.id);
}

test("a plan is granted to those who have less, as previewed, and undoing ends exactly these grants [W04]", async () => {
  const [none, monthly, annual, lifetime, later] = [
    await studentWith(null),
    await studentWith("basic"),
    await studentWith("premium"),
    await studentWith("vip"),
    await studentWith(null),
  ];
  const [boss] = (await admin.call(listUsers, { query: { search: "vip@academy.test" } })).body;
  const selection = { ids: [...idsOf([none, monthly, annual, lifetime, later]).ids, boss?.id ?? ""] };
  const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const operation = { kind: "grant", tier: "premium", endsAt: inAMonth } as const;

  const preview = await previewOf(selection, operation);
  expect(preview.body).toMatchObject({ people: 6, concerned: 3, endsSubscriptions: 1 });
  expect(preview.body.skipped.toSorted((a, b) => a.reason.localeCompare(b.reason))).toEqual([
    { reason: "has-it", people: 1 },
    { reason: "higher-plan", people: 1 },
    { reason: "team", people: 1 },
  ]);
  const action = await doTo(selection, operation, "The shop was closed");
  expect(action).toMatchObject({ state: "done", people: 6, done: 3, skipped: 3, actorName: "Ruth Okafor" });
  expect(action.skippedBecause).toHaveLength(3);
  for (const student of [none, monthly, later]) {
    expect(await student.visitor.access()).toMatchObject({ tier: "premium", until: inAMonth, source: "administrator" });
    expect(await auditOf(student)).toEqual(["change tier"]);
  }
  expect(await monthly.visitor.purchase()).toMatchObject({ subscriptionStatus: "cancelled" });
  expect(await lifetime.visitor.access()).toMatchObject({ tier: "vip" });
  const left = await admin.call(listBulkPeople, { params: { id: action.id } });
  expect(left.body.total).toBe(3);
  expect(left.body.rows.map(({ reason }) => reason).toSorted()).toEqual(["has-it", "higher-plan", "team"]);

  expect((await admin.call(updateUserTier, { body: { userId: later.id, newTier: "vip" } })).status).toBe(200);
  const asked = await admin.call(previewUndo, { params: { id: action.id } });
  expect(asked.body).toEqual({ people: 3, concerned: 2, skipped: [{ reason: "changed", people: 1 }] });
  const undo = await undone(action.id);
  expect(undo).toMatchObject({ undoes: action.id, done: 2, skipped: 1, undoUntil: null });
  expect(await none.visitor.access()).toMatchObject({ tier: null });
  expect(await monthly.visitor.access()).toMatchObject({ tier: "basic", source: "purchase" });
  expect(await later.visitor.access()).toMatchObject({ tier: "vip" });
  expect(await auditOf(none)).toEqual(["take back plan", "change tier"]);
  expect((await admin.call(runReconciliation, { body: {} })).body.rows).toEqual([]);
  const again = await admin.call(undoBulkAction, { params: { id: action.id }, body: {} });
  expect(again.body.id).toBe(undo.id);
  expect((await admin.call(undoBulkAction, { params: { id: undo.id }, body: {} })).status).toBe(409);
});

test("pressing twice begins one action, and each person is changed once [W02]", async () => {
  const students = [await studentWith(null), await studentWith(null)];
  const operation = { kind: "grant", tier: "basic" } as const;
  const { preview } = (await previewOf(idsOf(students), operation)).body;
  const call = { params: { id: randomUUID() }, body: { selection: idsOf(students), operation, preview } };
  const answers = await Promise.all([1, 2, 3].map(() => admin.call(startBulkAction, call)));
  expect(answers.map(({ status, body }) => [status, body.id])).toEqual(Array(3).fill([200, call.params.id]));
  expect(await ended(call.params.id)).toMatchObject({ done: 2, skipped: 0 });
  for (const student of students) expect(await auditOf(student)).toEqual(["change tier"]);
  const boss = await academy.visitor().signInAsDemo("vip@academy.test");
  expect((await boss.call(startBulkAction, call)).status).toBe(409);
});

test("undoing reopens held and suspended accounts, except those that changed since [W04]", async () => {
  const [monthly, annual, other] = [
    await studentWith("basic"),
    await studentWith("premium"),
    await studentWith("basic"),
  ];
  const selection = idsOf([monthly, annual, other]);
  const held = await doTo(selection, { kind: "hold" }, "The bank asked");
  expect(held).toMatchObject({ done: 2, skippedBecause: [{ reason: "nothing-renews", people: 1 }] });
  expect(await monthly.visitor.access()).toMatchObject({
    accountStatus: "on_hold",
    suspensionReason: "The bank asked",
  });
  await admin.call(reactivateAccount, { body: { userId: other.id } });
  await admin.call(suspendAccount, { body: { userId: other.id, reason: "Shared it" } });
  expect(await undone(held.id)).toMatchObject({ done: 1, skippedBecause: [{ reason: "changed", people: 1 }] });
  expect(await monthly.visitor.access()).toMatchObject({ accountStatus: "active", hasAccess: true });
  expect(await other.visitor.access()).toMatchObject({ accountStatus: "suspended", suspensionReason: "Shared it" });

  const unfounded = await begin(selection, { kind: "suspend" });
  expect(unfounded).toMatchObject({ status: 400, body: { errors: { reason: ["Required"] } } });
  const suspended = await doTo(selection, { kind: "suspend" }, "Refunded elsewhere");
  expect(suspended).toMatchObject({ done: 2, skippedBecause: [{ reason: "suspended", people: 1 }] });
  const opened = await doTo(selection, { kind: "reactivate" });
  expect(opened).toMatchObject({ done: 3, skipped: 0 });
  expect(await undone(opened.id)).toMatchObject({ done: 3 });
  expect(await annual.visitor.access()).toMatchObject({
    accountStatus: "suspended",
    suspensionReason: "Refunded elsewhere",
  });
  expect(await other.visitor.access()).toMatchObject({ accountStatus: "suspended", suspensionReason: "Shared it" });
});

test("undoing a suspension leaves on hold who was on hold before, for the reason of then [W04]", async () => {
  const [held, open] = [await studentWith("basic"), await studentWith("basic")];
  await doTo(idsOf([held]), { kind: "hold" }, "The bank asked");
  const suspended = await doTo(idsOf([held, open]), { kind: "suspend" }, "Shared it");
  expect(await undone(suspended.id)).toMatchObject({ done: 2 });
  expect(await open.visitor.access()).toMatchObject({ accountStatus: "active", hasAccess: true });
  expect(await held.visitor.access()).toMatchObject({ accountStatus: "on_hold", suspensionReason: "The bank asked" });
  expect(await held.visitor.purchase()).toMatchObject({ nextBillingDate: null });
});

async function addCrowd(name: string, size: number): Promise<void> {
  await academy.pool.query(
    `insert into users (id, email, email_verified, first_name, created_at, updated_at)
     select $1 || n, $1 || n || '@example.test', true, $1, now() - interval '1 day', now() from generate_series(1, $2::int) n`,
    [name, size],
  );
}

test("the server selects by the filter, fixes the people at the start, and limits their number [W01 W03]", async () => {
  await addCrowd("filtered", 12);
  const filter = { search: "filtered", tier: "none" } as const;
  const selection = { filter, except: ["filtered7"] };
  const operation = { kind: "grant", tier: "basic" } as const;
  const { body } = await previewOf(selection, operation);
  expect(body).toMatchObject({ people: 11, concerned: 11, skipped: [] });
  // Who joins after the preview is not concerned, and who begins to match makes it another one.
  await academy.pool.query(`insert into users (id, email, first_name, created_at, updated_at)
    values ('filtered-late', 'late@example.test', 'filtered', now() + interval '1 minute', now())`);
  await academy.pool.query("update users set purchased_tier = 'vip' where id = 'filtered8'");
  const asked = { selection, operation, preview: body.preview };
  for (const preview of ["0000-01-01T00:00:00.000Z x", "+275760-09-13T00:00:00.000Z x", "none"]) {
    const refused = await admin.call(startBulkAction, { params: { id: randomUUID() }, body: { ...asked, preview } });
    expect(refused.status, preview).toBe(400);
  }
  const stale = await admin.call(startBulkAction, { params: { id: randomUUID() }, body: asked });
  expect(stale).toMatchObject({ status: 409, body: { code: "conflict" } });
  await academy.pool.query("update users set purchased_tier = null where id = 'filtered8'");
  const started = await admin.call(startBulkAction, { params: { id: randomUUID() }, body: asked });
  expect(started.status).toBe(200);
  expect(await ended(started.body.id)).toMatchObject({ people: 11, done: 11 });
  const leftOut = "select 1 from users where id in ('filtered7', 'filtered-late') and purchased_tier is null";
  expect((await academy.pool.query(leftOut)).rowCount).toBe(2);

  await addCrowd("toomany", maxPeople + 1);
  const refused = await previewOf({ filter: { search: "toomany" }, except: [] }, operation);
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining("The limit is 10,000") } });
});

test("an action is paused, resumed and stopped, and what it did by then is undone", async () => {
  await addCrowd("stopped", 1000);
  const selection = { filter: { search: "stopped" }, except: [] };
  const { body } = await begin(selection, { kind: "suspend" }, "By mistake");
  const now = async () => (await admin.call(getBulkAction, { params: { id: body.id } })).body;
  await until(async () => (await now()).done > 0);
  const take = (step: "pause" | "resume") => admin.call(bulkSteps[step], { params: { id: body.id }, body: {} });
  const { body: paused } = await take("pause");
  expect(paused).toMatchObject({ state: "paused", waiting: 1000 - paused.done, undoUntil: null });
  await academy.advance("1h");
  await admin.signInAgain();
  expect((await admin.call(deleteUserAccount, { body: { userId: "stopped999" } })).status).toBe(200);
  expect(await now()).toMatchObject({ done: paused.done, skipped: paused.skipped + 1, waiting: paused.waiting - 1 });
  expect((await take("resume")).body.state).toBe("running");
  await until(async () => (await now()).done > paused.done);
  const stopped = await admin.call(bulkSteps.stop, { params: { id: body.id }, body: {} });
  expect(stopped.body).toMatchObject({ state: "stopped", people: 1000 });
  expect(stopped.body.done + stopped.body.skipped).toBe(1000);
  expect((await admin.call(bulkSteps.stop, { params: { id: body.id }, body: {} })).status).toBe(409);
  const { rows: steps } = (await admin.call(listAudit, { query: { subject: body.id } })).body;
  expect(steps.map(({ action }) => action)).toEqual(["stop many", "resume many", "pause many", "suspend many"]);
  expect(steps[0]?.after).toEqual({ state: "stopped", stoppedBefore: 1000 - stopped.body.done - 1 });
  expect(await undone(body.id)).toMatchObject({ done: stopped.body.done, skipped: 0 });
  const suspended = "select 1 from users where account_status = 'suspended' and first_name = 'stopped'";
  expect((await academy.pool.query(suspended)).rowCount).toBe(0);
  const { rows } = (await admin.call(listBulkActions)).body;
  expect(rows.find(({ id }) => id === body.id)).toMatchObject({ undoUntil: null });
});

test("a deleted account leaves bulk actions, which can be undone for 30 days", async () => {
  const student = await studentWith(null);
  const action = await doTo(idsOf([student]), { kind: "suspend" }, "A reason");
  const places = "select 1 from bulk_action_people where user_id = $1";
  expect((await academy.pool.query(places, [student.id])).rowCount).toBe(1);
  expect((await admin.call(deleteUserAccount, { body: { userId: student.id } })).status).toBe(200);
  expect((await academy.pool.query(places, [student.id])).rowCount).toBe(0);
  const longAgo = "update bulk_actions set finished_at = finished_at - interval '31 days' where id = $1";
  await academy.pool.query(longAgo, [action.id]);
  expect((await admin.call(undoBulkAction, { params: { id: action.id }, body: {} })).status).toBe(409);
});

test("an announcement is written to selected people", async () => {
  await addCrowd("written", 30);
  await academy.pool.query("update users set email_verified = false where id in ('written1', 'written2')");
  const selection = { filter: { search: "written" }, except: ["written3"] };
  const { body } = await admin.call(selectAudience, { body: { selection } });
  expect(body.people).toBe(29);
  const audience = await admin.call(getAudience, { query: { audience: body.audience } });
  expect(audience.body).toMatchObject({ total: 27, unconfirmed: 2, suspended: 0 });
});

test("selected users and messages are exported, and messages are marked together", async () => {
  const [first, second] = (await admin.call(listUsers, { query: { limit: "2" } })).body;
  const send = (list: "users" | "contacts", body: object) => exportList(admin, list, body);
  const linesOf = async (answer: Response) => (await answer.text()).trim().split("\r\n");
  const users = await linesOf(await send("users", { ids: [first?.id, second?.id] }));
  expect(users).toHaveLength(3);
  const others = await send("users", { filter: { search: "academy.test" }, except: [first?.id] });
  expect(await others.text()).not.toContain(first?.id);
  expect((await send("users", { ids: [] })).status).toBe(400);

  for (const name of ["One", "Two"]) {
    const body = { name, email: "many@example.test", message: `Is it for beginners? ${name}` };
    await academy.visitor().call(sendContactMessage, { body });
  }
  const messages = (await admin.call(listContacts, { query: { search: "many@example.test" } })).body;
  const contactIds = messages.map(({ id }) => id);
  const marked = await admin.call(markContacts, { body: { contactIds: [...contactIds, "gone"], state: "answered" } });
  expect(marked.body.message).toBe("2 messages marked as answered");
  const again = await admin.call(markContacts, { body: { contactIds, state: "answered" } });
  expect(again.body.message).toBe("0 messages marked as answered");
  const answered = { search: "many@example.test", state: "answered" };
  expect((await admin.call(countContacts, { query: answered })).body.total).toBe(2);
  expect((await linesOf(await send("contacts", { ids: [contactIds[0]] }))).length).toBeGreaterThan(1);
});

test("an action ends when its administrator loses the role [W03]", async () => {
  await addCrowd("orphaned", 1000);
  const boss = await inRole(academy, "administrator");
  const selection = { filter: { search: "orphaned" }, except: [] };
  const operation = { kind: "suspend" } as const;
  const { preview } = (await previewOf(selection, operation, boss)).body;
  const body = { selection, operation, reason: "x", preview };
  const { id } = (await boss.call(startBulkAction, { params: { id: randomUUID() }, body })).body;
  const userId = await boss.id();
  expect((await admin.call(suspendAccount, { body: { userId, reason: "A quarrel" } })).status).toBe(200);
  const action = await ended(id);
  expect(action.state).toBe("stopped");
  expect(action.done).toBeLessThan(1000);
});

test("an administrator starts at most thirty actions an hour [W03]", async () => {
  await addCrowd("oneafter", 3);
  const boss = await inRole(academy, "administrator");
  const statuses: number[] = [];
  for (let at = 1; at <= 3; at++) {
    if (at === 2) {
      const key = `bulk-actions ${await boss.id()}`;
      await academy.pool.query("update limits set uses = uses + 28 where key = $1", [key]);
    }
    const asked = { selection: { ids: [`oneafter${at}`] }, operation: { kind: "grant", tier: "basic" } as const };
    const { preview } = (await previewOf(asked.selection, asked.operation, boss)).body;
    const started = await boss.call(startBulkAction, { params: { id: randomUUID() }, body: { ...asked, preview } });
    statuses.push(started.status);
  }
  expect(statuses).toEqual([200, 200, 429]);
});
