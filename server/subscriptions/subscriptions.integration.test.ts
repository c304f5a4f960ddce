import { afterAll, beforeAll, expect, test } from "vitest";
import { getCourseAccess } from "#contract/access.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import {
  cancelOwnSubscription,
  changeCard,
  changeCardByLink,
  getOwnSubscription,
  readCardLink,
  resumeOwnSubscription,
} from "#contract/purchases/subscriptions.ts";
import type { Tier } from "#contract/tiers.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
beforeAll(async () => {
  academy = await openAcademyInProcess();
});
afterAll(() => academy?.[Symbol.asyncDispose]());

const DAY = 86_400_000;

async function studentWith(tier: Tier): Promise<Visitor> {
  const student = await academy.visitor().signUp();
  const bought = await student.call(acceptPayment, { body: await student.paymentFor(tier) });
  expect(bought.status).toBe(200);
  return student;
}

/** Moves the clock, and signs the students in again, because sessions end after a week. */
async function pass(duration: string, student: Visitor): Promise<void> {
  await academy.advance(duration);
  await student.signInAgain();
}

const subscriptionOf = async (student: Visitor) => (await student.call(getOwnSubscription)).body.subscription;
const accessOf = async (student: Visitor) => (await student.call(getCourseAccess)).body;

/** The gateway's charges of the student's purchases and renewals, the oldest first. */
async function chargesOf(student: Visitor): Promise<string[]> {
  const invoices = (await student.call(listUserPurchases)).body.map((purchase) => purchase.id);
  const ledger = await academy.ledger();
  const customers = ledger.flatMap((row) =>
    invoices.includes(row.invoiceNumber) ? (row.customerProfileId ?? []) : [],
  );
  return ledger
    .filter((row) => row.responseCode === "1" && customers.includes(row.customerProfileId ?? "nobody"))
    .map((row) => Number(row.amount).toFixed(2));
}

/** The subjects, the newest first, without that of the sign-in service, which arrives at about the same time. */
const mailsTo = async (student: Visitor) =>
  (await academy.mails())
    .filter((mail) => mail.to === student.email && mail.subject !== "Confirm your address")
    .map((mail) => mail.subject);

async function newCard(student: Visitor, zip?: string) {
  return { ...(await student.tokenizeCard(zip ? { zip } : {})), customerName: "Jo Vendor", zip: zip ?? "90210" };
}

test("a subscription is charged once for each 30 days, to the second, and after months of outage once [P23 P25 P26]", async () => {
  const student = await studentWith("basic");
  const first = await subscriptionOf(student);
  expect(first).toMatchObject({ state: "renewing", amountDue: "0.00", mayCancel: true, mayResume: false });
  expect(first?.card?.last4).toBe("1111");

  await pass("29d", student);
  expect(await chargesOf(student)).toEqual(["49.00"]);
  await pass("1d", student);
  expect(await chargesOf(student)).toEqual(["49.00", "49.00"]);
  const second = await subscriptionOf(student);
  expect(Date.parse(second?.paidUntil ?? "") - Date.parse(first?.paidUntil ?? "")).toBe(30 * DAY);
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, tier: "basic", until: second?.paidUntil });
  expect(await mailsTo(student)).toEqual([
    "Your Monthly Access is renewed: receipt for $49.00",
    "Your Monthly Access is open",
  ]);

  await academy.stop();
  await academy.start();
  await pass("100d", student);
  expect(await chargesOf(student)).toEqual(["49.00", "49.00", "49.00"]);
  const third = await subscriptionOf(student);
  expect(Date.parse(third?.paidUntil ?? "") - Date.parse(second?.paidUntil ?? "")).toBeGreaterThan(99 * DAY);
});

