import { afterEach, expect } from "vitest";
import { getCourseAccess } from "#contract/access.ts";
import { getReconciliation, repairDiscrepancy, runReconciliation } from "#contract/admin/reconciliation.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import { openPool } from "#server/db/db.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { cloneDatabase } from "#test/postgres.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { leaveBehind } from "#test/stop-renewals.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, test } = await academyOfFile();
const { pool } = academy;
afterEach(async () => {
  await academy.tellReference("told");
  await leaveBehind(academy);
});

const newest = async (buyer: Visitor) => (await buyer.call(listUserPurchases)).body[0];

async function attemptsOf(purchaseId: string) {
  const { rows } = await pool.query<{ state: string; invoice_number: string; cause: string | null }>(
    "select state, invoice_number, cause from payment_attempts where purchase_id = $1 order by sent_at, id",
    [purchaseId],
  );
  return rows;
}

async function pass(...durations: string[]): Promise<void> {
  for (const duration of durations) await academy.advance(duration);
}

const administrator = (at: RunningAcademy = academy) => at.visitor().signInAsDemo("admin@academy.test");
const discrepanciesOf = async (purchaseId: string) =>
  (await (await administrator()).call(getReconciliation)).body.rows.filter((one) => one.purchaseId === purchaseId);

test("a purchase whose answer is lost is charged once where reports never tell references [P36]", async () => {
  await academy.tellReference("absent");
  const buyer = await academy.visitor().signUp();
  await academy.nextChargesOf(buyer, "reset-after");
  const answer = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
  expect(answer.status).toBe(202);
  await pass("1m");
  expect(await newest(buyer)).toMatchObject({ status: "completed", id: answer.body.purchaseId });
  await pass("2h", "1d");
  expect(await academy.chargesOf(answer.body.purchaseId)).toHaveLength(1);
  expect(await discrepanciesOf(answer.body.purchaseId)).toEqual([]);
});

test("a charge with another reference waits for an administrator, and nothing is charged meanwhile [P36]", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await academy.tellReference("other");
  await pass("29d20h");
  await academy.nextChargesOf(student, "reset-after");
  await pass("5h", "1h", "1d", "3d");
  expect(await academy.chargesOf(purchaseId)).toHaveLength(2);
  expect(await attemptsOf(purchaseId)).toMatchObject([{ state: "approved" }, { state: "unknown" }]);
  const [found] = await discrepanciesOf(purchaseId);
  expect(found).toMatchObject({ kind: "reference-differs", purchaseId, expected: "49.00", found: "49.00" });

  const body = { discrepancyId: found?.id ?? "", action: "adopt-charge", reason: "seen at the gateway" };
  expect((await (await administrator()).call(repairDiscrepancy, { body })).status).toBe(200);
  expect(await attemptsOf(purchaseId)).toMatchObject([{ state: "approved" }, { state: "approved" }]);
  await student.signInAgain();
  expect((await student.call(getCourseAccess)).body).toMatchObject({ hasAccess: true });
  await pass("7d");
  expect(await academy.chargesOf(purchaseId)).toHaveLength(2);
});

test("a renewal that is tried again keeps its invoice, and after three unknown outcomes waits for a person [P36]", async () => {
  const { student, purchaseId } = await academy.purchase("basic");
  await pass("29d20h");
  await academy.nextChargesOf(student, ...Array.from({ length: 9 }, () => "error-500"));
  // Each try is followed by the two polls that give it up.
  for (const untilTry of ["5h", "1h", "4h", "12h"]) await pass(untilTry, "1m", "1h");
  await pass("1d");
  const [, ...renewals] = await attemptsOf(purchaseId);
  expect(renewals).toMatchObject(Array.from({ length: 3 }, () => ({ state: "not-processed", cause: "not-found" })));
  expect(new Set(renewals.map((attempt) => attempt.invoice_number)).size).toBe(1);
  const [found] = await discrepanciesOf(purchaseId);
  expect(found).toMatchObject({ kind: "outcomes-unknown", purchaseId });

  await academy.nextChargesOf(student);
  await pass("1d");
  expect(await academy.chargesOf(purchaseId)).toHaveLength(1);
  const body = { discrepancyId: found?.id ?? "", action: "allow-charges", reason: "nothing there" };
  expect((await (await administrator()).call(repairDiscrepancy, { body })).status).toBe(200);
  await pass("3d");
  expect(await academy.chargesOf(purchaseId)).toHaveLength(2);
});

