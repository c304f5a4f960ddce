import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import {
  countPurchases,
  getPurchaseDetail,
  listAllPurchases,
  previewRefund,
  refundPurchase,
} from "#contract/admin/purchases.ts";
import { getStats } from "#contract/admin/statistics.ts";
import { updateProfile } from "#contract/profile.ts";
import { booksOf } from "#test/books.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, administrator: admin, test } = await academyOfFile();

const list = async (query: Record<string, string> = {}) => (await admin.call(listAllPurchases, { query })).body;
const { detailOf, refund } = booksOf(admin);
const preview = (purchaseId: string, query: Record<string, string> = {}) =>
  admin.call(previewRefund, { params: { purchaseId }, query });

test("the plain list has the purchases of everybody, newest first, with who bought", async () => {
  const { student, purchaseId } = await academy.purchase("premium");
  const profile = { firstName: "Ada", lastName: "Shelf", phone: "", location: "", bio: "" };
  await student.call(updateProfile, { body: profile });
  const purchases = await list();
  expect(purchases[0]).toMatchObject({
    id: purchaseId,
    userName: "Ada Shelf",
    userEmail: student.email,
    tier: "premium",
    planName: "Annual Access",
    amount: "397.00",
    status: "completed",
    isRecurring: false,
    paymentDeclined: false,
    may: { cancelSubscription: false, hold: false, reactivate: false, refund: true },
  });
  const renewing = purchases.find(({ userEmail }) => userEmail === "basic@academy.test");
  expect(renewing?.may).toEqual({ cancelSubscription: true, hold: true, reactivate: false, refund: true });
});

test("search finds a buyer and any number of a payment, filters narrow it, and the count agrees", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("vip");
  for (const search of [student.email, student.email.toUpperCase(), transactionId, purchaseId]) {
    expect(await list({ search }), search).toMatchObject([{ id: purchaseId }]);
    expect((await admin.call(countPurchases, { query: { search } })).body).toEqual({ total: 1 });
  }
  expect(await list({ search: "%" })).toEqual([]);
  expect((await list({ tier: "vip", status: "completed" })).every(({ tier }) => tier === "vip")).toBe(true);
  expect((await list({ subscription: "active" })).length).toBeGreaterThan(0);
  expect((await list({ subscription: "active" })).every(({ isRecurring }) => isRecurring)).toBe(true);
  const [first, second] = await list({ limit: "2" });
  expect((await list({ limit: "1", after: first?.id ?? "" }))[0]?.id).toBe(second?.id);
  const amounts = (await list({ sort: "amount", order: "asc" })).map(({ amount }) => Number(amount));
  expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
});

test("a purchase shows each try with the gateway's codes, and no more of the card than its end", async () => {
  const student = await academy.visitor().signUp();
  const declined = await student.buy("vip", { zip: "46282" });
  expect(declined.status).toBe(402);
  const purchase = await student.purchase();
  const detail = await detailOf(purchase?.id ?? "");
  expect(detail).toMatchObject({
    purchase: { status: "declined", may: { refund: false } },
    attempts: [{ kind: "initial", state: "declined", responseCode: "2", amount: "1497.00" }],
    refunds: [],
    discrepancies: [],
  });
  expect(JSON.stringify(detail)).not.toMatch(/customerProfileId|paymentProfileId|4111111111111111/);
});

test("a refund shows what it will do, does it once, and stands in the books and on record", async () => {
  const { student, purchaseId, transactionId } = await academy.purchase("premium");
  const revenue = (await admin.call(getStats)).body.totalRevenue;
  const before = await preview(purchaseId);
  expect(before.body).toEqual({
    chargeId: expect.any(String),
    transactionId,
    charges: [
      {
        ...{ id: before.body.chargeId, kind: "initial", transactionId },
        ...{ paidAt: expect.any(String), paid: "397.00", refunded: "0.00" },
      },
    ],
    ...{ paid: "397.00", refunded: "0.00", refundable: "397.00" },
    amount: "397.00",
    kind: "void",
    withinPolicy: true,
    policyUntil: expect.any(String),
    isFromEarlierAccount: false,
    sameCard: { card: "Visa ending in 1111", accounts: expect.any(Number) },
    sessionsHeld: [],
    goesBackToo: [],
    givesBack: [],
    credited: "0.00",
    endsAccess: true,
    mayEndAccess: false,
    mayKeepAccessUntil: (await student.access()).until,
    stopsRenewal: false,
    accessAfter: { tier: null, until: null },
  });
  expect((await student.access()).hasAccess).toBe(true);

  const reason = "changed their mind";
  const refunds = await Promise.all([1, 2, 3].map(() => refund(purchaseId, { reason })));
  const done = refunds.filter(({ status }) => status === 200);
  expect(done).toMatchObject([{ body: { success: true, state: "returned", amount: "397.00" } }]);
  expect(refunds.filter(({ status }) => status === 409)).toHaveLength(2);

  expect(await student.access()).toMatchObject({ hasAccess: false, tier: null });
  expect((await admin.call(getStats)).body.totalRevenue).toBe(revenue - 397);
  expect(await detailOf(purchaseId)).toMatchObject({
    purchase: { status: "refunded", refundedAmount: "397.00", may: { refund: false } },
    refunds: [{ id: done[0]?.body.refundId, state: "returned", amount: "397.00", reason }],
  });
  // Found by the purchase and by its buyer.
  for (const subject of [purchaseId, student.email]) {
    expect((await admin.call(listAudit, { query: { subject } })).body.rows).toMatchObject([
      {
        ...{ action: "refund purchase", subjectKind: "purchase", reason },
        ...{ subjectName: expect.stringMatching(/.’s Annual Access$/), after: { amount: "397.00" } },
      },
    ]);
  }
});

test("a partial refund's preview leaves the access, and an invalid amount is refused", async () => {
  const { purchaseId } = await academy.purchase("vip");
  expect((await preview(purchaseId, { amount: "100.50" })).body).toMatchObject({
    amount: "100.50",
    endsAccess: false,
    accessAfter: { tier: "vip", until: null },
  });
  for (const amount of ["0", "-1", "1.001", "abc", "1e9"]) {
    expect((await preview(purchaseId, { amount })).status, amount).toBe(400);
  }
  for (const amount of [0, -1, 0.001, "all", null, 100_000]) {
    expect((await refund(purchaseId, { amount })).status, String(amount)).toBe(400);
  }
  expect((await detailOf(purchaseId)).refunds).toEqual([]);
});

test("a renewal that the gateway does not know afterwards is not said to be declined", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await academy.nextChargesOf(student, ...Array.from({ length: 9 }, () => "error-500"));
  await academy.advance("30d");
  for (let hours = 0; hours < 2; hours++) await academy.advance("1h", admin);
  const renewal = { kind: "renewal", state: "not-processed" };
  const { attempts, ...detail } = await detailOf(purchaseId);
  expect(attempts).toContainEqual(expect.objectContaining(renewal));
  expect(detail).toMatchObject({ purchase: { paymentDeclined: false }, declinedSince: null });
});

test("an invented purchase is not found", async () => {
  const purchaseId = "00000000000000000000";
  expect((await admin.call(getPurchaseDetail, { params: { purchaseId } })).status).toBe(404);
  expect((await preview(purchaseId)).status).toBe(404);
  expect((await admin.call(refundPurchase, { body: { purchaseId } })).status).toBe(404);
});
