import { afterEach, expect, test } from "vitest";
import { suspendAccount, updateUserTier } from "#contract/admin/users.ts";
import { deleteUser } from "#contract/profile.ts";
import { cancelOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { booksOf } from "#test/books.ts";
import { forFile } from "#test/fixtures.ts";
import { scrape } from "#test/metrics.ts";
import { openGatewayProxy, refusedFor, refusedWith } from "#test/stand-ins/gateway-proxy.ts";
import { mailServer } from "#test/stand-ins/mail-server.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { leaveBehind } from "#test/stop-renewals.ts";
import type { Visitor } from "#test/visitor.ts";

const DAY = 86_400_000;
const keepCardRequest = "createCustomerProfileFromTransactionRequest";

const sandbox = await forFile(openSandboxProcess());
const between = await forFile(openGatewayProxy(sandbox.url));
const smtp = await forFile(mailServer());
await smtp.start();
const administrators = "admin@academy.test, second@academy.test";
const env = { ...between.env, SMTP_URL: smtp.url, ADMIN_EMAILS: administrators };
const academy = await forFile(openAcademyInProcess(env));

const member = () => academy.buyer("basic");

/** Resets the gateway, ends unpaid renewals and empties the mailbox, for the next test. */
afterEach(async () => {
  between.answering(null);
  await leaveBehind(academy);
  await academy.advance("0s");
  smtp.arrivals.length = 0;
});

/** The newest first. */
const subjectsTo = (email: string) =>
  smtp.arrivals
    .filter(({ to }) => to === email)
    .map(({ headers }) => headers.get("subject"))
    .toReversed();
const unpaidReportsTo = (administrator: string) => subjectsTo(administrator).filter((one) => one?.includes("unpaid"));
const storedCharges = () => between.requests.filter(({ isStoredCharge }) => isStoredCharge).length;

/** When each try of the renewal was sent, in days after the first one. */
async function triesOf(student: Visitor): Promise<number[]> {
  const { rows } = await academy.pool.query<{ sent_at: Date }>(
    `select a.sent_at from payment_attempts a join users u on u.id = a.user_id
      where u.email = $1 and a.kind = 'renewal' order by a.sent_at`,
    [student.email],
  );
  const [first] = rows;
  return rows.map(
    ({ sent_at }) => Math.round(((sent_at.getTime() - (first?.sent_at.getTime() ?? 0)) / DAY) * 100) / 100,
  );
}

test("a renewal refused under code 3 counts as declined, and is reported without deleted students [G02 P38]", async () => {
  const [stays, leaves] = [await member(), await member()];
  between.answering(({ isStoredCharge }) => (isStoredCharge ? refusedFor("205") : null));
  await academy.advance("30d");
  // The mail server is down while the report is made.
  await smtp.stop();
  await academy.advance("8d", stays, leaves);
  expect(await stays.subscription()).toMatchObject({ state: "declined", amountDue: "49.00" });
  expect(await stays.access()).toMatchObject({ hasAccess: true, source: "grace" });
  expect((await leaves.call(deleteUser)).status).toBe(200);
  await smtp.start();
  await academy.advance("1d");
  for (const administrator of ["admin@academy.test", "second@academy.test"]) {
    expect(unpaidReportsTo(administrator)).toEqual(["1 renewal has been unpaid for a week"]);
  }
  const report = smtp.arrivals.find(({ text }) => text.includes("unpaid for a week"))?.text;
  expect(report).toContain(`${stays.email}: $49.00 for Monthly Access`);
  expect(report).toContain("declined by the bank (205)");
  expect(report).not.toContain(leaves.email);
});

test("a renewal that the gateway cannot process is tried ever more rarely for 14 days, and then held [P38]", async () => {
  const student = await member();
  between.answering(({ isStoredCharge }) => (isStoredCharge ? refusedWith("E00003") : null));
  for (const duration of ["30d", "4h", "20h", "2d"]) await academy.advance(duration, student);
  expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "49.00" });
  expect(await student.access()).toMatchObject({ hasAccess: true, source: "grace" });
  for (const duration of ["1d", "3d", "3d", "4d", "30d"]) await academy.advance(duration, student);
  expect(await student.access()).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
  expect(await triesOf(student)).toEqual([0, 0.17, 1, 3, 7, 10, 14]);
  expect(subjectsTo(student.email).slice(0, 2)).toEqual([
    "Your Monthly Access is on hold",
    "Your Monthly Access renewal hasn't been paid",
  ]);
  expect(unpaidReportsTo("admin@academy.test")).toEqual(["1 renewal has been unpaid for a week"]);
  between.answering(null);
  const changed = await student.changeCard();
  expect(changed).toMatchObject({ status: 200, body: { charged: "49.00" } });
  expect(await student.access()).toMatchObject({ hasAccess: true, accountStatus: "active" });
});

