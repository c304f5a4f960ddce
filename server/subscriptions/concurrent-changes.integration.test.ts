import { afterAll, beforeAll, expect, test } from "vitest";
import { getCourseAccess } from "#contract/access.ts";
import { holdAccount, refundPurchase } from "#contract/admin/purchases.ts";
import { updateUserTier } from "#contract/admin/users.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import {
  cancelOwnSubscription,
  changeCard,
  changeCardByLink,
  getOwnSubscription,
  resumeOwnSubscription,
} from "#contract/purchases/subscriptions.ts";
import { merchant } from "#sandbox/gateway/gateway.ts";
import { openPool } from "#server/db/db.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  pool = openPool(academy.database.connection, () => {}, 2);
});
afterAll(async () => {
  await pool?.end();
  await academy?.[Symbol.asyncDispose]();
});

async function member(): Promise<{ student: Visitor; purchaseId: string }> {
  const student = await academy.visitor().signUp();
  const bought = await student.call(acceptPayment, { body: await student.paymentFor("basic") });
  expect(bought.status).toBe(200);
  return { student, purchaseId: bought.body.purchaseId };
}

/** Moves the clock, and signs the students in again. */
async function pass(duration: string, student: Visitor): Promise<void> {
  await academy.advance(duration);
  await student.signInAgain();
}

const stop = (student: Visitor) => student.call(cancelOwnSubscription, { body: {} });
const subscriptionOf = async (student: Visitor) => (await student.call(getOwnSubscription)).body.subscription;
const subjectsTo = async (student: Visitor) =>
  (await academy.mails()).filter((mail) => mail.to === student.email).map((mail) => mail.subject);

async function card(visitor: Visitor, number: string, zip = "90210") {
  return { ...(await visitor.tokenizeCard({ number, zip })), customerName: "Jo Vendor", zip };
}

/** The payment method of the subscription of the purchase $1. */
const cardOf = `(select m.* from payment_methods m join subscriptions s on s.payment_method_id = m.id
  where s.purchase_id = $1) as card`;

/** The number of cards that the gateway stores for a purchase's customer. */
async function countKeptCards(purchaseId: string): Promise<number> {
  const { rows } = await pool.query(`select customer_profile_id as id from ${cardOf}`, [purchaseId]);
  const response = await fetch(`${academy.url}/sandbox/gateway/xml/v1/request.api`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      getCustomerProfileRequest: {
        merchantAuthentication: { name: merchant.apiLoginId, transactionKey: merchant.transactionKey },
        customerProfileId: rows[0].id,
      },
    }),
  });
  return JSON.parse((await response.text()).replace(/^\uFEFF/, "")).profile.paymentProfiles?.length ?? 0;
}

test("an administrator's hold is lifted by no card, and the held person is told so [P28]", async () => {
  const { student } = await member();
  const { id: userId } = (await student.call(getCurrentUser)).body;
  const subscriptionId = (await subscriptionOf(student))?.subscriptionId;
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  await administrator.call(holdAccount, { body: { userId, subscriptionId, reason: "chargeback risk" } });
  for (const days of ["1m", "35d"]) {
    await pass(days, student);
    const before = (await academy.ledger()).length;
    const refused = await student.call(changeCard, { body: await card(student, "5424000000000015") });
    expect(refused).toMatchObject({ status: 403, body: { code: "account-blocked" } });
    expect(refused.body.message).toMatch(
      /^Your account is on hold, and nothing is charged.* A new card does not open it/,
    );
    expect(await subscriptionOf(student)).toMatchObject({
      state: "on-hold",
      isHeldByAdministrator: true,
      mayChangeCard: false,
      amountDue: "0.00",
    });
    expect((await student.call(getCourseAccess)).body).toMatchObject({ hasAccess: false, accountStatus: "on_hold" });
    expect((await academy.ledger()).length).toBe(before);
  }
});

test("cancelling a declined subscription sends one email and deletes the card", async () => {
  const { student, purchaseId } = await member();
  await academy.nextChargesOf(student, "decline");
  await pass("30d", student);
  expect((await stop(student)).status).toBe(200);
  expect((await student.call(getCourseAccess)).body.hasAccess).toBe(false);
  // The card is deleted after a minute.
  await academy.advance("1m");
  expect(await countKeptCards(purchaseId)).toBe(0);
  await pass("20d", student);
  expect((await subjectsTo(student))[0]).toBe("Your Monthly Access is cancelled");
});

test("a tier that was given for some days leaves what was paid of a lower one", async () => {
  const { student } = await member();
  const { id: userId } = (await student.call(getCurrentUser)).body;
  const { until: paidUntil } = (await student.call(getCourseAccess)).body;
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const endsAt = new Date(Date.parse(paidUntil ?? "") - 25 * 86_400_000).toISOString();
  await administrator.call(updateUserTier, { body: { userId, newTier: "vip", endsAt } });
  expect((await student.call(getCourseAccess)).body).toMatchObject({ tier: "vip", until: endsAt });
  await pass("6d", student);
  expect((await student.call(getCourseAccess)).body).toMatchObject({ tier: "basic", until: paidUntil });
});

