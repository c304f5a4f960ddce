import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect } from "vitest";
import { listContacts } from "#contract/admin/contacts.ts";
import { runReconciliation } from "#contract/admin/reconciliation.ts";
import { getCoaching, takeSeat } from "#contract/coaching/coaching.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { saveNote } from "#contract/notes.ts";
import { deleteUser, exportData, updateProfile, uploadProfileImage } from "#contract/profile.ts";
import { acceptPayment, renewalConsent } from "#contract/purchases/purchases.ts";
import { cancelOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { askQuestion, reportQuestion } from "#contract/questions.ts";
import type { Tier } from "#contract/tiers.ts";
import { merchant } from "#sandbox/gateway/gateway.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { openGatewayProxy } from "#test/stand-ins/gateway-proxy.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { databaseAsText } from "#test/tables.ts";
import { until } from "#test/until.ts";
import { unzip } from "#test/unzip.ts";
import { sendPicture } from "#test/uploads/uploads.ts";
import { actionOf, type Visitor } from "#test/visitor.ts";

const { academy, test } = await academyOfFile();
const sandbox = await forFile(openSandboxProcess());
const between = await forFile(openGatewayProxy(sandbox.url));
const apart = await forFile(openAcademyInProcess(between.env));

/** Signs up a user whose data is unique and so can be searched for. */
async function zuzanna(): Promise<Visitor> {
  const visitor = await academy.visitor().signUpAtIssuer("Zuzanna.Quillfeather@Example.test");
  await visitor.call(updateProfile, {
    body: {
      firstName: "Zuzanna",
      lastName: "Quillfeather",
      phone: "+49 30 555 0199 77",
      location: "Wobbly Lane 7, Quedlinburg",
      bio: "Collector of teaspoons",
    },
  });
  const message = { name: "Zuzanna Q.", email: visitor.email.toUpperCase(), message: "Where are my teaspoons?" };
  await visitor.call(sendContactMessage, { body: message });
  return visitor;
}

/** Confirms the address by the link that was mailed to it. */
async function confirm(person: Visitor): Promise<void> {
  // The newest mail may still be that of an earlier account with this address.
  await until(async () => {
    const mails = await academy.mails();
    const mail = mails.find(
      ({ to, subject }) => to.toLowerCase() === person.email.toLowerCase() && /onfirm/.test(subject),
    );
    const token = /token=(\S+)/.exec(mail?.text ?? "")?.[1];
    return (
      token && (await person.navigate("/issuer/confirm-address", { token })).html.includes("Email address confirmed")
    );
  });
  await person.navigate("/api/login");
}

/** Buys with the consent of the checkout, which holds the buyer's network address. */
async function buy(person: Visitor, tier: Tier) {
  const body = { ...(await person.paymentFor(tier)), renewalConsent: renewalConsent.version };
  return person.call(acceptPayment, { body });
}

/** The gateway's own record of a customer. */
async function findCustomer(sandboxUrl: string, customerProfileId: string): Promise<object> {
  const { apiLoginId: name, transactionKey } = merchant;
  const asked = { merchantAuthentication: { name, transactionKey }, customerProfileId };
  const response = await fetch(`${sandboxUrl}/sandbox/gateway/xml/v1/request.api`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ getCustomerProfileRequest: asked }),
  });
  return JSON.parse((await response.text()).replace(/^\uFEFF/, ""));
}

async function uploadPicture(person: Visitor): Promise<void> {
  const picture = await sharp({ create: { width: 50, height: 50, channels: 3, background: "#345" } })
    .withExif({ IFD0: { Artist: "Quillfeather" } })
    .png()
    .toBuffer();
  const sent = await sendPicture(person, uploadProfileImage.path, "profileImage", picture, "quillfeather.png");
  expect(sent.status).toBe(200);
}

/** Everything in DATA_DIR, except the sandbox: it stands for outside services, with its mailbox and gateway. */
async function filesAsText(): Promise<string> {
  const entries = await readdir(academy.dataDir, { recursive: true, withFileTypes: true });
  const ours = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(academy.dataDir, "sandbox")));
  // A file may be deleted between listing and reading it.
  return [...ours, ...(await Promise.all(ours.map((path) => readFile(path, "latin1").catch(() => ""))))].join("\n");
}

