import { expect } from "vitest";
import { draftPlan, getContent, publishContent } from "#contract/admin/content.ts";
import { changeCoupon, createCoupon, listCoupons } from "#contract/admin/coupons.ts";
import { getMorning } from "#contract/admin/morning.ts";
import { getPurchaseDetail, refundPurchase } from "#contract/admin/purchases.ts";
import { runReconciliation } from "#contract/admin/reconciliation.ts";
import { acceptPayment, listUserPurchases, renewalConsent } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { getReceipt, listPayments } from "#contract/purchases/receipts.ts";
import {
  cancelOwnSubscription,
  changeCard,
  getOwnSubscription,
  resumeOwnSubscription,
} from "#contract/purchases/subscriptions.ts";
import { makeCoupon, signUpConfirmed } from "#test/coupons.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { figureOf } from "#test/metrics.ts";
import { stopRenewals } from "#test/stop-renewals.ts";
import type { Visitor } from "#test/visitor.ts";

// A Monthly at half the price for the first payment and two renewals: $24.50 three times, and $49.00 from then on.

const { academy, administrator, test } = await academyOfFile();

test.afterEach(() => stopRenewals(academy));

let made = 0;

async function halfPrice(renewals = 2): Promise<string> {
  made += 1;
  return makeCoupon(administrator, `HALF-${made}`, await academy.now(), { value: 50, renewals });
}

async function buyWith(code: string) {
  const student = await signUpConfirmed(academy);
  const quoted = await student.quotedPaymentFor("basic", {}, code);
  const { status, body } = await student.call(acceptPayment, {
    body: { ...quoted, renewalConsent: renewalConsent.version },
  });
  expect(status).toBe(200);
  return { student, code, purchaseId: body.purchaseId };
}

const buyAtHalfPrice = async () => buyWith(await halfPrice());
const subscriptionOf = async (student: Visitor) => (await student.call(getOwnSubscription)).body.subscription;
const twoLeft = { price: "24.50", later: { after: 2, price: "49.00" } };
const oneLeft = { price: "24.50", later: { after: 1, price: "49.00" } };
const noneLeft = { price: "49.00", later: null };

test("quote and consent name both prices, and each month is charged at the one that was named", async () => {
  const code = await halfPrice();
  const asking = await signUpConfirmed(academy);
  const { body: quoted } = await asking.call(createQuote, { body: { tier: "basic", code } });
  expect(quoted).toMatchObject({ total: 24.5, renewal: 49, discountedRenewals: 2 });
  expect(renewalConsent.textFor(24.5, 49, 2)).toContain(
    "$24.50 today and for the next 2 payments, then $49.00 every 30 days until I cancel",
  );

  const { student, purchaseId } = await buyWith(code);
  expect(await subscriptionOf(student)).toMatchObject(twoLeft);
  const sold = await academy.mailTo(student, "is ready");
  expect(sold.text).toContain("for $24.50, until you cancel");
  expect(sold.text).toContain("You pay $24.50 for 2 more payments, then $49.00 every 30 days.");
  expect(sold.text).toContain(`Coupon ${code}, for the first 3 payments`);

  for (const expected of [oneLeft, noneLeft, noneLeft]) {
    await academy.advance("30d", student, administrator);
    expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", ...expected });
  }
  expect(await academy.chargedFor(purchaseId)).toEqual(["24.50", "24.50", "24.50", "49.00"]);

  const mails = (await academy.mails(student.email)).filter(({ subject }) => subject.includes("was renewed"));
  const texts = mails.map(({ text }) => text).toReversed();
  expect(texts[0]).toContain("You pay $24.50 once more, then $49.00 every 30 days.");
  expect(texts[1]).toContain("Your discount has ended: from then on, you pay $49.00 every 30 days.");
  for (const text of texts.slice(2)) expect(text).not.toMatch(/discount|24\.50/);

  const payments = (await student.call(listPayments)).body.toReversed();
  const linesOf = async (at: number) =>
    (await student.call(getReceipt, { params: { id: payments[at]?.receiptId ?? "" } })).body.lines;
  const discounted = [
    { kind: "plan", label: "Monthly Access", cents: 4900 },
    { kind: "discount", label: `Coupon ${code}, for the first 3 payments`, cents: -2450 },
  ];
  expect(await linesOf(0)).toEqual(discounted);
  expect(await linesOf(2)).toEqual(discounted);
  expect(await linesOf(3)).toEqual([]);

  const { rows } = (await administrator.call(listCoupons)).body;
  expect(rows.find((one) => one.code === code)).toMatchObject({ renewals: 2, discounted: 73.5, revenue: 122.5 });
});

