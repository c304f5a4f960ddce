import { afterEach, expect, onTestFinished } from "vitest";
import { getReconciliation } from "#contract/admin/reconciliation.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { booksOf } from "#test/books.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { cloneDatabase } from "#test/postgres.ts";
import { openSandboxProcess } from "#test/stand-ins/sandbox-process.ts";
import { leaveBehind } from "#test/stop-renewals.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator, test } = await academyOfFile();
const { compare, repair } = booksOf(administrator);
const { pool } = academy;
afterEach(async () => {
  await academy.tellReference("told");
  await leaveBehind(academy);
});

async function attemptsOf(purchaseId: string) {
  const { rows } = await pool.query<{ state: string; invoice_number: string; cause: string | null }>(
    "select state, invoice_number, cause from payment_attempts where purchase_id = $1 order by sent_at, id",
    [purchaseId],
  );
  return rows;
}

async function pass(...durations: string[]): Promise<void> {
  for (const duration of durations) await academy.advance(duration, administrator);
}

/** Open and repaired ones. */
const discrepanciesOf = async (purchaseId: string) =>
  (await administrator.call(getReconciliation)).body.rows.filter((one) => one.purchaseId === purchaseId);

test("a purchase whose answer is lost is charged once where reports never tell references [P36]", async () => {
  await academy.tellReference("absent");
  const buyer = await academy.visitor().signUp();
  await academy.nextChargesOf(buyer, "reset-after");
  const answer = await buyer.buy("premium");
  expect(answer.status).toBe(202);
  await pass("1m");
  expect(await buyer.purchase()).toMatchObject({ status: "completed", id: answer.body.purchaseId });
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

  expect((await repair(found?.id, "adopt-charge")).status).toBe(200);
  expect(await attemptsOf(purchaseId)).toMatchObject([{ state: "approved" }, { state: "approved" }]);
  await student.signInAgain();
  expect(await student.access()).toMatchObject({ hasAccess: true });
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
  expect((await repair(found?.id, "allow-charges")).status).toBe(200);
  await pass("3d");
  expect(await academy.chargesOf(purchaseId)).toHaveLength(2);
});

const pollsWaiting = async (purchaseId: string) => {
  const { rows } = await pool.query<{ polls: number }>(
    `select count(*)::int as polls from jobs j join payment_attempts a on a.id = j.data ->> 'attemptId'
      where j.name = 'resolve-payment' and j.failed_at is null and a.purchase_id = $1`,
    [purchaseId],
  );
  return rows[0]?.polls;
};

test("comparisons begin no polls beside those that wait, and the polls end after days [P36]", async ({ student }) => {
  await academy.tellReference("other");
  await academy.nextChargesOf(student, "reset-after");
  const { body } = await student.buy("premium");
  await pass("1h");
  for (let times = 0; times < 3; times++) await compare();
  expect(await pollsWaiting(body.purchaseId)).toBe(1);
  await pass("4d");
  expect(await pollsWaiting(body.purchaseId)).toBe(0);
  expect(await attemptsOf(body.purchaseId)).toMatchObject([{ state: "unknown" }]);
  expect(await discrepanciesOf(body.purchaseId)).toMatchObject([{ kind: "reference-differs", resolvedAt: null }]);
});

test("a payment that no poll could clear up is a person's after a day, who says that nothing was charged [P37]", async () => {
  const student = await academy.visitor().signUp();
  await academy.nextChargesOf(student, "error:11");
  const { body } = await student.buy("premium");
  expect(body.status).toBe("pending");
  await pass("2d");
  const [found] = await discrepanciesOf(body.purchaseId);
  expect(found).toMatchObject({ kind: "payment-unresolved", expected: "397.00", resolvedAt: null });
  expect(await repair(found?.id, "ask-again")).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect((await repair(found?.id, "count-as-not-charged")).status).toBe(200);
  await student.signInAgain();
  expect(await student.purchase()).toMatchObject({ status: "failed" });
  expect((await student.buy("premium")).status).toBe(200);
});