test("a declined renewal is tried after 3, 7 and 14 days, with exact flags and one email each, then held, and a new card brings it back [P27]", async () => {
  const student = await studentWith("basic");
  await academy.nextChargesOf(student, "decline", "decline", "decline", "decline");
  await pass("30d", student);
  const declined = await subscriptionOf(student);
  expect(declined).toMatchObject({ state: "declined", amountDue: "49.00" });
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, tier: "basic", source: "grace" });
  const [purchase] = (await student.call(listUserPurchases)).body;
  expect(purchase).toMatchObject({ paymentDeclined: true, lastPaymentAttempt: expect.any(String) });

  const tried = [Date.parse(purchase?.lastPaymentAttempt ?? "")];
  for (const days of ["3d", "4d", "7d"]) {
    await pass(days, student);
    const [now] = (await student.call(listUserPurchases)).body;
    expect(now?.paymentDeclined).toBe(true);
    tried.push(Date.parse(now?.lastPaymentAttempt ?? ""));
    if (days === "7d") break;
    expect(await subscriptionOf(student)).toMatchObject({ state: "declined" });
    expect(await accessOf(student)).toMatchObject({ hasAccess: true });
  }
  expect(tried.map((at) => Math.round((at - (tried[0] ?? 0)) / DAY))).toEqual([0, 3, 7, 14]);
  expect(await subscriptionOf(student)).toMatchObject({ state: "on-hold", nextPaymentAt: null, amountDue: "49.00" });
  expect(await accessOf(student)).toMatchObject({
    hasAccess: false,
    accountStatus: "on_hold",
    suspensionReason: "Your last payment was declined. Please update your payment method.",
  });
  expect((await mailsTo(student)).slice(0, 4)).toEqual([
    "Your Monthly Access is on hold",
    "Your payment of $49.00 for Monthly Access did not go through",
    "Your payment of $49.00 for Monthly Access did not go through",
    "Your payment of $49.00 for Monthly Access did not go through",
  ]);
  await pass("60d", student);
  expect(await chargesOf(student)).toEqual(["49.00"]);

  const refused = await student.call(changeCard, { body: await newCard(student, "46282") });
  expect(refused).toMatchObject({ status: 402, body: { code: "payment-declined" } });
  expect(await subscriptionOf(student)).toMatchObject({ state: "on-hold" });
  const changed = await student.call(changeCard, { body: await newCard(student) });
  expect(changed).toMatchObject({ status: 200, body: { success: true, status: "changed", charged: "49.00" } });
  expect(await accessOf(student)).toMatchObject({ hasAccess: true, accountStatus: "active" });
  expect((await student.call(listUserPurchases)).body[0]).toMatchObject({ paymentDeclined: false });
  expect(await chargesOf(student)).toEqual(["49.00", "49.00"]);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", amountDue: "0.00" });
});

test("a card that can never be charged again is not tried again, and holds after 3 days [P27]", async () => {
  const student = await studentWith("basic");
  await academy.nextChargesOf(student, "decline-hard");
  await pass("30d", student);
  expect(await subscriptionOf(student)).toMatchObject({ state: "declined", nextPaymentAt: null });
  await pass("3d", student);
  expect(await accessOf(student)).toMatchObject({ accountStatus: "on_hold" });
  await pass("30d", student);
  expect(await chargesOf(student)).toEqual(["49.00"]);
});

test("the link of the mail opens the card page without sign-in, once, and nothing else", async () => {
  const student = await studentWith("basic");
  await academy.nextChargesOf(student, "decline");
  await pass("30d", student);
  const [mail] = (await academy.mails()).filter((one) => one.to === student.email);
  const token = /payment-method#([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  const stranger = academy.visitor();
  const link = await stranger.call(readCardLink, { body: { token } });
  expect(link.body).toMatchObject({
    planName: "Monthly Access",
    amountDue: "49.00",
    firstName: "Jo",
    state: "declined",
  });
  expect(JSON.stringify(link.body)).not.toContain(student.email);
  expect((await stranger.call(getOwnSubscription)).status).toBe(401);

  const changed = await stranger.call(changeCardByLink, { body: { token, ...(await newCard(stranger)) } });
  expect(changed).toMatchObject({ status: 200, body: { charged: "49.00" } });
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing" });
  for (const gone of [token, "x".repeat(43)]) {
    expect(await stranger.call(readCardLink, { body: { token: gone } })).toMatchObject({ status: 404 });
  }
});