test("a declined renewal is retried at the discounted price, which counts once [P50]", async () => {
  const { student, purchaseId } = await buyAtHalfPrice();
  await academy.nextChargesOf(student, "decline");
  await academy.advance("30d", student, administrator);
  expect(await subscriptionOf(student)).toMatchObject({ state: "declined", amountDue: "24.50", ...twoLeft });
  await academy.mailTo(student, "Your payment of $24.50 for Monthly Access didn't go through");
  await academy.advance("3d", student, administrator);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", ...oneLeft });
  expect(await academy.chargedFor(purchaseId)).toEqual(["24.50", "24.50"]);
});

test("a new card on hold pays the discounted price, and the networks are told of its own first charge", async () => {
  const { student, purchaseId } = await buyWith(await halfPrice(1));
  await academy.nextChargesOf(student, "decline", "decline", "decline", "decline");
  for (const later of ["30d", "3d", "4d", "7d"]) await academy.advance(later, student, administrator);
  expect(await subscriptionOf(student)).toMatchObject({ state: "on-hold", amountDue: "24.50", ...oneLeft });
  const card = {
    ...(await student.tokenizeCard({ number: "5424000000000015" })),
    customerName: "Jo Vendor",
    zip: "90210",
  };
  expect(await student.call(changeCard, { body: card })).toMatchObject({ status: 200, body: { charged: "24.50" } });
  await academy.mailTo(student, "Your account is active again");
  expect(await subscriptionOf(student)).toMatchObject(noneLeft);
  await academy.advance("31d", student, administrator);
  expect(await academy.chargedFor(purchaseId)).toEqual(["24.50", "24.50", "49.00"]);
  const { rows } = await academy.pool.query(
    `select charged_amount::float8 as amount from payment_methods m join subscriptions s on s.payment_method_id = m.id
     where s.purchase_id = $1`,
    [purchaseId],
  );
  expect(rows).toEqual([{ amount: 24.5 }]);
});

test("cancelling, resuming and a new price of the plan change neither of the agreed prices", async () => {
  const { student, purchaseId } = await buyAtHalfPrice();
  await academy.advance("31d", student, administrator);
  const content = (await administrator.call(getContent)).body;
  const plan = content.plans.find(({ id }) => id === "basic_monthly")?.published;
  const publish = async (price: number) => {
    await administrator.call(draftPlan, { params: { id: "basic_monthly" }, body: { ...plan, price } });
    expect((await administrator.call(publishContent, { body: {} })).status).toBe(200);
  };
  await publish(59);
  expect((await student.call(cancelOwnSubscription, { body: {} })).status).toBe(200);
  expect((await student.call(resumeOwnSubscription, { body: {} })).status).toBe(200);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", ...oneLeft });
  const resumed = await academy.mailTo(student, "continues");
  expect(resumed.text).toContain("You pay $24.50 once more, then $49.00 every 30 days.");
  await academy.advance("30d", student, administrator);
  expect(await academy.chargedFor(purchaseId)).toEqual(["24.50", "24.50", "24.50"]);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", ...noneLeft });
  await publish(49);
});

test("an upgrade is credited with what the discounted renewal charged", async () => {
  const { student } = await buyAtHalfPrice();
  for (const later of ["30d", "10d"]) await academy.advance(later, student, administrator);
  const { body } = await student.call(createQuote, { body: { tier: "premium" } });
  const [, credit] = body.lines;
  expect(credit?.label).toContain("× $24.50");
  expect([-1633, -1551]).toContain(credit?.cents);
});

test("a refund returns what the discounted renewal charged", async () => {
  const { student, purchaseId, code } = await buyAtHalfPrice();
  await academy.advance("31d", student, administrator);
  const body = { purchaseId, reason: "a test" };
  expect((await administrator.call(refundPurchase, { body })).status).toBe(200);
  const { rows } = (await administrator.call(listCoupons)).body;
  expect(rows.find((one) => one.code === code)).toMatchObject({ revenue: 49, refunded: 24.5 });
});

