import { expect } from "vitest";
import { getUserDetail, reactivateAccount, suspendAccount, updateUserTier } from "#contract/admin/users.ts";
import {
  cancelOwnSubscription,
  changeCardByLink,
  getOwnSubscription,
  readCardLink,
  resumeOwnSubscription,
} from "#contract/purchases/subscriptions.ts";
import { booksOf } from "#test/books.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { askGateway } from "#test/stand-ins/merchant-api.ts";
import { leaveBehind } from "#test/stop-renewals.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const DAY = 86_400_000;
const otherCard = "5424000000000015";

const { academy, test } = await academyOfFile();

test.afterEach(() => leaveBehind(academy));

const member = () => academy.purchase("basic");

const stop = (student: Visitor) => student.call(cancelOwnSubscription, { body: {} });
const resume = (student: Visitor) => student.call(resumeOwnSubscription, { body: {} });
/** The subjects, the newest first. */
const mailsTo = async (student: Visitor) => (await academy.mails(student.email)).map(({ subject }) => subject);

/** The payment method of the subscription of the purchase $1. */
const cardOf = `(select m.* from payment_methods m join subscriptions s on s.payment_method_id = m.id
  where s.purchase_id = $1) as card`;

/** The number of cards that the gateway stores for a purchase's customer. */
async function countKeptCards(purchaseId: string): Promise<number> {
  const { rows } = await academy.pool.query(`select customer_profile_id as id from ${cardOf}`, [purchaseId]);
  const { profile } = await askGateway(academy.url, "getCustomerProfileRequest", { customerProfileId: rows[0].id });
  return profile.paymentProfiles?.length ?? 0;
}

test("a student who cancels during the renewal is cancelled before it, or charged and then ends [P29]", async () => {
  const students = await Promise.all(Array.from({ length: 4 }, () => academy.buyer("basic")));
  await academy.advance("29d23h55m", ...students);

  const cancelled = students.map(stop);
  const [, ...answers] = await Promise.all([academy.advance("10m"), ...cancelled]);
  expect(answers.map(({ status }) => status)).toEqual(students.map(() => 200));
  await academy.advance("5m");
  const query = `select s.current_period_end as paid_until, p.completed_at, m.customer_profile_id as customer,
      count(a.id)::int as charges
    from purchases p join users u on u.id = p.user_id join subscriptions s on s.purchase_id = p.id
      join payment_methods m on m.user_id = u.id
      join payment_attempts a on a.purchase_id = p.id and a.state = 'approved'
    where u.email = $1 group by p.id, s.id, m.id`;
  const customers: string[] = [];
  for (const student of students) {
    const { rows } = await academy.pool.query(query, [student.email]);
    const { paid_until, completed_at, charges, customer } = rows[0];
    customers.push(customer);
    expect((paid_until - completed_at) / DAY).toBeCloseTo(30 * charges, 0);
    expect([charges, (await student.access()).hasAccess]).toEqual(charges === 2 ? [2, true] : [1, false]);
    expect(await student.purchase()).toMatchObject({ subscriptionStatus: "cancelled", nextBillingDate: null });
  }
  const before = (await academy.ledger()).length;
  await academy.advance("31d");
  const charged = (await academy.ledger()).slice(before).map((row) => row.customerProfileId);
  expect(customers.filter((customer) => charged.includes(customer))).toEqual([]);
  for (const student of students) {
    await student.signInAgain();
    expect((await student.access()).hasAccess).toBe(false);
  }
});

test("a subscription is charged once for each 30 days, and once after months of outage [P23 P25 P26]", async () => {
  const { student, purchaseId } = await member();
  const first = await student.subscription();
  expect(first).toMatchObject({ state: "renewing", amountDue: "0.00", mayCancel: true, mayResume: false });
  expect(first?.card?.last4).toBe("1111");

  await academy.advance("29d", student);
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00"]);
  await academy.advance("1d", student);
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00", "49.00"]);
  const second = await student.subscription();
  expect(Date.parse(second?.paidUntil ?? "") - Date.parse(first?.paidUntil ?? "")).toBe(30 * DAY);
  expect(await student.access()).toMatchObject({ hasAccess: true, tier: "basic", until: second?.paidUntil });
  expect(await mailsTo(student)).toEqual([
    "Your Monthly Access was renewed: receipt for $49.00",
    "Your Monthly Access is ready",
  ]);

  await academy.advance("100d", student);
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00", "49.00", "49.00"]);
  const third = await student.subscription();
  expect(Date.parse(third?.paidUntil ?? "") - Date.parse(second?.paidUntil ?? "")).toBeGreaterThan(99 * DAY);
});