test("a cancelled subscription stays open to the end of what is paid, can be resumed until then, and ends [P29]", async () => {
  const student = await studentWith("basic");
  await pass("10d", student);
  expect((await student.call(cancelOwnSubscription, { body: {} })).body.subscription).toMatchObject({
    state: "cancelled",
    nextPaymentAt: null,
    mayResume: true,
  });
  expect(await student.call(cancelOwnSubscription, { body: {} })).toMatchObject({
    status: 409,
    body: { code: "conflict" },
  });
  expect((await student.call(resumeOwnSubscription, { body: {} })).body.subscription).toMatchObject({
    state: "renewing",
  });
  expect(await student.call(resumeOwnSubscription, { body: {} })).toMatchObject({ status: 409 });
  await student.call(cancelOwnSubscription, { body: {} });
  await pass("19d", student);
  expect(await accessOf(student)).toMatchObject({ hasAccess: true });
  await pass("2d", student);
  expect(await accessOf(student)).toMatchObject({ hasAccess: false, tier: null });
  expect(await student.call(resumeOwnSubscription, { body: {} })).toMatchObject({ status: 404 });
  expect(await chargesOf(student)).toEqual(["49.00"]);
  expect((await mailsTo(student))[0]).toBe("Your Monthly Access has ended");
});

test("an upgrade stops the old subscription in the same step [P30]", async () => {
  const student = await studentWith("basic");
  await student.call(acceptPayment, { body: await student.quotedPaymentFor("premium") });
  expect(await subscriptionOf(student)).toBeNull();
  expect(await student.call(resumeOwnSubscription, { body: {} })).toMatchObject({ status: 404 });
  await pass("40d", student);
  expect(await accessOf(student)).toMatchObject({ tier: "premium" });
  const [premium, basic] = (await student.call(listUserPurchases)).body;
  expect(premium).toMatchObject({ tier: "premium", isRecurring: false });
  expect(basic).toMatchObject({ subscriptionStatus: "cancelled", nextBillingDate: null });
  expect(await chargesOf(student)).toEqual(["49.00"]);
});

test("a year is announced 30, 7 and 1 day before its end, and another one is added to it", async () => {
  const student = await studentWith("premium");
  const { until } = await accessOf(student);
  await pass("335d", student);
  await pass("23d", student);
  await student.call(acceptPayment, { body: await student.paymentFor("premium") });
  expect(Date.parse((await accessOf(student)).until ?? "") - Date.parse(until ?? "")).toBe(365 * DAY);
  await pass("6d", student);
  await pass("365d", student);
  expect(await mailsTo(student)).toEqual([
    "Your Annual Access ends in 1 day",
    "Your Annual Access is open",
    "Your Annual Access ends in 7 days",
    "Your Annual Access ends in 30 days",
    "Your Annual Access is open",
  ]);
  await pass("2d", student);
  expect(await accessOf(student)).toMatchObject({ hasAccess: false });
});

test("a reminder that comes late, as after an outage, says how many days are left", async () => {
  const student = await studentWith("premium");
  await pass("340d", student);
  expect(await mailsTo(student)).toEqual(["Your Annual Access ends in 25 days", "Your Annual Access is open"]);
});

test("a new card while nothing is due is charged with the next renewal only", async () => {
  const student = await studentWith("basic");
  const card = {
    ...(await student.tokenizeCard({ number: "5424000000000015" })),
    customerName: "Jo Vendor",
    zip: "90210",
  };
  const changed = await student.call(changeCard, { body: card });
  expect(changed).toMatchObject({ status: 200, body: { charged: null } });
  expect((await subscriptionOf(student))?.card?.last4).toBe("0015");
  await pass("30d", student);
  const { id } = (await student.call(listUserPurchases)).body[0] ?? {};
  const ledger = await academy.ledger();
  const customer = ledger.find((row) => row.invoiceNumber === id)?.customerProfileId;
  const renewal = ledger.filter((row) => row.customerProfileId === customer).at(-1);
  expect(renewal).toMatchObject({ last4: "0015", responseCode: "1" });
});