test("a sign-in and words that arrive during the deletion bring nothing of the person back [G02]", async () => {
  const email = "premium@academy.test";
  const student = await academy.visitor().signInAtIssuer(email, "academy-demo");
  const { id } = (await student.call(getCurrentUser)).body;
  const asker = await academy.buyer("basic");
  const asked = { title: "How warm is the oven?", text: "", at: null };
  const { body: thread } = await asker.call(askQuestion, { params: { lessonId: "lesson-1-1" }, body: asked });
  // Before other tests move the clock past it.
  const live = (await student.call(getCoaching)).body.live.find(({ maySit }) => maySit);
  const elsewhere = academy.visitor();
  const page = (await elsewhere.navigate("/api/login")).html;
  const again = actionOf(page);

  const gate = await academy.pool.connect();
  // A table that a deletion reaches late.
  await gate.query("begin; lock table announcement_selections in access exclusive mode");
  const waiting = async (condition: string, number: number) =>
    until(async () => {
      const found = await gate.query(`select from pg_locks waiting where not granted and ${condition}`);
      return (found.rowCount ?? 0) >= number || undefined;
    });
  const deletion = student.call(deleteUser);
  // Retention waits at the gate too, but holds no user's row.
  await waiting(
    "locktype = 'relation' and pid in (select pid from pg_locks where granted and relation = 'users'::regclass)",
    1,
  );
  const late = [
    elsewhere.navigate(again, { email, password: "academy-demo" }),
    student.call(saveNote, {
      params: { id: "late" },
      body: { lessonId: "lesson-1-1", at: 3, text: "Zuzanna was here", replaces: null },
    }),
    student.call(takeSeat, { params: { id: live?.id ?? "" }, body: { question: "Who is Zuzanna?" } }),
    student.call(reportQuestion, { params: { id: thread.question.id }, body: { reason: "Zuzanna knows" } }),
  ];
  await waiting("locktype in ('tuple', 'transactionid')", late.length);
  await gate.query("rollback");
  gate.release();
  expect((await deletion).status).toBe(200);
  await Promise.all(late);
  const { rows: left } = await academy.pool.query(
    `select email, (select count(*)::int from sessions where sess ->> 'userId' = users.id) as sessions,
      (select count(*)::int from bookmarks where user_id = users.id) as notes,
      (select count(*)::int from question_marks where user_id = users.id) as marks,
      (select count(*)::int from live_seats where user_id = users.id and question is not null) as questions
      from users where id = $1`,
    [id],
  );
  expect(left).toEqual([{ email: `deleted-${id}@deleted.invalid`, sessions: 0, notes: 0, marks: 0, questions: 0 }]);
});