test("a declined renewal is tried after 3, 7 and 14 days, then held, and a new card ends the hold [P27]", async () => {
  const { student, purchaseId } = await member();
  await academy.nextChargesOf(student, "decline", "decline", "decline", "decline");
  await academy.advance("30d", student);
  const declined = await student.subscription();
  expect(declined).toMatchObject({ state: "declined", amountDue: "49.00" });
  expect(await student.access()).toMatchObject({ hasAccess: true, tier: "basic", source: "grace" });
  const purchase = await student.purchase();
  expect(purchase).toMatchObject({ paymentDeclined: true, lastPaymentAttempt: expect.any(String) });

  const tried = [Date.parse(purchase?.lastPaymentAttempt ?? "")];
  for (const days of ["3d", "4d", "7d"]) {
    await academy.advance(days, student);
    const now = await student.purchase();
    expect(now?.paymentDeclined).toBe(true);
    tried.push(Date.parse(now?.lastPaymentAttempt ?? ""));
    if (days === "7d") break;
    expect(await student.subscription()).toMatchObject({ state: "declined" });
    expect(await student.access()).toMatchObject({ hasAccess: true });
  }
  expect(tried.map((at) => Math.round((at - (tried[0] ?? 0)) / DAY))).toEqual([0, 3, 7, 14]);
  expect(await student.subscription()).toMatchObject({ state: "on-hold", nextPaymentAt: null, amountDue: "49.00" });
  expect(await student.access()).toMatchObject({
    hasAccess: false,
    accountStatus: "on_hold",
    suspensionReason: "Your last payment was declined. Please update your payment method.",
  });
  expect((await mailsTo(student)).slice(0, 4)).toEqual([
    "Your Monthly Access is on hold",
    "Your payment of $49.00 for Monthly Access didn't go through",
    "Your payment of $49.00 for Monthly Access didn't go through",
    "Your payment of $49.00 for Monthly Access didn't go through",
  ]);
  await academy.advance("60d", student);
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00"]);

  const refused = await student.changeCard({ number: otherCard, zip: "46282" });
  expect(refused).toMatchObject({ status: 402, body: { code: "payment-declined" } });
  expect(await student.subscription()).toMatchObject({ state: "on-hold" });
  const changed = await student.changeCard({ number: otherCard });
  expect(changed).toMatchObject({ status: 200, body: { success: true, status: "changed", charged: "49.00" } });
  expect(await student.access()).toMatchObject({ hasAccess: true, accountStatus: "active" });
  expect(await student.purchase()).toMatchObject({ paymentDeclined: false });
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00", "49.00"]);
  expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "0.00" });
});

test("a cancelled subscription stays open and can be resumed until its paid end [P29]", async () => {
  const { student, purchaseId } = await member();
  await academy.advance("10d", student);
  const stopped = { state: "cancelled", nextPaymentAt: null, mayResume: true };
  expect((await stop(student)).body.subscription).toMatchObject(stopped);
  expect(await stop(student)).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await resume(student)).body.subscription).toMatchObject({ state: "renewing" });
  expect((await resume(student)).status).toBe(409);
  await stop(student);
  await academy.advance("19d", student);
  expect(await student.access()).toMatchObject({ hasAccess: true });
  await academy.advance("2d", student);
  expect(await student.access()).toMatchObject({ hasAccess: false, tier: null });
  expect(await resume(student)).toMatchObject({ status: 404 });
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00"]);
  expect((await mailsTo(student))[0]).toBe("Your Monthly Access has ended");
});

test("an upgrade stops the old subscription in the same step [P30]", async () => {
  const { student, purchaseId } = await member();
  await student.buyQuoted("premium");
  expect(await student.subscription()).toBeNull();
  expect(await resume(student)).toMatchObject({ status: 404 });
  await academy.advance("40d", student);
  expect(await student.access()).toMatchObject({ tier: "premium" });
  const [premium, basic] = await student.purchases();
  expect(premium).toMatchObject({ tier: "premium", isRecurring: false });
  expect(basic).toMatchObject({ subscriptionStatus: "cancelled", nextBillingDate: null });
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00"]);
});

