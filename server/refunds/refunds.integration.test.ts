import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { getPurchaseDetail, refundPurchase } from "#contract/admin/purchases.ts";
import { getReconciliation, repairDiscrepancy } from "#contract/admin/reconciliation.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import type { Tier } from "#contract/tiers.ts";
import { openPool } from "#server/db/db.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: Academy;
let administrator: Visitor;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  academy = await openAcademy();
  pool = openPool(academy.database.connection, () => {}, 2);
});
afterAll(async () => {
  await pool?.end();
  await academy?.[Symbol.asyncDispose]();
});

afterEach(() => academy.tellReference("told"));

async function buy(tier: Tier): Promise<{ student: Visitor; purchaseId: string }> {
  const student = await academy.visitor().signUp();
  const bought = await student.call(acceptPayment, { body: await student.paymentFor(tier) });
  expect(bought.status).toBe(200);
  return { student, purchaseId: bought.body.purchaseId };
}

/** Moves the clock, and signs the administrator in again. */
async function pass(...durations: string[]): Promise<void> {
  for (const duration of durations) await academy.advance(duration);
  administrator = await academy.visitor().signInAsDemo("admin@academy.test");
}

const refund = (purchaseId: string, amount?: number) =>
  administrator.call(refundPurchase, { body: { purchaseId, amount, reason: "test" } });
const detailOf = async (purchaseId: string) =>
  (await administrator.call(getPurchaseDetail, { params: { purchaseId } })).body;
const statesOf = (rows: { state: string }[]) => rows.map(({ state }) => state);

test("a part that twenty clicks ask for goes back once, and another part can follow [P20]", async () => {
  const { purchaseId } = await buy("premium");
  await pass("1d");
  const answers = await Promise.all(Array.from({ length: 20 }, () => refund(purchaseId, 10)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  expect(await refund(purchaseId, 10)).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await refund(purchaseId, 20)).status).toBe(200);
  await pass("3m");
  expect((await refund(purchaseId, 10)).status).toBe(200);
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ refundedAmount: "40.00", status: "completed" });
});

test("a refund needs no reason for seven days and one afterwards; a part waits for the settlement, the whole is voided [P19 P21]", async () => {
  const [early, late] = [await buy("premium"), await buy("vip")];
  await pass("1m");
  const unsettled = await buy("basic");
  const ask = (purchaseId: string, more: { amount?: number; reason?: string } = {}) =>
    administrator.call(refundPurchase, { body: { purchaseId, ...more } });
  expect(await ask(unsettled.purchaseId, { amount: 10 })).toMatchObject({ status: 409 });
  expect(await ask(unsettled.purchaseId)).toMatchObject({ status: 200 });
  const { refunds } = await detailOf(unsettled.purchaseId);
  expect(refunds).toMatchObject([{ kind: "void", state: "returned" }]);

  await pass("6d23h");
  expect(await ask(early.purchaseId)).toMatchObject({ status: 200 });
  expect((await detailOf(early.purchaseId)).refunds).toMatchObject([{ kind: "refund", state: "returned" }]);
  await pass("1h");
  const refused = await ask(late.purchaseId);
  expect(refused.status).toBe(409);
  expect(refused.body.message).toContain("Say why");
  expect((await detailOf(late.purchaseId)).refunds).toEqual([]);
  expect(await ask(late.purchaseId, { reason: "promised by phone" })).toMatchObject({ status: 200 });
});

test("a refund of a payment that is too old for the gateway says so", async () => {
  const { purchaseId } = await buy("vip");
  await pass("125d");
  const answer = await refund(purchaseId, 10);
  expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining("more than 120 days ago") } });
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ refundedAmount: "0.00", status: "completed" });
});

test("a renewal waits for a refund whose outcome is not known, and follows when nothing was returned", async () => {
  const { student, purchaseId } = await buy("basic");
  await pass("29d23h55m");
  await academy.nextChargesOf(student, "error-500");
  expect((await refund(purchaseId)).body).toMatchObject({ state: "unknown" });
  await pass("10m");
  expect(statesOf((await detailOf(purchaseId)).attempts)).toEqual(["approved"]);
  await pass("20m", "20m", "5m");
  const { refunds, attempts, purchase } = await detailOf(purchaseId);
  expect(statesOf(refunds)).toEqual(["refused"]);
  expect(statesOf(attempts)).toEqual(["approved", "approved"]);
  expect(purchase).toMatchObject({ status: "completed", subscriptionStatus: "active" });
});

test("a refund whose process is killed is found, counts once, and stands in the audit log [P22 Z19]", async () => {
  const { student, purchaseId } = await buy("vip");
  await pass("1d");
  await academy.nextChargesOf(student, "slow:60000");
  const asked = refund(purchaseId).catch(() => null);
  await until(async () => (await pool.query("select id from refunds where purchase_id = $1", [purchaseId])).rowCount);
  await academy.kill();
  await asked;
  await academy.start();
  await pass("1m", "10m", "31m", "1h");
  const { refunds, purchase } = await detailOf(purchaseId);
  const atGateway = (await academy.ledger()).filter(({ refTransId }) => refTransId === purchase.transactionId);
  expect(statesOf(refunds)).toEqual([atGateway.length === 1 ? "returned" : "refused"]);
  expect(purchase.status).toBe(atGateway.length === 1 ? "refunded" : "completed");
  const { rows } = await pool.query("select action, reason, after from audit_log where subject = $1", [purchaseId]);
  expect(rows).toEqual([
    {
      action: "refund purchase",
      reason: "test",
      after: {
        refundId: refunds[0]?.id,
        chargeId: refunds[0]?.attemptId,
        kind: "refund",
        amount: "1497.00",
        endsAccess: true,
      },
    },
  ]);
});