test("a renewal without an outcome is reported to student and administrators after a week [P38]", async () => {
  const student = await member();
  let isSent = false;
  between.answering(({ isStoredCharge, name }) => {
    isSent ||= isStoredCharge;
    return isSent && (isStoredCharge || name.startsWith("get")) ? refusedWith("E00053") : null;
  });
  for (const days of ["30d", "4d", "4d"]) await academy.advance(days, student);
  expect(await student.subscription()).toMatchObject({ isConfirming: true });
  expect(await student.access()).toMatchObject({ hasAccess: false });
  expect(subjectsTo(student.email)[0]).toBe("Your Monthly Access renewal hasn't been paid");
  expect(unpaidReportsTo("admin@academy.test")).toEqual(["1 renewal has been unpaid for a week"]);
  expect(await triesOf(student)).toEqual([0]);
});

test("a hold that is placed while a renewal is being confirmed stays when it turns out to be paid", async () => {
  const student = await member();
  let isSent = false;
  between.answering(({ isStoredCharge, name }) => {
    isSent ||= isStoredCharge;
    return isSent && name.startsWith("get") ? refusedWith("E00053") : null;
  });
  await academy.nextChargesOf(student, "malformed-after");
  await academy.advance("30d", student);
  const held = await student.subscription();
  expect(held).toMatchObject({ isConfirming: true });
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  expect((await booksOf(administrator).hold(student)).status).toBe(200);
  between.answering(null);
  await academy.advance("1d", student);
  const after = await student.subscription();
  expect(after).toMatchObject({ state: "on-hold", isConfirming: false, amountDue: "0.00", nextPaymentAt: null });
  expect(Date.parse(after?.paidUntil ?? "") - Date.parse(held?.paidUntil ?? "")).toBe(30 * DAY);
  expect(await student.access()).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
  expect(subjectsTo(student.email)[0]).toBe("Your Monthly Access was renewed: receipt for $49.00");
});

test("refused credentials stop all renewals, tell each administrator once, and cost no student a day [P38]", async () => {
  const students = await Promise.all(Array.from({ length: 3 }, member));
  const before = storedCharges();
  between.answering(() => refusedWith("E00007"));
  for (const days of ["30d", "8d", "8d"]) {
    await academy.advance(days, ...students);
    for (const student of students) {
      expect(await student.access()).toMatchObject({ hasAccess: true, accountStatus: "active" });
    }
  }
  // Each charge is looked up first, which is refused too.
  expect(storedCharges() - before).toBe(0);
  expect((await Promise.all(students.map(triesOf))).flat()).toEqual([0]);
  expect(subjectsTo("second@academy.test")).toEqual([
    "3 renewals have been unpaid for a week",
    "Payments have stopped: the card gateway rejected your credentials",
  ]);
  expect(await scrape(academy)).toContain('academy_renewals_stopped{reason="credentials"} 1');

  // Once the credentials work again at the gateway, the academy finds out within an hour.
  between.answering(null);
  await academy.advance("2h", ...students);
  for (const student of students) {
    expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "0.00" });
  }
  expect(storedCharges() - before).toBe(students.length);
});