test("a year is announced 30, 7 and 1 day before its end, or later, and another one is added to it", async () => {
  const late = await academy.buyer("premium");
  await academy.mailTo(late, "is ready");
  await academy.advance("5d");
  const student = await academy.buyer("premium");
  const { until } = await student.access();
  await academy.advance("335d", student);
  // As after an outage: the reminder says how many days are left.
  expect(await mailsTo(late)).toEqual(["Your Annual Access ends in 25 days", "Your Annual Access is ready"]);
  await academy.advance("23d", student);
  await student.buy("premium");
  expect(Date.parse((await student.access()).until ?? "") - Date.parse(until ?? "")).toBe(365 * DAY);
  await academy.advance("6d", student);
  await academy.advance("365d", student);
  // The receipt of a payment may be sent after the clock was moved.
  expect((await mailsTo(student)).sort()).toEqual([
    "Your Annual Access ends in 1 day",
    "Your Annual Access ends in 30 days",
    "Your Annual Access ends in 7 days",
    "Your Annual Access is ready",
    "Your Annual Access is ready",
  ]);
  await academy.advance("2d", student);
  expect(await student.access()).toMatchObject({ hasAccess: false });
});

test("a new card is charged with the next renewal, and one that was not stored is stored when it is needed", async () => {
  const [kept, unkept] = [await member(), await member()];
  // The state after a second purchase of the gateway's customer, before the job has run.
  const notKept = `update payment_methods set customer_profile_id = null, payment_profile_id = null
    where id in (select id from ${cardOf})`;
  await academy.pool.query(notKept, [unkept.purchaseId]);
  for (const { student } of [kept, unkept]) {
    const changed = await student.changeCard({ number: otherCard });
    expect(changed).toMatchObject({ status: 200, body: { charged: null } });
    expect((await student.subscription())?.card?.last4).toBe("0015");
  }
  await academy.pool.query(notKept, [unkept.purchaseId]);
  await academy.advance("30d", unkept.student);
  const renewal = (await academy.transactionsOf(kept.purchaseId)).at(-1);
  expect(renewal).toMatchObject({ last4: "0015", responseCode: "1" });
  expect(await academy.chargedFor(kept.purchaseId)).toEqual(["49.00", "49.00"]);
  expect(await unkept.student.subscription()).toMatchObject({ state: "renewing", amountDue: "0.00" });
});

test("an administrator's hold is lifted by no card, and the held person is told so [P28]", async ({
  administrator,
}) => {
  const { student } = await member();
  await booksOf(administrator).hold(student);
  for (const days of ["1m", "35d"]) {
    await academy.advance(days, student);
    const before = (await academy.ledger()).length;
    const message = /^Your account is on hold, and we won't charge you.* A new card won't change that/;
    expect(await student.changeCard({ number: otherCard })).toMatchObject({
      status: 403,
      body: { code: "account-blocked", message: expect.stringMatching(message) },
    });
    const held = { state: "on-hold", isHeldByAdministrator: true, mayChangeCard: false, amountDue: "0.00" };
    expect(await student.subscription()).toMatchObject(held);
    expect(await student.access()).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
    expect((await academy.ledger()).length).toBe(before);
  }
});

test("after a second hold, the course opens when the renewal is paid, and both are told so", async ({
  administrator,
}) => {
  const { student } = await member();
  const userId = await student.id();
  const reason = "asked by phone";
  const { hold } = booksOf(administrator);
  const lift = async (after: string) => {
    await academy.advance(after, student);
    await administrator.signInAgain();
    return (await administrator.call(reactivateAccount, { body: { userId, reason } })).body.message;
  };
  await hold(student);
  expect(await lift("35d")).toBe("Account reactivated successfully");
  await hold(student);
  expect(await lift("10d")).toContain("the course opens when that succeeds");
  expect(await student.access()).toMatchObject({ hasAccess: false, accountStatus: "active" });
  const opensThen = "We'll charge your card soon, and you can use the course again once it's paid.";
  await until(async () => (await academy.mails(student.email)).find(({ text }) => text.includes(opensThen)));
  await academy.advance("2h", student);
  expect(await student.access()).toMatchObject({ hasAccess: true });
});

/** Until the last retry is declined. */
async function declineUntilHold(student: Visitor): Promise<void> {
  await academy.nextChargesOf(student, "decline", "decline", "decline", "decline");
  for (const days of ["30d", "3d", "4d", "7d"]) await academy.advance(days, student);
  expect(await student.access()).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
}