test("a stored card that the gateway does not know any more counts as declined, and a new card makes a new customer", async () => {
  const { student, purchaseId } = await member();
  const gone = `update payment_methods set customer_profile_id = '999999901', payment_profile_id = '999999902'
    where id in (select id from ${cardOf})`;
  await pool.query(gone, [purchaseId]);
  await pass("30d", student);
  expect(await subscriptionOf(student)).toMatchObject({ state: "declined" });
  expect((await subjectsTo(student))[0]).toBe("Your payment of $49.00 for Monthly Access did not go through");
  const changed = await student.call(changeCard, { body: await card(student, "5424000000000015") });
  expect(changed).toMatchObject({ status: 200, body: { charged: "49.00" } });
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", card: { last4: "0015" } });
  await pass("30d", student);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", amountDue: "0.00" });
  const charges = "select state, last4 from payment_attempts where purchase_id = $1 and last4 = '0015'";
  expect((await pool.query(charges, [purchaseId])).rows.map(({ state }) => state)).toEqual(["approved", "approved"]);
  await stop(student);
});

test("a card that the gateway could not keep with the charge is kept when it is needed: for another card, and for the renewal", async () => {
  const { student, purchaseId } = await member();
  // The state after a second purchase of the gateway's customer, before the job has run.
  const notKept = `update payment_methods set customer_profile_id = null, payment_profile_id = null
    where id in (select id from ${cardOf})`;
  await pool.query(notKept, [purchaseId]);
  const changed = await student.call(changeCard, { body: await card(student, "5424000000000015") });
  expect(changed).toMatchObject({ status: 200, body: { charged: null } });
  expect(await subscriptionOf(student)).toMatchObject({ card: { last4: "0015" } });
  await pool.query(notKept, [purchaseId]);
  await pass("30d", student);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", amountDue: "0.00" });
  await stop(student);
});

test("a card is not forgotten while a new subscription of its owner has yet to say which card it has", async () => {
  const { student, purchaseId } = await member();
  await academy.nextChargesOf(student, "decline");
  await pass("30d", student);
  await stop(student);
  const again = await student.call(acceptPayment, { body: await student.paymentFor("basic") });
  const kept = `select 1 from ${cardOf} where payment_profile_id is not null`;
  await until(async () => (await pool.query(kept, [again.body.purchaseId])).rowCount);
  await pool.query(`update payment_methods set payment_profile_id = null where id in (select id from ${cardOf})`, [
    again.body.purchaseId,
  ]);
  await academy.advance("1m");
  expect(await countKeptCards(purchaseId)).toBe(1);
  await pass("30d", student);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", amountDue: "0.00" });
  expect(await countKeptCards(purchaseId)).toBe(1);
  await stop(student);
});

test("Monthly resumed after a refunded upgrade renews from its card, which the upgrade had deleted", async () => {
  const { student, purchaseId } = await member();
  await pass("8d", student);
  const upgrade = await student.call(acceptPayment, { body: await student.quotedPaymentFor("vip") });
  await pass("1m", student);
  expect(await countKeptCards(purchaseId)).toBe(0);
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const body = { purchaseId: upgrade.body.purchaseId, reason: "changed their mind" };
  expect((await administrator.call(refundPurchase, { body })).status).toBe(200);
  expect((await student.call(resumeOwnSubscription, { body: {} })).status).toBe(200);
  await pass("30d", student);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", amountDue: "0.00" });
  expect(await countKeptCards(purchaseId)).toBe(1);
  await stop(student);
});

test("a card link works once, also for concurrent uses; a declined card does not use it up and is not stored", async () => {
  const { student, purchaseId } = await member();
  await academy.nextChargesOf(student, "decline");
  await pass("30d", student);
  const mail = (await academy.mails()).find((one) => one.to === student.email);
  const token = /payment-method#([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  const follow = async (number: string) =>
    academy.visitor().call(changeCardByLink, { body: { token, ...(await card(student, number)) } });

  await academy.nextChargesOf(student, "decline");
  expect(await follow("4007000000027")).toMatchObject({ status: 402 });
  await academy.advance("1m");
  expect(await countKeptCards(purchaseId)).toBe(1);
  const numbers = ["4012888818888", "5424000000000015", "4111111111111111"];
  const answers = await Promise.all(numbers.map(follow));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", amountDue: "0.00" });
  await academy.advance("1m");
  expect(await countKeptCards(purchaseId)).toBe(1);
  await stop(student);
});