/** Decides, as the merchant at the gateway, about the held refund of a purchase. */
async function decide(purchaseId: string, decision: "approve" | "decline"): Promise<void> {
  const charge = (await academy.ledger()).find(({ invoiceNumber }) => invoiceNumber === purchaseId)?.transId;
  const held = (await academy.ledger()).find(({ refTransId }) => refTransId === charge);
  const body = JSON.stringify({ transId: held?.transId, decision });
  expect((await administrator.send("POST", "/sandbox/api/gateway/held", body)).status).toBe(200);
}

test("a refund that the gateway holds for review says so, is not sent again, and is made once it is approved there [P22]", async () => {
  const { student, purchaseId } = await buy("premium");
  await pass("1d");
  await academy.nextChargesOf(student, "hold");
  const asked = await refund(purchaseId, 55);
  expect(asked).toMatchObject({ status: 200, body: { state: "held", message: expect.stringContaining("decide") } });
  await pass("1m", "40m", "1h", "1d");
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["held"]);
  expect(await refund(purchaseId, 55)).toMatchObject({ status: 409, body: { code: "payment-in-progress" } });
  await decide(purchaseId, "approve");
  await pass("1h");
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ status: "completed", refundedAmount: "55.00" });
  expect(await refundsAtGateway(5500)).toHaveLength(1);
});

test("a refund that nobody could clear up is a person's after a day, who says that it was not made [P22]", async () => {
  const { student, purchaseId } = await buy("premium");
  await pass("1d");
  await academy.nextChargesOf(student, "error:11");
  expect((await refund(purchaseId, 77)).body).toMatchObject({ state: "unknown" });
  await pass("4d");
  const { discrepancies } = (await administrator.call(getReconciliation)).body;
  const found = discrepancies.find((one) => one.purchaseId === purchaseId);
  expect(found).toMatchObject({ kind: "refund-unresolved", expected: "77.00", resolvedAt: null });
  const body = { discrepancyId: found?.id ?? "", action: "give-up-refund", reason: "looked" };
  expect((await administrator.call(repairDiscrepancy, { body })).status).toBe(200);
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["refused"]);
  expect((await refund(purchaseId, 77)).body).toMatchObject({ state: "returned" });
});

test("a held refund whose answer was lost is found held, and one that is declined can be made again [P22]", async () => {
  const { student, purchaseId } = await buy("premium");
  await pass("1d");
  await academy.nextChargesOf(student, "hold");
  await refund(purchaseId, 66);
  const lost = "update refunds set cause = null, transaction_id = null where purchase_id = $1";
  await pool.query(lost, [purchaseId]);
  await pass("1m", "40m");
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["held"]);
  await decide(purchaseId, "decline");
  await pass("1h");
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["refused"]);
  await pass("1d");
  expect((await refund(purchaseId, 66)).body).toMatchObject({ state: "returned" });
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ refundedAmount: "66.00" });
});

const refundsAtGateway = async (cents: number) =>
  (await academy.ledger()).filter((row) => row.type === "refundTransaction" && Number(row.amount) * 100 === cents);

test("a refund and a void whose answers are lost are found where reports never tell references [P36]", async () => {
  await academy.tellReference("absent");
  const { student: buyer, purchaseId: settled } = await buy("premium");
  await pass("1d");
  const { student: other, purchaseId: fresh } = await buy("vip");
  await academy.nextChargesOf(buyer, "reset-after");
  await academy.nextChargesOf(other, "reset-after");
  expect((await refund(settled, 33)).body).toMatchObject({ state: "unknown" });
  expect((await refund(fresh)).body).toMatchObject({ state: "unknown" });
  await pass("1m");
  expect((await detailOf(settled)).purchase).toMatchObject({ refundedAmount: "33.00" });
  expect((await detailOf(fresh)).purchase).toMatchObject({ status: "refunded" });
  // The same amount again is a second refund, and no duplicate of the first.
  await pass("3m");
  expect((await refund(settled, 33)).body).toMatchObject({ state: "returned" });
  expect(await refundsAtGateway(3300)).toHaveLength(2);
});

test("a refund with another reference waits for a person, who records it [P36]", async () => {
  const { student, purchaseId } = await buy("premium");
  await pass("1d");
  await academy.tellReference("other");
  await academy.nextChargesOf(student, "reset-after");
  expect((await refund(purchaseId, 44)).body).toMatchObject({ state: "unknown" });
  await pass("1m", "40m", "1h", "2h");
  expect(statesOf((await detailOf(purchaseId)).refunds)).toEqual(["unknown"]);
  expect((await refund(purchaseId, 44)).status).toBe(409);
  const { discrepancies } = (await administrator.call(getReconciliation)).body;
  const found = discrepancies.find((one) => one.purchaseId === purchaseId);
  expect(found).toMatchObject({ kind: "refund-reference-differs", expected: "44.00", found: "44.00" });
  const body = { discrepancyId: found?.id ?? "", reason: "seen at the gateway" };
  expect((await administrator.call(repairDiscrepancy, { body })).status).toBe(200);
  expect((await detailOf(purchaseId)).purchase).toMatchObject({ refundedAmount: "44.00" });
  expect(await refundsAtGateway(4400)).toHaveLength(1);
});
