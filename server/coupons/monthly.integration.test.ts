import { expect } from "vitest";
import { changeCoupon, createCoupon, listCoupons } from "#contract/admin/coupons.ts";
import { getMorning } from "#contract/admin/morning.ts";
import { getMoney } from "#contract/admin/statistics.ts";
import { reactivateAccount } from "#contract/admin/users.ts";
import { deleteUser } from "#contract/profile.ts";
import { acceptPayment, renewalConsent } from "#contract/purchases/purchases.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { getReceipt, listPayments } from "#contract/purchases/receipts.ts";
import { cancelOwnSubscription, resumeOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { booksOf } from "#test/books.ts";
import { newCoupon, signUpConfirmed } from "#test/coupons.ts";
import { draft, publish } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { figureOf } from "#test/metrics.ts";
import { textsOfPdf } from "#test/pdf-text.ts";
import { stopRenewals } from "#test/stop-renewals.ts";
import { exportedFile } from "#test/unzip.ts";

// What becomes of a Monthly that began with a coupon: of 15 %, for $41.65 once and $49.00 for each period after it, or of
// half the price for the first payment and two renewals, for $24.50 three times and $49.00 from then on.

const { academy, administrator, test } = await academyOfFile();
const { compare, detailOf, refund, hold } = booksOf(administrator);

test.afterEach(() => stopRenewals(academy));

const halfPrice = (renewals = 2) => newCoupon(academy, administrator, { value: 50, renewals });

async function buyWith(code: string) {
  const student = await signUpConfirmed(academy);
  const quoted = await student.quotedPaymentFor("basic", {}, code);
  const body = { ...quoted, renewalConsent: renewalConsent.version };
  const { status, body: paid } = await student.call(acceptPayment, { body });
  expect(status).toBe(200);
  return { student, code, purchaseId: paid.purchaseId };
}

const buyDiscountedOnce = async () => buyWith(await newCoupon(academy, administrator));
const buyAtHalfPrice = async () => buyWith(await halfPrice());
const twoLeft = { price: "24.50", later: { after: 2, price: "49.00" } };
const oneLeft = { price: "24.50", later: { after: 1, price: "49.00" } };
const noneLeft = { price: "49.00", later: null };

const listed = async (code: string) =>
  (await administrator.call(listCoupons)).body.rows.find((one) => one.code === code);

async function publishPrice(price: number): Promise<void> {
  await draft(administrator, "plans", "basic_monthly", { price });
  await publish(administrator);
}

async function useOf(code: string): Promise<unknown[]> {
  const { rows } = await academy.pool.query(
    "select uses, state from coupons join coupon_uses on coupon_code = code where code = $1",
    [code],
  );
  return rows;
}

const used = [{ uses: 1, state: "used" }];

test("quote and consent name both prices, and each month is charged at the one that was named", async () => {
  const code = await halfPrice();
  const asking = await signUpConfirmed(academy);
  const { body: quoted } = await asking.call(createQuote, { body: { tier: "basic", code } });
  expect(quoted).toMatchObject({ total: 24.5, renewal: 49, discountedRenewals: 2 });
  expect(renewalConsent.textFor(24.5, 49, 2)).toContain(
    "$24.50 today and for the next 2 payments, then $49.00 every 30 days until I cancel",
  );

  const { student, purchaseId } = await buyWith(code);
  expect(await student.subscription()).toMatchObject(twoLeft);
  const sold = await academy.mailTo(student, "is ready");
  expect(sold.text).toContain("for $24.50, until you cancel");
  expect(sold.text).toContain("You pay $24.50 for 2 more payments, then $49.00 every 30 days.");
  expect(sold.text).toContain(`Coupon ${code}, for the first 3 payments`);

  for (const expected of [oneLeft, noneLeft, noneLeft]) {
    await academy.advance("30d", student, administrator);
    expect(await student.subscription()).toMatchObject({ state: "renewing", ...expected });
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

  expect(await listed(code)).toMatchObject({ renewals: 2, discounted: 73.5, revenue: 122.5 });
});

test("a declined renewal is retried at the discounted price, which counts once [P50]", async () => {
  const { student, purchaseId } = await buyAtHalfPrice();
  await academy.nextChargesOf(student, "decline");
  await academy.advance("30d", student, administrator);
  expect(await student.subscription()).toMatchObject({ state: "declined", amountDue: "24.50", ...twoLeft });
  await academy.mailTo(student, "Your payment of $24.50 for Monthly Access didn't go through");
  await academy.advance("3d", student, administrator);
  expect(await student.subscription()).toMatchObject({ state: "renewing", ...oneLeft });
  expect(await academy.chargedFor(purchaseId)).toEqual(["24.50", "24.50"]);
});

test("on hold, a new card pays the price of the renewal, and the networks are told of its own first charge", async () => {
  const [once, half] = [await buyDiscountedOnce(), await buyWith(await halfPrice(1))];
  const both = [
    { ...once, amount: "49.00", cardNumber: "4111111111111111" },
    { ...half, amount: "24.50", cardNumber: "5424000000000015" },
  ];
  const pass = (days: string) => academy.advance(days, once.student, half.student, administrator);
  for (const { student } of both) await academy.nextChargesOf(student, "decline", "decline", "decline", "decline");
  await pass("30d");
  for (const { student, amount } of both) {
    expect(await student.subscription()).toMatchObject({ state: "declined", amountDue: amount });
    await academy.mailTo(student, `Your payment of $${amount} for Monthly Access didn't go through`);
  }
  for (const later of ["3d", "4d", "7d"]) await pass(later);
  expect(await half.student.subscription()).toMatchObject(oneLeft);
  for (const { student, amount, cardNumber: number } of both) {
    expect(await student.subscription()).toMatchObject({ state: "on-hold", amountDue: amount });
    expect(await student.changeCard({ number })).toMatchObject({ status: 200, body: { charged: amount } });
  }
  await academy.mailTo(half.student, "Your account is active again");
  expect(await half.student.subscription()).toMatchObject(noneLeft);
  expect(await academy.chargedFor(once.purchaseId)).toEqual(["41.65", "49.00"]);
  expect(await useOf(once.code)).toEqual(used);
  await pass("31d");
  expect(await academy.chargedFor(half.purchaseId)).toEqual(["24.50", "24.50", "49.00"]);
  const { rows } = await academy.pool.query(
    `select charged_amount::float8 as amount from payment_methods m join subscriptions s on s.payment_method_id = m.id
     where s.purchase_id = $1`,
    [half.purchaseId],
  );
  expect(rows).toEqual([{ amount: 24.5 }]);
});

test("held and reactivated by an administrator, then cancelled and resumed, it goes on for $49.00", async () => {
  const { student, purchaseId } = await buyDiscountedOnce();
  await academy.advance("5d", student, administrator);
  expect((await hold(student)).status).toBe(200);
  const body = { userId: await student.id(), reason: "a test" };
  expect((await administrator.call(reactivateAccount, { body })).status).toBe(200);
  await student.signInAgain();
  expect((await student.call(cancelOwnSubscription, { body: {} })).status).toBe(200);
  expect((await student.call(resumeOwnSubscription, { body: {} })).status).toBe(200);
  expect(await student.subscription()).toMatchObject({ state: "renewing", price: "49.00" });
  await academy.advance("26d", student, administrator);
  expect(await academy.chargedFor(purchaseId)).toEqual(["41.65", "49.00"]);
});

test("an upgrade is credited with what was charged, not the price: on day 10 two thirds of it", async () => {
  const half = await buyAtHalfPrice();
  await academy.advance("30d", half.student, administrator);
  const once = await buyDiscountedOnce();
  await academy.advance("10d", half.student, once.student, administrator);
  const quoteOf = async ({ student }: typeof once) =>
    (await student.call(createQuote, { body: { tier: "premium" } })).body;
  // A cent is worth eleven minutes: the sign-up itself may have cost one.
  expect([39_700 - 2776, 39_700 - 2775]).toContain((await quoteOf(once)).totalCents);
  const [, credit] = (await quoteOf(half)).lines;
  expect(credit?.label).toContain("× $24.50");
  expect([-1633, -1551]).toContain(credit?.cents);
});

test("a refund returns what was charged: $41.65 of the first payment, $49.00 or $24.50 of a renewal", async () => {
  const first = await buyDiscountedOnce();
  expect((await refund(first.purchaseId)).status).toBe(200);
  const [renewed, half] = [await buyDiscountedOnce(), await buyAtHalfPrice()];
  await academy.advance("31d", first.student, administrator);
  for (const { purchaseId } of [renewed, half]) expect((await refund(purchaseId)).status).toBe(200);
  expect(await listed(first.code)).toMatchObject({ used: 1, revenue: 41.65, refunded: 41.65 });
  expect(await listed(renewed.code)).toMatchObject({ used: 1, revenue: 90.65, refunded: 49 });
  expect(await listed(half.code)).toMatchObject({ revenue: 49, refunded: 24.5 });
  expect((await first.student.call(listPayments)).body).toMatchObject([{ amount: "41.65", refunded: "41.65" }]);
});

test("receipt, PDF and mail have the line of the discount and add up to what was charged", async () => {
  const { student, code, purchaseId } = await buyDiscountedOnce();
  const { body: receipt } = await student.call(getReceipt, { params: { id: purchaseId } });
  expect(receipt.lines).toEqual([
    { kind: "plan", label: "Monthly Access", cents: 4900 },
    { kind: "discount", label: `Coupon ${code}, for the first 30 days`, cents: -735 },
  ]);
  expect(receipt.amount).toBe("41.65");

  const answer = await student.send("GET", `/api/user/receipts/${purchaseId}/pdf`);
  const texts = textsOfPdf(Buffer.from(await answer.arrayBuffer()));
  for (const text of ["$49.00", `Coupon ${code}, for the first 30 days`, "7.35", "Total paid", "$41.65"]) {
    expect(texts).toContain(text);
  }

  const mail = await academy.mailTo(student, "is ready");
  for (const written of [mail.text, mail.html]) {
    expect(written).toContain(`Coupon ${code}, for the first 30 days`);
    expect(written).toMatch(/[-−]\$7\.35/);
    expect(written).toContain("$41.65");
    expect(written).toContain("for $49.00, until you cancel");
  }
  expect(mail.text).toMatch(/It renews every 30 days, next on .* for \$49.00, until you cancel/);
});

test("the export has code and discount; erasure keeps both for the books, and nobody's name with them", async () => {
  const { student, code, purchaseId } = await buyDiscountedOnce();
  const purchases = JSON.parse(await exportedFile(student, "purchases.json"));
  expect(purchases).toMatchObject([{ id: purchaseId, couponCode: code, discount: "7.35", amount: "41.65" }]);

  expect((await student.call(deleteUser, { body: {} })).status).toBe(200);
  expect(await useOf(code)).toEqual(used);
  const { rows } = await academy.pool.query(
    `select p.discount::float8, p.coupon_code as code, u.email, u.first_name as name
     from purchases p join users u on u.id = p.user_id where p.id = $1`,
    [purchaseId],
  );
  expect(rows).toMatchObject([{ discount: 7.35, code, name: null }]);
  expect(rows[0].email).not.toBe(student.email);
});

test("recurring revenue counts the price that lasts, and the renewals that are due their next charge", async () => {
  await administrator.signInAgain();
  const recurring = () => figureOf(academy, "academy_recurring_revenue_dollars");
  const due = async () => (await administrator.call(getMorning)).body.renewals?.cents ?? Number.NaN;
  const [before, dueBefore] = [await recurring(), await due()];
  const { student, purchaseId } = await buyAtHalfPrice();
  const { mrr } = (await administrator.call(getMoney, { query: { by: "month" } })).body;
  expect([(await recurring()) - before, mrr - before]).toEqual([49, 49]);
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
    expect(await student.subscription()).toMatchObject(expected);
  }
  expect(await academy.chargedFor(purchaseId)).toEqual(["24.50", "24.50", "24.50", "49.00"]);
});

test("a coupon that discounts other renewals than the quote showed is refused, and nothing is charged", async () => {
  const code = await halfPrice();
  const student = await signUpConfirmed(academy);
  const quoted = await student.quotedPaymentFor("basic", {}, code);
  const { kind, value, plans, startsAt, endsAt, maxUses, firstPurchaseOnly } = (await listed(code)) ?? {};
  const body = { kind, value, plans, startsAt, endsAt, maxUses, firstPurchaseOnly, renewals: 1 } as never;
  expect((await administrator.call(changeCoupon, { params: { code }, body })).status).toBe(200);
  const paid = await student.call(acceptPayment, { body: { ...quoted, renewalConsent: renewalConsent.version } });
  expect(paid).toMatchObject({ status: 409, body: { code: "quote-changed" } });
  expect(paid.body.message).toMatch(/^Your coupon has changed\./);
  expect(await student.purchases()).toEqual([]);
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
  const body = { ...terms, renewals: 3 } as never;
  expect((await administrator.call(changeCoupon, { params: { code }, body })).status).toBe(400);
  expect((await detailOf(purchaseId)).purchase).toMatchObject({
    discount: "24.50",
    discountedRenewals: 2,
    renewal: twoLeft,
  });
  await student.call(cancelOwnSubscription, { body: {} });
});

test("on a plan that does not renew, the coupon discounts the one payment", async () => {
  const student = await signUpConfirmed(academy);
  const { body } = await student.call(createQuote, { body: { tier: "premium", code: await halfPrice() } });
  expect(body).toMatchObject({ total: 198.5, renewal: null, discountedRenewals: 0 });
});

test("cancelling, resuming and a new price of the plan change none of the agreed prices", async () => {
  const [half, once] = [await buyAtHalfPrice(), await buyDiscountedOnce()];
  const { student } = half;
  await academy.advance("31d", student, administrator);
  await publishPrice(59);
  expect((await student.call(cancelOwnSubscription, { body: {} })).status).toBe(200);
  expect((await student.call(resumeOwnSubscription, { body: {} })).status).toBe(200);
  expect(await student.subscription()).toMatchObject({ state: "renewing", ...oneLeft });
  const resumed = await academy.mailTo(student, "continues");
  expect(resumed.text).toContain("You pay $24.50 once more, then $49.00 every 30 days.");
  const newcomer = await signUpConfirmed(academy);
  const code = await newCoupon(academy, administrator);
  const { body: quoted } = await newcomer.call(createQuote, { body: { tier: "basic", code } });
  expect(quoted).toMatchObject({ totalCents: 5900 - 885, renewal: 59 });
  await academy.advance("30d", student, once.student, administrator);
  expect(await academy.chargedFor(half.purchaseId)).toEqual(["24.50", "24.50", "24.50"]);
  expect(await student.subscription()).toMatchObject({ state: "renewing", ...noneLeft });
  expect(await academy.chargedFor(once.purchaseId)).toEqual(["41.65", "49.00", "49.00"]);
  expect(await once.student.subscription()).toMatchObject({ price: "49.00" });
  expect(await once.student.purchase()).toMatchObject({ amount: "41.65", discount: "7.35" });
  await publishPrice(49);
});

test("after all of it the books agree", async () => {
  await administrator.signInAgain();
  expect(await compare()).toEqual([]);
});