test("a deleted person is in no table, file or log, and nothing renews [G02 Z17]", async () => {
  const person = await zuzanna();
  await confirm(person);
  expect((await buy(person, "basic")).status).toBe(200);
  await uploadPicture(person);
  await academy.pool.query(
    "insert into jobs (id, name, data, run_at, failed_at, created_at) values ('failed', 'send-email', $1, now(), now(), now())",
    [{ to: person.email }],
  );
  const other = await academy.visitor().signInAtIssuer(person.email);
  const { id } = (await person.call(getCurrentUser)).body;
  const traces = /zuzanna|quillfeather|555 0199|wobbly lane|teaspoon/i;
  expect(await databaseAsText(academy.pool)).toMatch(traces);
  const { id: purchaseId = "" } = (await person.purchase()) ?? {};
  const books = async () =>
    (await academy.pool.query("select count(*)::int from payment_attempts where user_id = $1", [id])).rows;

  expect(await person.call(deleteUser)).toMatchObject({ status: 200, body: { success: true } });
  for (const browser of [person, other]) expect((await browser.call(getCurrentUser)).status).toBe(401);
  const isFarewell = /^zuzanna\.quillfeather@example\.test: .*was deleted/i;
  await until(async () => (await academy.mails()).some(({ to, subject }) => isFarewell.test(`${to}: ${subject}`)));
  await until(async () => !traces.test(await databaseAsText(academy.pool)));
  expect(await filesAsText()).not.toMatch(traces);
  await until(async () => !/files\/portraits\//.test(await filesAsText()));
  expect(academy.log.join("\n")).not.toMatch(traces);

  const ofAudit = await academy.pool.query("select action from audit_log where $1 in (actor, subject)", [id]);
  expect(ofAudit.rows).toEqual([]);
  const consents = "select consent ->> 'address' as address from purchases where user_id = $1";
  expect((await academy.pool.query(consents, [id])).rows).toEqual([{ address: "" }]);
  expect(await books()).toEqual([{ count: 1 }]);
  await academy.advance("31d");
  expect(await academy.transactionsOf(purchaseId)).toHaveLength(1);
  expect(await databaseAsText(academy.pool)).not.toMatch(traces);
});

test("a deleted account cannot sign in, and its address can make a new account", async () => {
  const person = await academy.visitor().signUpAtIssuer();
  const { id } = (await person.call(getCurrentUser)).body;
  await person.call(deleteUser);
  await expect(person.signInAtIssuer()).rejects.toThrow("right. Please try again");
  const again = await academy.visitor().signUpAtIssuer(person.email);
  expect((await again.call(getCurrentUser)).body.id).not.toBe(id);
});

test("a stranger who leaves writes nothing to the address that they typed [C07]", async () => {
  const stranger = await academy.visitor().signUp("never-asked@example.test");
  const firstName = "claim your prize at https://prize.example";
  const body = { firstName, lastName: "x", phone: "", location: "", bio: "" };
  expect((await stranger.call(updateProfile, { body })).status).toBe(200);
  expect((await stranger.call(deleteUser)).status).toBe(200);
  const mail = await academy.mailTo(stranger, "was deleted");
  expect(mail.text + mail.html).not.toContain("prize");
});

test("making and deleting accounts at a stranger's address again and again does not flood it [C07]", async () => {
  const email = "flooded@example.test";
  for (let round = 0; round < 5; round++) {
    const stranger = await academy.visitor().signUpAtIssuer(email);
    expect((await stranger.call(deleteUser)).status).toBe(200);
  }
  await academy.advance("1m");
  const subjects = (await academy.mails(email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => /was deleted/.test(subject))).toHaveLength(2);
  expect(subjects.length).toBeLessThanOrEqual(6);
});

test("messages are deleted with the account of their confirmed address only [G02]", async ({ administrator }) => {
  const email = "nadia@example.test";
  const body = { name: "Nadia", email, message: "I paid twice" };
  await academy.visitor().call(sendContactMessage, { body });
  const messages = async () => (await administrator.call(listContacts, { query: { search: email } })).body;
  const stranger = await academy.visitor().signUp(email);
  expect((await stranger.call(deleteUser)).status).toBe(200);
  expect(await messages()).toMatchObject([{ message: "I paid twice" }]);

  const owner = await academy.visitor().signUpAtIssuer(email);
  await confirm(owner);
  expect((await owner.call(deleteUser)).status).toBe(200);
  expect(await messages()).toEqual([]);
});

test("after a deletion the books still agree with the gateway's", async ({ administrator }) => {
  const person = await academy.buyer("basic");
  expect((await person.call(deleteUser)).status).toBe(200);
  const { body } = await administrator.call(runReconciliation, { body: {} });
  expect(body.rows).toEqual([]);
});

test("an account with an unconfirmed payment cannot be deleted", async ({ student: person }) => {
  await academy.tellReference("unavailable");
  await academy.nextCharges("reset-after");
  expect((await buy(person, "basic")).status).toBe(202);
  expect(await person.call(deleteUser)).toMatchObject({ status: 409, body: { code: "payment-in-progress" } });
  expect((await person.call(getCurrentUser)).body.email).toBe(person.email);
  await academy.tellReference("told");
  await academy.advance("1m");
  await until(async () => (await person.call(deleteUser)).status === 200);
});

/** Students whose paid period is over, and whose cards the gateway still stores. */
const formerMembers: Visitor[] = [];
for (const _ of ["basic", "vip", "a card alone"]) {
  const student = await apart.buyer("basic");
  await student.call(cancelOwnSubscription, { body: {} });
  formerMembers.push(student);
}
await leaveOnlyJobs(apart, "sweep-renewals");
await apart.advance("31d", ...formerMembers);

function formerMember(): Visitor {
  const student = formerMembers.pop();
  if (!student) throw new Error("there are three");
  return student;
}

test.for(["basic", "vip"] as const)(
  "who buys %s during the deletion is not deleted yet, and nothing renews afterwards [Z17]",
  async (tier) => {
    const student = formerMember();
    const { id } = (await student.call(getCurrentUser)).body;
    let bought: ReturnType<typeof buy> | undefined;
    between.answering(async ({ name }) => {
      if (name !== "deleteCustomerProfileRequest") return null;
      bought ??= buy(student, tier);
      await bought;
      return null;
    });
    expect(await student.call(deleteUser)).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await bought)?.status).toBe(200);
    expect(await student.call(deleteUser)).toMatchObject({ status: 200 });
    const { rows } = await apart.pool.query("select distinct status from subscriptions where user_id = $1", [id]);
    expect(rows).toEqual([{ status: "cancelled" }]);
  },
);