test("while the gateway takes our credentials and refuses to charge, one renewal is tried ever more rarely [P38]", async () => {
  const students = [await member(), await member()];
  between.answering(({ isStoredCharge }) => (isStoredCharge ? refusedFor("13") : null));
  const before = storedCharges();
  const tried: number[] = [];
  for (const later of ["30d", "10m", "10m", "30m", "1h", "1h", "4h", "10h", "26h", "3d"]) {
    await academy.advance(later);
    tried.push(storedCharges() - before);
  }
  expect(tried).toEqual([1, 2, 2, 3, 4, 4, 5, 5, 6, 7]);
  expect(subjectsTo("admin@academy.test")).toHaveLength(1);
  for (const student of students) await student.signInAgain();
  for (const student of students) expect(await student.access()).toMatchObject({ hasAccess: true });
  between.answering(null);
  await academy.advance("5d", ...students);
  for (const student of students) expect(await student.subscription()).toMatchObject({ amountDue: "0.00" });
});

test("a card that is replaced while the gateway deletes none is asked for each hour by a new job, and deleted afterwards", async () => {
  const student = await member();
  const deletions = () => between.requests.filter(({ name }) => name === "deleteCustomerPaymentProfileRequest").length;
  between.answering(({ name }) => (name === "deleteCustomerPaymentProfileRequest" ? refusedWith("E00053") : null));
  const changed = await student.changeCard({ number: "5424000000000015" });
  expect(changed).toMatchObject({ status: 200, body: { charged: null } });
  const before = deletions();
  for (let hour = 0; hour < 3; hour++) await academy.advance("1h");
  const refused = deletions();
  expect(refused).toBeGreaterThan(before + 1);
  // One job has a limited number of attempts, which an outage of half a day would use up.
  const waiting = "select attempts from jobs where name = 'forget-payment-method' and run_at > $1";
  const { rows } = await academy.pool.query(waiting, [new Date(await academy.now())]);
  expect(rows).toEqual([{ attempts: 0 }]);
  between.answering(null);
  await academy.advance("2h");
  expect(deletions()).toBe(refused + 1);
});

test("a renewal waits while the gateway does not confirm that it stores the card, and is charged then", async () => {
  const student = await member();
  const notKept = "update payment_methods set customer_profile_id = null, payment_profile_id = null where user_id = $1";
  await academy.pool.query(notKept, [await student.id()]);
  between.answering(({ name }) => (name === keepCardRequest ? refusedWith("E00001") : null));
  const changed = await student.changeCard();
  expect(changed).toMatchObject({ status: 503, body: { code: "payment-unavailable" } });
  for (const days of ["30d", "2d"]) await academy.advance(days, student);
  expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "49.00" });
  expect(await student.access()).toMatchObject({ hasAccess: true });
  expect(await triesOf(student)).toEqual([]);
  between.answering(null);
  await academy.advance("5m");
  expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "0.00" });
  expect(await triesOf(student)).toEqual([0]);
});

test("a suspended student is asked for no payment, however long the renewal is unpaid", async () => {
  const student = await member();
  await academy.nextChargesOf(student, ...Array(12).fill("error-500"));
  await academy.advance("30d", student);
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const body = { userId: await student.id(), reason: "Shared the password" };
  expect((await administrator.call(suspendAccount, { body })).status).toBe(200);
  for (const days of ["4d", "5d"]) await academy.advance(days);
  expect(subjectsTo(student.email)[0]).toBe("Your account is suspended");
});

test("a card that won't be charged again is deleted at the paid end, also after a suspension or a gift", async () => {
  const [suspended, given] = [await member(), await member()];
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const [suspendedId, givenId] = [await suspended.id(), await given.id()];
  expect((await suspended.call(cancelOwnSubscription, { body: {} })).status).toBe(200);
  const closed = { userId: suspendedId, reason: "Shared the password" };
  expect((await administrator.call(suspendAccount, { body: closed })).status).toBe(200);
  expect((await administrator.call(updateUserTier, { body: { userId: givenId, newTier: "vip" } })).status).toBe(200);
  const kept = async () => {
    const isKept = "select 1 from payment_methods where user_id in ($1, $2) and payment_profile_id is not null";
    return (await academy.pool.query(isKept, [suspendedId, givenId])).rowCount;
  };
  await academy.advance("29d");
  expect(await kept()).toBe(2);
  for (const days of ["1d", "1d"]) await academy.advance(days);
  expect(await kept()).toBe(0);
});