test("a held payment is decided about at the gateway alone, and is listed while nobody does [P10]", async () => {
  const student = await academy.visitor().signUp();
  await academy.nextChargesOf(student, "hold");
  const { body } = await student.buy("premium");
  await pass("5d");
  const [found] = await discrepanciesOf(body.purchaseId);
  expect(found?.sentence).toContain("is holding the charge for review");
  expect((await repair(found?.id, "count-as-not-charged")).status).toBe(409);
  await academy.decide((await academy.transactionsOf(body.purchaseId))[0]?.transId, "approve");
  expect((await repair(found?.id, "ask-again")).status).toBe(200);
  await student.signInAgain();
  expect(await student.purchase()).toMatchObject({ status: "completed" });
});

test("a payment whose polls were lost is cleared up by the comparison of a night [P36]", async ({ student }) => {
  await academy.nextChargesOf(student, "error-500");
  const { body } = await student.buy("premium");
  expect(body.status).toBe("pending");
  await pool.query("delete from jobs where name = 'resolve-payment'");
  await pass("5d");
  await student.signInAgain();
  expect(await student.purchase()).toMatchObject({ status: "failed" });
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

  onTestFinished(() => backup.drop());
  await using restored = await openAcademyInProcess(env, backup);
  for (const later of ["1h", "1d"]) await restored.advance(later);
  const approved = "select transaction_id as id from payment_attempts where purchase_id = $1 and state = 'approved'";
  const charges = await until(async () => {
    const { rows } = await restored.pool.query<{ id: string }>(approved, [purchaseId]);
    return rows.length === 2 && rows.map(({ id }) => id);
  });
  expect(charges.sort()).toEqual(known.map(({ transId }) => transId).sort());
  expect(await restored.chargesOf(purchaseId)).toHaveLength(2);
  const grants = "select 1 from grants where purchase_id = $1 and source = 'renewal'";
  expect((await restored.pool.query(grants, [purchaseId])).rowCount).toBe(1);
  // A comparison that ran before the renewals recorded it as an unknown charge, which must not be paid back now.
  const theirs = await restored.visitor().signInAsDemo("admin@academy.test");
  await booksOf(theirs).compare();
  const { rows } = (await theirs.call(getReconciliation)).body;
  const adopted = rows.filter((one) => known.some(({ transId }) => transId === one.transactionId));
  for (const one of adopted) expect(one).toMatchObject({ kind: "unknown-here", resolution: "No longer differs" });
});

/** The gateway's charges of the buyer's newest purchase. */
const partOf = async (buyer: Visitor) => {
  const id = (await buyer.purchase())?.id;
  return (await academy.ledger()).find((row) => row.invoiceNumber === id);
};

test("a part that a prepaid card gives is voided, and an error that looks like an approval is a refusal [P09]", async () => {
  const student = await academy.visitor().signUp();
  await academy.nextChargesOf(student, "partial");
  const partial = await student.buy("premium");
  expect(partial).toMatchObject({ status: 402, body: { code: "payment-declined" } });
  expect(await partOf(student)).toMatchObject({ amount: 1.23, status: "voided" });

  await academy.nextChargesOf(student, "error-as-approved:205", "error:205", "decline:4");
  for (let at = 0; at < 3; at++) {
    const answer = await student.buy("premium");
    expect(answer).toMatchObject({ status: 402, body: { code: "payment-declined" } });
  }
  expect((await student.access()).hasAccess).toBe(false);
  expect((await student.buy("premium")).status).toBe(200);
});

test("a part whose answer is lost is found and voided by itself [P09]", async () => {
  await academy.tellReference("absent");
  const buyer = await academy.visitor().signUp();
  // The void that follows gets no answer either.
  await academy.nextChargesOf(buyer, "partial", "error-500");
  expect((await buyer.buy("premium")).status).toBe(202);
  await pass("1m");
  expect(await buyer.purchase()).toMatchObject({ status: "failed" });
  expect(await partOf(buyer)).toMatchObject({ amount: 1.23, status: "voided" });
});
