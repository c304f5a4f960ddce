import { expect } from "vitest";
import { draftPlan, getContent, publishContent } from "#contract/admin/content.ts";
import { listCoupons } from "#contract/admin/coupons.ts";
import { holdAccount, refundPurchase } from "#contract/admin/purchases.ts";
import { runReconciliation } from "#contract/admin/reconciliation.ts";
import { reactivateAccount } from "#contract/admin/users.ts";
import { deleteUser, exportData } from "#contract/profile.ts";
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
import { textsOfPdf } from "#test/pdf-text.ts";
import { stopRenewals } from "#test/stop-renewals.ts";
import { unzip } from "#test/unzip.ts";
import type { Visitor } from "#test/visitor.ts";

// What becomes of a Monthly that began with a coupon: $41.65 once, and $49.00 for each period after it.

const { academy, administrator, test } = await academyOfFile();

test.afterEach(() => stopRenewals(academy));

let made = 0;

async function studentWithCoupon() {
  made += 1;
  const code = await makeCoupon(administrator, `MONTHLY-${made}`, await academy.now());
  const student = await signUpConfirmed(academy);
  const quoted = await student.quotedPaymentFor("basic", {}, code);
  const body = { ...quoted, renewalConsent: renewalConsent.version };
  const { status, body: paid } = await student.call(acceptPayment, { body });
  expect(status).toBe(200);
  return { student, code, purchaseId: paid.purchaseId };
}

const subscriptionOf = async (student: Visitor) => (await student.call(getOwnSubscription)).body.subscription;

async function useOf(code: string): Promise<unknown[]> {
  const { rows } = await academy.pool.query(
    "select uses, state from coupons join coupon_uses on coupon_code = code where code = $1",
    [code],
  );
  return rows;
}

const used = [{ uses: 1, state: "used" }];

test("a declined renewal asks for $49.00, and a new card is charged that, without the discount", async () => {
  const { student, code, purchaseId } = await studentWithCoupon();
  await academy.nextChargesOf(student, "decline", "decline", "decline", "decline");
  await academy.advance("30d", student, administrator);
  expect(await subscriptionOf(student)).toMatchObject({ state: "declined", amountDue: "49.00" });
  await academy.mailTo(student, "Your payment of $49.00 for Monthly Access didn't go through");
  for (const later of ["3d", "4d", "7d"]) await academy.advance(later, student, administrator);
  expect(await subscriptionOf(student)).toMatchObject({ state: "on-hold", amountDue: "49.00" });
  const card = { ...(await student.tokenizeCard()), customerName: "Jo Vendor", zip: "90210" };
  expect(await student.call(changeCard, { body: card })).toMatchObject({ status: 200, body: { charged: "49.00" } });
  expect(await academy.chargedFor(purchaseId)).toEqual(["41.65", "49.00"]);
  expect(await useOf(code)).toEqual(used);
});

test("held and reactivated by an administrator, then cancelled and resumed, it goes on for $49.00", async () => {
  const { student, purchaseId } = await studentWithCoupon();
  const { rows } = await academy.pool.query("select id, user_id from subscriptions where purchase_id = $1", [
    purchaseId,
  ]);
  const [{ id: subscriptionId, user_id: userId }] = rows;
  await academy.advance("5d", student, administrator);
  expect((await administrator.call(holdAccount, { body: { userId, subscriptionId, reason: "a test" } })).status).toBe(
    200,
  );
  expect((await administrator.call(reactivateAccount, { body: { userId, reason: "a test" } })).status).toBe(200);
  await student.signInAgain();
  expect((await student.call(cancelOwnSubscription, { body: {} })).status).toBe(200);
  expect((await student.call(resumeOwnSubscription, { body: {} })).status).toBe(200);
  expect(await subscriptionOf(student)).toMatchObject({ state: "renewing", price: "49.00" });
  await academy.advance("26d", student, administrator);
  expect(await academy.chargedFor(purchaseId)).toEqual(["41.65", "49.00"]);
});

test("on day 10 it is worth what was charged, not its price: two thirds of $41.65", async () => {
  const { student } = await studentWithCoupon();
  await academy.advance("10d", student, administrator);
  const { body } = await student.call(createQuote, { body: { tier: "premium" } });
  // A cent is worth eleven minutes: the sign-up itself may have cost one.
  expect([39_700 - 2776, 39_700 - 2775]).toContain(body.totalCents);
});

test("its refund returns the $41.65 that was charged; that of a renewal $49.00", async () => {
  const first = await studentWithCoupon();
  const back = await administrator.call(refundPurchase, { body: { purchaseId: first.purchaseId, reason: "a test" } });
  expect(back.status).toBe(200);
  const renewed = await studentWithCoupon();
  await academy.advance("31d", renewed.student, administrator);
  const body = { purchaseId: renewed.purchaseId, reason: "a test" };
  expect((await administrator.call(refundPurchase, { body })).status).toBe(200);
  const { rows: listed } = (await administrator.call(listCoupons)).body;
  expect(listed.find(({ code }) => code === first.code)).toMatchObject({ used: 1, revenue: 41.65, refunded: 41.65 });
  expect(listed.find(({ code }) => code === renewed.code)).toMatchObject({ used: 1, revenue: 90.65, refunded: 49 });
  await first.student.signInAgain();
  expect((await first.student.call(listPayments)).body).toMatchObject([{ amount: "41.65", refunded: "41.65" }]);
});

test("receipt, PDF and mail have the line of the discount and add up to what was charged", async () => {
  const { student, code, purchaseId } = await studentWithCoupon();
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
});

test("the export has code and discount; erasure keeps both for the books, and nobody's name with them", async () => {
  const { student, code, purchaseId } = await studentWithCoupon();
  const { body } = await student.call(exportData);
  const files = unzip(body as unknown as Buffer);
  const purchases = JSON.parse(files.get("purchases.json")?.toString() ?? "[]");
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

test("a new price is for new students: who began with a coupon goes on for what was agreed", async () => {
  const { student, purchaseId } = await studentWithCoupon();
  const plan = (await administrator.call(getContent)).body.plans.find(({ id }) => id === "basic_monthly")?.published;
  const body = { ...plan, price: 59 };
  expect((await administrator.call(draftPlan, { params: { id: "basic_monthly" }, body })).status).toBe(200);
  expect((await administrator.call(publishContent, { body: {} })).status).toBe(200);
  const code = await makeCoupon(administrator, "MONTHLY-LATER", await academy.now());
  const newcomer = await signUpConfirmed(academy);
  const { body: quoted } = await newcomer.call(createQuote, { body: { tier: "basic", code } });
  expect(quoted).toMatchObject({ totalCents: 5900 - 885, renewal: 59 });
  await academy.advance("31d", student, administrator);
  expect(await academy.chargedFor(purchaseId)).toEqual(["41.65", "49.00"]);
  expect(await subscriptionOf(student)).toMatchObject({ price: "49.00" });
  expect((await student.call(listUserPurchases)).body[0]).toMatchObject({ amount: "41.65", discount: "7.35" });
});

test("after all of it the books agree", async () => {
  const { body } = await administrator.call(runReconciliation, { body: {} });
  expect(body.rows.filter(({ resolvedAt }) => resolvedAt === null)).toEqual([]);
});
