import { expect, test } from "vitest";
import { getPurchaseDetail, refundPurchase } from "#contract/admin/purchases.ts";
import { openAcademy } from "#test/academy.ts";
import { forFile } from "#test/fixtures.ts";
import { expectReceiptNumbersWithoutGaps } from "#test/receipt-numbers.ts";
import { until } from "#test/until.ts";

const academy = await forFile(openAcademy());
const { pool } = academy;

async function pass(...durations: string[]): Promise<void> {
  for (const duration of durations) await academy.advance(duration);
}

/** Kills the academy while it waits for an answer, and starts it again. */
async function restart(waiting: Promise<unknown>): Promise<void> {
  await academy.kill();
  await waiting.catch(() => null);
  await academy.start();
}

test("a renewal whose answer is lost is charged once where reports never tell references, although the academy is killed [P36]", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  const approved = () => academy.chargesOf(purchaseId);
  await academy.tellReference("absent");
  await pass("29d20h");
  await academy.nextChargesOf(student, "timeout-after");
  // The clock's answer waits for due jobs, which wait for the gateway.
  const moved = academy.advance("5h");
  moved.catch(() => null);
  await until(async () => (await approved()).length === 2);
  await restart(moved);
  await pass("3m", "30m", "1h", "6h", "1d", "3d", "7d");
  expect(await approved()).toHaveLength(2);
  const { rows } = await pool.query("select state from payment_attempts where purchase_id = $1", [purchaseId]);
  expect(rows).toEqual([{ state: "approved" }, { state: "approved" }]);
  await expectReceiptNumbersWithoutGaps(pool);
  await academy.tellReference("told");
});

test("a refund whose process is killed is found, counts once, and is in the audit log [P22 Z19]", async () => {
  const { student, purchaseId } = await academy.purchase("vip");
  await pass("1d");
  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  await academy.nextChargesOf(student, "slow:60000");
  const asked = administrator.call(refundPurchase, { body: { purchaseId, reason: "test" } });
  asked.catch(() => null);
  await until(async () => (await pool.query("select id from refunds where purchase_id = $1", [purchaseId])).rowCount);
  await restart(asked);
  await pass("1m", "10m", "31m", "1h");
  const { body } = await administrator.call(getPurchaseDetail, { params: { purchaseId } });
  const atGateway = (await academy.ledger()).filter(({ refTransId }) => refTransId === body.purchase.transactionId);
  const isReturned = atGateway.length === 1;
  expect(body.refunds).toMatchObject([{ state: isReturned ? "returned" : "refused" }]);
  expect(body.purchase.status).toBe(isReturned ? "refunded" : "completed");
  const { rows } = await pool.query("select action, reason, after from audit_log where subject = $1", [purchaseId]);
  const [refund] = body.refunds;
  const after = {
    refundId: refund?.id,
    chargeId: refund?.attemptId,
    kind: "refund",
    amount: "1497.00",
    endsAccess: true,
  };
  expect(rows).toEqual([{ action: "refund purchase", reason: "test", after }]);
});