test("recurring revenue counts the price that lasts, and the renewals that are due their next charge", async () => {
  await administrator.signInAgain();
  const recurring = () => figureOf(academy, "academy_recurring_revenue_dollars");
  const due = async () => (await administrator.call(getMorning)).body.renewals?.cents ?? Number.NaN;
  const [before, dueBefore] = [await recurring(), await due()];
  const { student, purchaseId } = await buyAtHalfPrice();
  expect((await recurring()) - before).toBeCloseTo(49);
  await academy.pool.query(
    "update subscriptions set next_charge_at = next_charge_at - interval '25 days' where purchase_id = $1",
    [purchaseId],
  );
  expect((await due()) - dueBefore).toBe(2450);
  await student.call(cancelOwnSubscription, { body: {} });
});

test("a purchase that the previous release completed is never charged more than agreed [P50]", async () => {
  const { student, purchaseId } = await buyAtHalfPrice();
  // What it leaves: its only price is that of the first renewal.
  await academy.pool.query(
    "update subscriptions set discounted_left = default, later_price = default where purchase_id = $1 and price = 24.5",
    [purchaseId],
  );
  for (const expected of [oneLeft, noneLeft, noneLeft]) {
    await academy.advance("30d", student, administrator);
    expect(await subscriptionOf(student)).toMatchObject(expected);
  }
  expect(await academy.chargedFor(purchaseId)).toEqual(["24.50", "24.50", "24.50", "49.00"]);
});

test("a coupon that discounts other renewals than the quote showed is refused, and nothing is charged", async () => {
  const code = await halfPrice();
  const student = await signUpConfirmed(academy);
  const quoted = await student.quotedPaymentFor("basic", {}, code);
  const { rows } = (await administrator.call(listCoupons)).body;
  const { kind, value, plans, startsAt, endsAt, maxUses, firstPurchaseOnly } =
    rows.find((one) => one.code === code) ?? {};
  const body = { kind, value, plans, startsAt, endsAt, maxUses, firstPurchaseOnly, renewals: 1 } as never;
  expect((await administrator.call(changeCoupon, { params: { code }, body })).status).toBe(200);
  const paid = await student.call(acceptPayment, { body: { ...quoted, renewalConsent: renewalConsent.version } });
  expect(paid).toMatchObject({ status: 409, body: { code: "quote-changed" } });
  expect(paid.body.message).toMatch(/^Your coupon has changed\./);
  expect((await student.call(listUserPurchases)).body).toEqual([]);
});

test("only plans that renew can have discounted renewals, at most eleven, and a used coupon keeps them", async () => {
  const now = await academy.now();
  const dates = { startsAt: new Date(now).toISOString(), endsAt: new Date(now + 86_400_000).toISOString() };
  const terms = { kind: "percent", value: 50, plans: ["basic"], maxUses: null, firstPurchaseOnly: false, ...dates };
  for (const wrong of [{ renewals: 12 }, { renewals: -1 }, { renewals: 1.5 }, { renewals: 1, plans: ["premium"] }]) {
    const answer = await administrator.call(createCoupon, { body: { code: "WRONG-1", ...terms, ...wrong } as never });
    expect(answer, JSON.stringify(wrong)).toMatchObject({ status: 400, body: { code: "invalid-input" } });
    expect(Object.keys(answer.body.errors ?? {})).toEqual(["renewals"]);
  }
  const { code, student, purchaseId } = await buyAtHalfPrice();
  const params = { code };
  const answer = await administrator.call(changeCoupon, { params, body: { ...terms, renewals: 3 } as never });
  expect(answer.status).toBe(400);
  const { purchase } = (await administrator.call(getPurchaseDetail, { params: { purchaseId } })).body;
  expect(purchase).toMatchObject({ discount: "24.50", discountedRenewals: 2, renewal: twoLeft });
  await student.call(cancelOwnSubscription, { body: {} });
});

test("on a plan that does not renew, the coupon discounts the one payment", async () => {
  const student = await signUpConfirmed(academy);
  const { body } = await student.call(createQuote, { body: { tier: "premium", code: await halfPrice() } });
  expect(body).toMatchObject({ total: 198.5, renewal: null, discountedRenewals: 0 });
});

test("after all of it the books agree", async () => {
  await administrator.signInAgain();
  const { body } = await administrator.call(runReconciliation, { body: {} });
  expect(body.rows.filter(({ resolvedAt }) => resolvedAt === null)).toEqual([]);
});