test("an unpaid account is reopened for three days once, and again only after a payment", async ({ administrator }) => {
  const { student, purchaseId } = await member();
  const userId = await student.id();
  const act = async (endpoint: typeof reactivateAccount | typeof suspendAccount) => {
    await administrator.signInAgain();
    return administrator.call(endpoint, { body: { userId, reason: "asked by phone" } });
  };
  const userOf = async () => (await administrator.call(getUserDetail, { params: { userId } })).body.user;
  await declineUntilHold(student);

  await administrator.signInAgain();
  const body = { userId, reason: "asked by phone" };
  const answers = await Promise.all([1, 2, 3].map(() => administrator.call(reactivateAccount, { body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const reopened = answers.find(({ status }) => status === 200);
  expect(reopened?.body.message).toContain("open for three days, and not again before a payment");
  const inDays = (await academy.now()) + 3 * DAY;
  const subscription = await student.subscription();
  expect(subscription).toMatchObject({ state: "renewing", amountDue: "49.00", mayChangeCard: true });
  expect(Math.abs(Date.parse(subscription?.accessUntil ?? "") - inDays)).toBeLessThan(DAY / 24);
  const access = await student.access();
  expect(access).toMatchObject({ hasAccess: true, accountStatus: "active", source: "grace" });
  expect(Math.abs(Date.parse(access.until ?? "") - inDays)).toBeLessThan(DAY / 24);
  const { text } = await academy.mailTo(student, "Your account is active again");
  expect(text).toContain("Your renewal of $49.00 is still unpaid. We'll try your card again on");

  await academy.nextChargesOf(student, "decline");
  await academy.advance("3d", student);
  expect(await student.access()).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
  for (const days of ["1m", "45d"]) {
    await academy.advance(days, student);
    const second = await act(reactivateAccount);
    expect(second).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(second.body.message).toContain("It opens again when the student pays");
    expect(await userOf()).toMatchObject({ waitsForPayment: true, may: { reactivate: false } });
  }
  // A suspension that is lifted leaves the hold.
  expect((await act(suspendAccount)).status).toBe(200);
  expect((await act(reactivateAccount)).body.message).toBe("The account stays on hold until the student pays.");
  expect(await student.access()).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00"]);

  expect((await student.changeCard({ number: otherCard })).body).toMatchObject({ charged: "49.00" });
  expect(await student.access()).toMatchObject({ hasAccess: true, accountStatus: "active", source: "renewal" });
  await declineUntilHold(student);
  expect((await act(reactivateAccount)).status).toBe(200);
  await academy.advance("3d", student);
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00", "49.00", "49.00"]);
  expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "0.00" });
});

test("a card that can never be charged again holds after 3 days, and is not tried once reactivated [P27]", async ({
  administrator,
}) => {
  const { student, purchaseId } = await member();
  await academy.nextChargesOf(student, "decline-hard");
  await academy.advance("30d", student);
  expect(await student.subscription()).toMatchObject({ state: "declined", nextPaymentAt: null });
  await academy.advance("3d", student);
  expect(await student.access()).toMatchObject({ accountStatus: "on_hold" });
  expect(await academy.chargedFor(purchaseId)).toEqual(["49.00"]);
  const before = (await academy.ledger()).length;
  await administrator.signInAgain();
  expect((await administrator.call(reactivateAccount, { body: { userId: await student.id() } })).status).toBe(200);
  expect(await student.subscription()).toMatchObject({ state: "renewing", nextPaymentAt: null });
  const { text } = await academy.mailTo(student, "Your account is active again");
  expect(text).toContain("We can't charge your card anymore.");
  await academy.advance("3d", student);
  expect(await student.access()).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
  expect((await academy.ledger()).length).toBe(before);
});

test("cancelling a declined subscription sends one email and deletes the card", async () => {
  const { student, purchaseId } = await member();
  await academy.nextChargesOf(student, "decline");
  await academy.advance("30d", student);
  expect((await stop(student)).status).toBe(200);
  expect((await student.access()).hasAccess).toBe(false);
  // The card is deleted after a minute.
  await academy.advance("1m");
  expect(await countKeptCards(purchaseId)).toBe(0);
  await academy.advance("20d", student);
  expect((await mailsTo(student))[0]).toBe("Your Monthly Access is cancelled");
});

test("a tier that was given for some days leaves what was paid of a lower one", async ({ administrator }) => {
  const { student } = await member();
  const userId = await student.id();
  const { until: paidUntil } = await student.access();
  const endsAt = new Date(Date.parse(paidUntil ?? "") - 25 * DAY).toISOString();
  await administrator.call(updateUserTier, { body: { userId, newTier: "vip", endsAt } });
  expect(await student.access()).toMatchObject({ tier: "vip", until: endsAt });
  await academy.advance("6d", student);
  expect(await student.access()).toMatchObject({ tier: "basic", until: paidUntil });
});

test("a stored card unknown to the gateway counts as declined, and a new card makes a new customer", async () => {
  const { student, purchaseId } = await member();
  const gone = `update payment_methods set customer_profile_id = '999999901', payment_profile_id = '999999902'
    where id in (select id from ${cardOf})`;
  await academy.pool.query(gone, [purchaseId]);
  await academy.advance("30d", student);
  expect(await student.subscription()).toMatchObject({ state: "declined" });
  expect((await mailsTo(student))[0]).toBe("Your payment of $49.00 for Monthly Access didn't go through");
  const changed = await student.changeCard({ number: otherCard });
  expect(changed).toMatchObject({ status: 200, body: { charged: "49.00" } });
  expect(await student.subscription()).toMatchObject({ state: "renewing", card: { last4: "0015" } });
  await academy.advance("30d", student);
  expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "0.00" });
  const charges = "select state from payment_attempts where purchase_id = $1 and last4 = '0015'";
  const { rows } = await academy.pool.query(charges, [purchaseId]);
  expect(rows).toEqual([{ state: "approved" }, { state: "approved" }]);
});

