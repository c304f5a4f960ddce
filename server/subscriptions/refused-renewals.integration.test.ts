import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { getCourseAccess } from "#contract/access.ts";
import { holdAccount } from "#contract/admin/purchases.ts";
import { suspendAccount, updateUserTier } from "#contract/admin/users.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { deleteUser } from "#contract/profile.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import { cancelOwnSubscription, changeCard, getOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { openPool } from "#server/db/db.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { openGatewayProxy, refusedFor, refusedWith } from "#test/stand-ins/gateway-proxy.ts";
import { mailServer } from "#test/stand-ins/mail-server.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import type { Visitor } from "#test/visitor.ts";

const DAY = 86_400_000;
const keepCardRequest = "createCustomerProfileFromTransactionRequest";

let sandbox: Awaited<ReturnType<typeof openSandboxProcess>>;
let between: Awaited<ReturnType<typeof openGatewayProxy>>;
let academy: AcademyInProcess;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  sandbox = await openSandboxProcess();
  between = await openGatewayProxy(sandbox.url);
  academy = await openAcademyInProcess({ ...between.env, ADMIN_EMAILS: "admin@academy.test, second@academy.test" });
  pool = openPool(academy.database.connection, () => {}, 2);
});
afterAll(async () => {
  await pool?.end();
  await academy?.[Symbol.asyncDispose]();
  await between?.[Symbol.asyncDispose]();
  await sandbox?.[Symbol.asyncDispose]();
});

const members: Visitor[] = [];

async function member(): Promise<Visitor> {
  const student = await academy.visitor().signUp();
  const bought = await student.call(acceptPayment, { body: await student.paymentFor("basic") });
  expect(bought.status).toBe(200);
  members.push(student);
  return student;
}

/** Resets the gateway, cancels unpaid renewals and empties the mailbox, for the next test. */
afterEach(async () => {
  between.answering(null);
  for (const student of members.splice(0)) {
    await student.signInAgain();
    await student.call(cancelOwnSubscription, { body: {} });
  }
  await academy.advance("1d");
  await fetch(`${sandbox.url}/sandbox/api/mails`, { method: "DELETE" });
});

/** Moves to the day before the first renewals. */
const passToRenewal = () => academy.advance("29d");

/** Moves the clock day by day, and signs the students in again. */
async function pass(days: number, ...students: Visitor[]): Promise<void> {
  for (let day = 0; day < days; day++) await academy.advance("1d");
  for (const student of students) await student.signInAgain();
}

/** Moves by weeks, while nothing should happen. */
async function passWeeks(weeks: number, student: Visitor): Promise<void> {
  for (let week = 0; week < weeks; week++) await academy.advance("7d");
  await student.signInAgain();
}

const subjectsTo = async (email: string) =>
  (await academy.mails()).filter((mail) => mail.to === email).map((mail) => mail.subject);
const subscriptionOf = async (student: Visitor) => (await student.call(getOwnSubscription)).body.subscription;
const accessOf = async (student: Visitor) => (await student.call(getCourseAccess)).body;
const storedCharges = () => between.requests.filter(({ isStoredCharge }) => isStoredCharge).length;

/** When each try of the renewal was sent, in days after the first one. */
async function triesOf(student: Visitor): Promise<number[]> {
  const { rows } = await pool.query<{ sent_at: Date }>(
    `select a.sent_at from payment_attempts a join users u on u.id = a.user_id
      where u.email = $1 and a.kind = 'renewal' order by a.sent_at`,
    [student.email],
  );
  const [first] = rows;
  return rows.map(
    ({ sent_at }) => Math.round(((sent_at.getTime() - (first?.sent_at.getTime() ?? 0)) / DAY) * 100) / 100,
  );
}

test("a renewal that is refused for 90 days under code 3 closes the course, tells everybody and is tried four times [P38]", async () => {
  const student = await member();
  between.answering(({ isStoredCharge }) => (isStoredCharge ? refusedFor("205") : null));
  await passToRenewal();
  await pass(8, student);
  expect(await subscriptionOf(student)).toMatchObject({ state: "declined", amountDue: "49.00" });
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, source: "grace" });
  await pass(8, student);
  expect(await accessOf(student)).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
  await passWeeks(11, student);
  expect(await accessOf(student)).toMatchObject({ hasAccess: false, tier: null });
  expect(await triesOf(student)).toEqual([0, 3, 7, 14]);
  expect((await subjectsTo(student.email)).slice(0, 4)).toEqual([
    "Your Monthly Access is on hold",
    "Your payment of $49.00 for Monthly Access did not go through",
    "Your payment of $49.00 for Monthly Access did not go through",
    "Your payment of $49.00 for Monthly Access did not go through",
  ]);
  for (const administrator of ["admin@academy.test", "second@academy.test"]) {
    expect(await subjectsTo(administrator)).toEqual(["1 renewal is unpaid for a week"]);
  }
  const report = (await academy.mails()).find((mail) => mail.to === "admin@academy.test");
  expect(report?.text).toContain(`${student.email}: $49.00 for Monthly Access`);
  expect(report?.text).toContain("declined by the bank (205)");
});