test("a renewal that was given up too early is adopted before it is charged again [P36]", async () => {
  const { purchaseId } = await academy.purchase("basic");
  await pass("30d1m");
  expect(await academy.chargesOf(purchaseId)).toHaveLength(2);
  const renewal = "purchase_id = $1 and kind = 'renewal'";
  const givenUp = `update payment_attempts set state = 'not-processed', cause = 'not-found', transaction_id = null
    where ${renewal}`;
  await pool.query(givenUp, [purchaseId]);
  const periodBefore = `update subscriptions set current_period_end = a.renews_from, next_charge_at = a.renews_from
    from payment_attempts a where subscriptions.purchase_id = $1 and a.purchase_id = $1 and a.kind = 'renewal'`;
  await pool.query(periodBefore, [purchaseId]);
  await pass("2m", "1d");
  expect(await academy.chargesOf(purchaseId)).toHaveLength(2);
  const attempts = await attemptsOf(purchaseId);
  expect(attempts.filter(({ state }) => state === "approved")).toHaveLength(2);
});

const pollsWaiting = async (purchaseId: string) => {
  const { rows } = await pool.query<{ polls: number }>(
    `select count(*)::int as polls from jobs j join payment_attempts a on a.id = j.data ->> 'attemptId'
      where j.name = 'resolve-payment' and j.failed_at is null and a.purchase_id = $1`,
    [purchaseId],
  );
  return rows[0]?.polls;
};

test("comparisons begin no polls beside those that wait, and the polls end after days [P36]", async () => {
  const buyer = await academy.visitor().signUp();
  await academy.tellReference("other");
  await academy.nextChargesOf(buyer, "reset-after");
  const { body } = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
  await pass("1h");
  const administering = await administrator();
  for (let times = 0; times < 3; times++) await administering.call(runReconciliation, { body: {} });
  expect(await pollsWaiting(body.purchaseId)).toBe(1);
  await pass("4d");
  expect(await pollsWaiting(body.purchaseId)).toBe(0);
  expect(await attemptsOf(body.purchaseId)).toMatchObject([{ state: "unknown" }]);
  expect(await discrepanciesOf(body.purchaseId)).toMatchObject([{ kind: "reference-differs", resolvedAt: null }]);
});

test("a payment that no poll could clear up is a person's after a day, who says that nothing was charged [P37]", async () => {
  const buyer = await academy.visitor().signUp();
  await academy.nextChargesOf(buyer, "error:11");
  const { body } = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
  expect(body.status).toBe("pending");
  await pass("2d");
  const [found] = await discrepanciesOf(body.purchaseId);
  expect(found).toMatchObject({ kind: "payment-unresolved", expected: "397.00", resolvedAt: null });
  const press = async (action: string) =>
    (await administrator()).call(repairDiscrepancy, { body: { discrepancyId: found?.id, action, reason: "looked" } });
  expect(await press("ask-again")).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await press("count-as-not-charged")).status).toBe(200);
  await buyer.signInAgain();
  expect(await newest(buyer)).toMatchObject({ status: "failed" });
  expect((await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") })).status).toBe(200);
});

test("a held payment is decided about at the gateway alone, and is listed while nobody does [P10]", async () => {
  const buyer = await academy.visitor().signUp();
  await academy.nextChargesOf(buyer, "hold");
  const { body } = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
  await pass("5d");
  const [found] = await discrepanciesOf(body.purchaseId);
  expect(found?.sentence).toContain("is holding the charge for review");
  const administering = await administrator();
  const call = (action: string) =>
    administering.call(repairDiscrepancy, { body: { discrepancyId: found?.id, action, reason: "looked" } });
  expect((await call("count-as-not-charged")).status).toBe(409);
  await academy.decide((await academy.transactionsOf(body.purchaseId))[0]?.transId, "approve");
  expect((await call("ask-again")).status).toBe(200);
  await buyer.signInAgain();
  expect(await newest(buyer)).toMatchObject({ status: "completed" });
});