test("a card is not deleted while a new subscription of its owner has no card yet", async () => {
  const { student, purchaseId } = await member();
  await academy.nextChargesOf(student, "decline");
  await academy.advance("30d", student);
  await stop(student);
  const again = await student.buy("basic");
  const kept = `select 1 from ${cardOf} where payment_profile_id is not null`;
  await until(async () => (await academy.pool.query(kept, [again.body.purchaseId])).rowCount);
  await academy.pool.query(
    `update payment_methods set payment_profile_id = null where id in (select id from ${cardOf})`,
    [again.body.purchaseId],
  );
  await academy.advance("1m");
  expect(await countKeptCards(purchaseId)).toBe(1);
  await academy.advance("30d", student);
  expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "0.00" });
  expect(await countKeptCards(purchaseId)).toBe(1);
});

test("Monthly resumed after a refunded upgrade renews from its card, which the upgrade had deleted", async ({
  administrator,
}) => {
  const { student, purchaseId } = await member();
  await academy.advance("8d", student);
  const upgrade = await student.buyQuoted("vip");
  await academy.advance("1m", student);
  expect(await countKeptCards(purchaseId)).toBe(0);
  expect((await booksOf(await administrator.signInAgain()).refund(upgrade.body.purchaseId)).status).toBe(200);
  expect((await resume(student)).status).toBe(200);
  await academy.advance("30d", student);
  expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "0.00" });
  expect(await countKeptCards(purchaseId)).toBe(1);
});

test("a card link needs no sign-in and works once, and a declined card does not use it up", async () => {
  const { student, purchaseId } = await member();
  await academy.nextChargesOf(student, "decline");
  await academy.advance("30d", student);
  const mail = await academy.mailTo(student, "didn't go through");
  const token = /payment-method#([\w-]+)/.exec(mail.text)?.[1] ?? "";
  const stranger = academy.visitor();
  const link = (await stranger.call(readCardLink, { body: { token } })).body;
  const shown = { planName: "Monthly Access", amountDue: "49.00", firstName: "Jo", state: "declined" };
  expect(link).toMatchObject(shown);
  expect(JSON.stringify(link)).not.toContain(student.email);
  expect((await stranger.call(getOwnSubscription)).status).toBe(401);
  const follow = async (number: string) =>
    academy.visitor().call(changeCardByLink, { body: { token, ...(await student.newCard({ number })) } });

  await academy.nextChargesOf(student, "decline");
  expect(await follow("4007000000027")).toMatchObject({ status: 402 });
  await academy.advance("1m");
  expect(await countKeptCards(purchaseId)).toBe(1);
  const numbers = ["4012888818888", otherCard, "4111111111111111"];
  const answers = await Promise.all(numbers.map(follow));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ charged: "49.00" });
  for (const gone of [token, "x".repeat(43)]) {
    expect(await stranger.call(readCardLink, { body: { token: gone } })).toMatchObject({ status: 404 });
  }
  expect(await student.subscription()).toMatchObject({ state: "renewing", amountDue: "0.00" });
  await academy.advance("1m");
  expect(await countKeptCards(purchaseId)).toBe(1);
});