test("a renewal that the gateway cannot process is tried at most 15 times in 30 days, and its grace ends all the same [P38]", async () => {
  const student = await member();
  between.answering(({ isStoredCharge }) => (isStoredCharge ? refusedWith("E00003") : null));
  await passToRenewal();
  for (let hours = 0; hours < 3 * 24; hours += 4) await academy.advance("4h");
  await student.signInAgain();
  expect((await listPurchase(student))?.paymentDeclined).toBe(false);
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, source: "grace" });
  await pass(20, student);
  await passWeeks(6, student);
  expect(await accessOf(student)).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
  const tries = await triesOf(student);
  expect(tries.length).toBeGreaterThan(5);
  expect(tries.length).toBeLessThan(15);
  expect(tries.at(-1)).toBeLessThan(15);
  expect((await subjectsTo(student.email)).slice(0, 2)).toEqual([
    "Your Monthly Access is on hold",
    "Your renewal of Monthly Access is not paid yet",
  ]);
  expect(await subjectsTo("admin@academy.test")).toEqual(["1 renewal is unpaid for a week"]);
  between.answering(null);
  const card = { ...(await student.tokenizeCard()), customerName: "Jo Vendor", zip: "90210" };
  expect(await student.call(changeCard, { body: card })).toMatchObject({ status: 200, body: { charged: "49.00" } });
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, accountStatus: "active" });
});

test("the report of unpaid renewals leaves out a deleted student [G02 P38]", async () => {
  await using apart = await openSandboxProcess();
  await using gateway = await openGatewayProxy(apart.url);
  await using smtp = await mailServer();
  await using quiet = await openAcademyInProcess({ ...gateway.env, SMTP_URL: smtp.url });
  gateway.answering(({ isStoredCharge }) => (isStoredCharge ? refusedFor("205") : null));
  const [stays, leaves] = [await quiet.visitor().signUp(), await quiet.visitor().signUp()];
  for (const student of [stays, leaves]) {
    expect((await student.call(acceptPayment, { body: await student.paymentFor("basic") })).status).toBe(200);
  }
  // The mail server is down while the report is made.
  for (let day = 0; day < 40; day++) await quiet.advance("1d");
  await leaves.signInAgain();
  expect((await leaves.call(deleteUser)).status).toBe(200);
  await smtp.start();
  await quiet.advance("1d");
  const report = smtp.arrivals.find(({ to }) => to === "admin@academy.test");
  expect(report?.text).toContain(`${stays.email}: $49.00 for Monthly Access`);
  expect(report?.text).not.toContain(leaves.email);
});

const listPurchase = async (student: Visitor) => (await student.call(listUserPurchases)).body[0];

test("a renewal without an outcome is reported to student and administrators after a week [P38]", async () => {
  const student = await member();
  let isSent = false;
  between.answering(({ isStoredCharge, name }) => {
    isSent ||= isStoredCharge;
    return isSent && (isStoredCharge || name.startsWith("get")) ? refusedWith("E00053") : null;
  });
  await passToRenewal();
  await pass(9, student);
  expect(await subscriptionOf(student)).toMatchObject({ isConfirming: true });
  expect(await accessOf(student)).toMatchObject({ hasAccess: false });
  expect((await subjectsTo(student.email))[0]).toBe("Your renewal of Monthly Access is not paid yet");
  expect(await subjectsTo("admin@academy.test")).toEqual(["1 renewal is unpaid for a week"]);
  expect(await triesOf(student)).toEqual([0]);
});

test("a hold that is placed while a renewal is being confirmed stays when the payment turns out to be made", async () => {
  const student = await member();
  const { id: userId } = (await student.call(getCurrentUser)).body;
  let isSent = false;
  between.answering(({ isStoredCharge, name }) => {
    isSent ||= isStoredCharge;
    return isSent && name.startsWith("get") ? refusedWith("E00053") : null;
  });
  await academy.nextChargesOf(student, "malformed-after");
  await passToRenewal();
  await pass(1, student);
  const held = await subscriptionOf(student);
  expect(held).toMatchObject({ isConfirming: true });
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const body = { userId, subscriptionId: held?.subscriptionId, reason: "chargeback risk" };
  expect((await administrator.call(holdAccount, { body })).status).toBe(200);
  between.answering(null);
  await pass(1, student);
  const after = await subscriptionOf(student);
  expect(after).toMatchObject({ state: "on-hold", isConfirming: false, amountDue: "0.00", nextPaymentAt: null });
  expect(Date.parse(after?.paidUntil ?? "") - Date.parse(held?.paidUntil ?? "")).toBe(30 * DAY);
  expect(await accessOf(student)).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
  expect((await subjectsTo(student.email))[0]).toBe("Your Monthly Access is renewed: receipt for $49.00");
});