test("a card that is stored during the deletion leaves no customer at the gateway [Z17 G02]", async () => {
  const student = formerMember();
  const { id } = (await student.call(getCurrentUser)).body;
  let gone: Promise<number> | undefined;
  between.answering(async ({ name }) => {
    if (name !== "createCustomerProfileFromTransactionRequest") return null;
    gone ??= student.call(deleteUser).then(({ status }) => status);
    await gone;
    return null;
  });
  expect((await buy(student, "basic")).status).toBe(200);
  expect(await until(async () => gone)).toBe(200);
  await apart.advance("2h");
  const customers = "select distinct customer_profile_id as id from payment_methods where user_id = $1";
  const { rows } = await apart.pool.query(customers, [id]);
  expect(rows).toHaveLength(2);
  for (const customer of rows) {
    const found = await findCustomer(sandbox.url, customer.id);
    expect(found).toMatchObject({ messages: { message: [{ code: "E00040" }] } });
  }
});

test("a deletion needs an authentication of the last ten minutes", async () => {
  const person = await academy.visitor().signUpAtIssuer();
  await academy.advance("11m");
  expect(await person.call(deleteUser)).toMatchObject({ status: 403, body: { code: "sign-in-again" } });
  await person.signInAtIssuer();
  expect((await person.call(deleteUser)).status).toBe(200);
});

test("the last administrator cannot be deleted [Z16]", async ({ administrator }) => {
  expect(await administrator.call(deleteUser)).toMatchObject({ status: 409, body: { code: "last-administrator" } });
  expect((await administrator.call(getCurrentUser)).status).toBe(200);
});

test("held and suspended students can export their data and delete their account [Z14]", async () => {
  for (const role of ["held", "suspended"]) {
    const person = await academy.visitor().signInAsDemo(`${role}@academy.test`);
    expect((await person.send("GET", exportData.path)).status).toBe(200);
    expect((await person.call(deleteUser)).status).toBe(200);
  }
});

test("the archive holds everything about the person, and nothing of anybody else [G01]", async () => {
  const person = await zuzanna();
  await buy(person, "basic");
  await uploadPicture(person);
  await academy.visitor().call(sendContactMessage, {
    body: { name: "Somebody", email: "somebody@example.test", message: "Not hers" },
  });
  await academy.pool.query(
    `insert into videos (id, file_name, size, state, uploaded_by, created_at)
      values ('ofthisperson0000000a', 'teaspoons.mov', 9, 'failed', $1, now())`,
    [await person.id()],
  );
  const exported = async () => {
    const response = await person.send("GET", exportData.path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename=your-data-\d{4}-\d\d-\d\d\.zip$/,
    );
    return unzip(Buffer.from(await response.arrayBuffer()));
  };
  const said = (files: Map<string, Buffer>, name: string) =>
    JSON.parse(files.get(`${name}.json`)?.toString() ?? "null");

  const unconfirmed = await exported();
  expect(said(unconfirmed, "messages")).toEqual([]);
  await confirm(person);

  const files = await exported();
  expect(said(files, "profile")).toMatchObject({ lastName: "Quillfeather", bio: "Collector of teaspoons" });
  expect(said(files, "purchases")).toMatchObject([{ tier: "basic", status: "completed" }]);
  expect(said(files, "subscriptions")).toMatchObject([{ status: "active", card: { last4: "1111" } }]);
  expect(said(files, "payments")).toMatchObject([{ amount: "49.00", kind: "initial" }]);
  expect(said(files, "access")).toMatchObject([{ tier: "basic", source: "purchase" }]);
  expect(said(files, "messages")).toMatchObject([{ message: "Where are my teaspoons?" }]);
  expect(said(files, "sessions")).toMatchObject([{ isCurrent: true }]);
  expect(said(files, "videos")).toMatchObject([{ fileName: "teaspoons.mov", size: 9 }]);
  for (const none of ["progress", "downloads", "administrators"]) expect(said(files, none)).toEqual([]);
  expect(await sharp(files.get("profile-image.webp")).metadata()).toMatchObject({ format: "webp", width: 512 });
  const all = [...files.values()].map((content) => content.toString("latin1")).join("\n");
  expect(all).not.toMatch(/Not hers|academy\.test|4111111111111111/);
});

test("data is exported at most five times an hour", async ({ student }) => {
  const statuses: number[] = [];
  for (let asked = 0; asked < 6; asked++) statuses.push((await student.send("GET", exportData.path)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});