test("a payment whose polls were lost is cleared up by the comparison of a night [P36]", async () => {
  const buyer = await academy.visitor().signUp();
  await academy.nextChargesOf(buyer, "error-500");
  const { body } = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
  expect(body.status).toBe("pending");
  await pool.query("delete from jobs where name = 'resolve-payment'");
  await pass("5d");
  await buyer.signInAgain();
  expect(await newest(buyer)).toMatchObject({ status: "failed" });
});

test("an academy that is restored from an older backup adopts the renewals that it does not know [P37]", async () => {
  await using sandbox = await openSandboxProcess();
  const env = { SANDBOX_URL: sandbox.url, SESSION_SECRET: "one secret for both lives of this academy" };
  await using lost = await openAcademyInProcess(env);
  const { student, purchaseId } = await lost.purchase("basic");
  await lost.stop();
  const backup = await cloneDatabase(lost.database.name);
  await lost.start();
  // Declined once, so that the approved charge has an invoice number that is not in the backup.
  await lost.nextChargesOf(student, "decline");
  await lost.advance("30d1m");
  await lost.advance("4d");
  const known = await lost.chargesOf(purchaseId);
  expect(known).toHaveLength(2);
  await lost.stop();

  await using restored = await openAcademyInProcess(env, backup);
  const restoredPool = openPool(backup.connection, () => {}, 2);
  try {
    await restored.advance("1h");
    await restored.advance("1d");
    const approved = async () => {
      const text = "select transaction_id from payment_attempts where purchase_id = $1 and state = 'approved'";
      return (await restoredPool.query<{ transaction_id: string }>(text, [purchaseId])).rows;
    };
    expect(await until(async () => (await approved()).length === 2 && (await approved()))).toEqual(
      expect.arrayContaining(known.map((row) => ({ transaction_id: row.transId }))),
    );
    expect(await restored.chargesOf(purchaseId)).toHaveLength(2);
    const grants = "select 1 from grants where purchase_id = $1 and source = 'renewal'";
    expect((await restoredPool.query(grants, [purchaseId])).rowCount).toBe(1);
    // A comparison that ran before the renewals recorded it as an unknown charge, which must not be paid back now.
    const { body } = await (await administrator(restored)).call(runReconciliation, { body: {} });
    const adopted = body.rows.filter((one) => known.some(({ transId }) => transId === one.transactionId));
    for (const one of adopted) expect(one).toMatchObject({ kind: "unknown-here", resolution: "No longer differs" });
  } finally {
    await restoredPool.end();
    await backup.drop();
  }
});

/** The gateway's charges of the buyer's newest purchase. */
const partOf = async (buyer: Visitor) => {
  const id = (await newest(buyer))?.id;
  return (await academy.ledger()).find((row) => row.invoiceNumber === id);
};

test("a part that a prepaid card gives is voided, and an error that looks like an approval is a refusal [P09]", async () => {
  const buyer = await academy.visitor().signUp();
  await academy.nextChargesOf(buyer, "partial");
  const partial = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
  expect(partial).toMatchObject({ status: 402, body: { code: "payment-declined" } });
  expect(await partOf(buyer)).toMatchObject({ amount: 1.23, status: "voided" });

  await academy.nextChargesOf(buyer, "error-as-approved:205", "error:205", "decline:4");
  for (let at = 0; at < 3; at++) {
    const answer = await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") });
    expect(answer).toMatchObject({ status: 402, body: { code: "payment-declined" } });
  }
  expect((await buyer.call(getCourseAccess)).body.hasAccess).toBe(false);
  expect((await buyer.call(acceptPayment, { body: await buyer.paymentFor("premium") })).status).toBe(200);
});

test("a part whose answer is lost is found and voided by itself [P09]", async () => {
  await academy.tellReference("absent");
  const buyer = await academy.visitor().signUp();
  const body = await buyer.paymentFor("premium");
  // The void that follows gets no answer either.
  await academy.nextChargesOf(buyer, "partial", "error-500");
  const answer = await buyer.call(acceptPayment, { body });
  expect(answer.status).toBe(202);
  await pass("1m");
  expect(await newest(buyer)).toMatchObject({ status: "failed" });
  expect(await partOf(buyer)).toMatchObject({ amount: 1.23, status: "voided" });
});