test("refused credentials stop all renewals after one, tell each administrator once, and cost no student a day [P38]", async () => {
  const students = await Promise.all(Array.from({ length: 6 }, member));
  const [first] = students as [Visitor];
  const before = storedCharges();
  between.answering(() => refusedWith("E00007"));
  await passToRenewal();
  await pass(16, ...students);
  // Each charge is looked up first, which is refused too.
  expect(storedCharges() - before).toBe(0);
  expect((await Promise.all(students.map(triesOf))).flat()).toEqual([0]);
  for (const student of students) {
    expect(await accessOf(student)).toMatchObject({ hasAccess: true, accountStatus: "active" });
  }
  expect(await subjectsTo("second@academy.test")).toEqual([
    "6 renewals are unpaid for a week",
    "Renewals have stopped: the card gateway refuses our credentials",
  ]);
  const metrics = await (await first.send("GET", "/metrics")).text();
  expect(metrics).toContain('academy_renewals_stopped{reason="credentials"} 1');

  // Once the credentials work again at the gateway, the academy finds out within an hour.
  between.answering(null);
  await academy.advance("2h");
  for (const student of students) {
    await student.signInAgain();
    expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", amountDue: "0.00" });
  }
  expect(storedCharges() - before).toBe(students.length);
});

test("while the gateway takes our credentials and refuses to charge, one renewal is tried ever more rarely [P38]", async () => {
  const students = await Promise.all(Array.from({ length: 4 }, member));
  between.answering(({ isStoredCharge }) => (isStoredCharge ? refusedFor("13") : null));
  const before = storedCharges();
  await passToRenewal();
  await pass(31, ...students);
  expect(storedCharges() - before).toBeLessThan(15);
  expect(await subjectsTo("admin@academy.test")).toHaveLength(2);
  for (const student of students) expect(await accessOf(student)).toMatchObject({ hasAccess: true });
  between.answering(null);
  await pass(5, ...students);
  for (const student of students) expect(await subscriptionOf(student)).toMatchObject({ amountDue: "0.00" });
});

test("a card that is replaced while the gateway deletes none for half a day is deleted afterwards", async () => {
  const student = await member();
  const deletions = () => between.requests.filter(({ name }) => name === "deleteCustomerPaymentProfileRequest").length;
  between.answering(({ name }) => (name === "deleteCustomerPaymentProfileRequest" ? refusedWith("E00053") : null));
  const card = {
    ...(await student.tokenizeCard({ number: "5424000000000015" })),
    customerName: "Jo Vendor",
    zip: "90210",
  };
  expect(await student.call(changeCard, { body: card })).toMatchObject({ status: 200, body: { charged: null } });
  for (let hour = 0; hour < 14; hour++) await academy.advance("1h");
  const refused = deletions();
  expect(refused).toBeGreaterThan(0);
  between.answering(null);
  await academy.advance("2h");
  expect(deletions()).toBe(refused + 1);
});

test("a renewal whose card is not kept yet waits while the gateway says nothing about it, and is charged then", async () => {
  const student = await member();
  const { id } = (await student.call(getCurrentUser)).body;
  const notKept = "update payment_methods set customer_profile_id = null, payment_profile_id = null where user_id = $1";
  await pool.query(notKept, [id]);
  between.answering(({ name }) => (name === keepCardRequest ? refusedWith("E00001") : null));
  const another = { ...(await student.tokenizeCard()), customerName: "Jo Vendor", zip: "90210" };
  const changed = await student.call(changeCard, { body: another });
  expect(changed).toMatchObject({ status: 503, body: { code: "payment-unavailable" } });
  await passToRenewal();
  await pass(3, student);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", amountDue: "49.00" });
  expect(await accessOf(student)).toMatchObject({ hasAccess: true });
  expect(await triesOf(student)).toEqual([]);
  between.answering(null);
  await academy.advance("5m");
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", amountDue: "0.00" });
  expect(await triesOf(student)).toEqual([0]);
});

test("a suspended student is asked for no payment, however long the renewal is unpaid", async () => {
  const student = await member();
  await passToRenewal();
  await academy.nextChargesOf(student, ...Array(12).fill("error-500"));
  await pass(1, student);
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const body = { userId: (await student.call(getCurrentUser)).body.id, reason: "Shared the password" };
  expect((await administrator.call(suspendAccount, { body })).status).toBe(200);
  await pass(9, student);
  expect((await subjectsTo(student.email))[0]).toBe("Your account is suspended");
});

test("a card that nothing will be charged to is forgotten at the paid end, also of who is suspended or was given a plan", async () => {
  const [suspended, given] = [await member(), await member()];
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const ids = [suspended, given].map(async (student) => (await student.call(getCurrentUser)).body.id);
  const [suspendedId, givenId] = await Promise.all(ids);
  expect((await suspended.call(cancelOwnSubscription, { body: {} })).status).toBe(200);
  const closed = { userId: suspendedId, reason: "Shared the password" };
  expect((await administrator.call(suspendAccount, { body: closed })).status).toBe(200);
  expect((await administrator.call(updateUserTier, { body: { userId: givenId, newTier: "vip" } })).status).toBe(200);
  const kept = async () => {
    const isKept = "select 1 from payment_methods where user_id in ($1, $2) and payment_profile_id is not null";
    return (await pool.query(isKept, [suspendedId, givenId])).rowCount;
  };
  await passToRenewal();
  expect(await kept()).toBe(2);
  await pass(2);
  expect(await kept()).toBe(0);
});
