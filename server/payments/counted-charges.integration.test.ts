import { expect } from "vitest";
import { refundPurchase } from "#contract/admin/purchases.ts";
import { academyOfFile } from "#test/fixtures.ts";

const { academy, test } = await academyOfFile();

/** Returns the purchase's id. */
async function change(statement: string, purchaseId: string): Promise<void> {
  const { rowCount } = await academy.pool.query(statement, [purchaseId]);
  expect(rowCount, statement).toBe(1);
}

async function expectNothingBehind(): Promise<void> {
  const charges = `select attempt.id, attempt.user_id, plan_id, kind = 'initial', (attempt.amount * 100)::int, resolved_at
    from payment_attempts as attempt join purchases on purchases.id = purchase_id where state = 'approved'`;
  const { rows } = await academy.pool.query(`
    (table counted_charges except all ${charges}) union all (${charges} except all table counted_charges)`);
  expect(rows).toEqual([]);
  const { rows: subscriptions } = await academy.pool.query(`
    select subscriptions.id from subscriptions join purchases on purchases.id = purchase_id
    where (begun_at, is_paid) is distinct from (completed_at, purchases.status = 'completed')`);
  expect(subscriptions).toEqual([]);
}

test("what figures read of charges and subscriptions is never behind, whatever changes them", async () => {
  const counted = async () => (await academy.pool.query("table counted_charges")).rowCount ?? 0;
  const before = await counted();
  const [monthly] = [(await academy.purchase("basic")).purchaseId, (await academy.purchase("vip")).purchaseId];
  await expectNothingBehind();
  expect(await counted()).toBe(before + 2);

  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const refund = await admin.call(refundPurchase, { body: { purchaseId: monthly, reason: "test" } });
  expect(refund.status).toBe(200);
  await expectNothingBehind();
  const { rows } = await academy.pool.query("select is_paid from subscriptions where purchase_id = $1", [monthly]);
  expect(rows).toEqual([{ is_paid: false }]);

  for (const statement of [
    "update payment_attempts set state = 'not-processed' where purchase_id = $1",
    "update payment_attempts set state = 'approved' where purchase_id = $1",
    "update payment_attempts set amount = amount + 0.01 where purchase_id = $1",
    "update payment_attempts set resolved_at = resolved_at - interval '40 days' where purchase_id = $1",
    "update purchases set plan_id = 'premium_annual' where id = $1",
    "update purchases set status = 'completed', completed_at = completed_at - interval '40 days' where id = $1",
    "update purchases set completed_at = null where id = $1",
  ]) {
    await change(statement, monthly);
    await expectNothingBehind();
  }
  // In the order of a restore: the copy first.
  const { rows: attempts } = await academy.pool.query("select * from payment_attempts where purchase_id = $1", [
    monthly,
  ]);
  const { rows: copies } = await academy.pool.query("table counted_charges");
  const copy = copies.find(({ attempt_id }) => attempt_id === attempts[0].id);
  await academy.pool.query("delete from refunds where purchase_id = $1", [monthly]);
  await change("delete from payment_attempts where purchase_id = $1", monthly);
  await expectNothingBehind();
  await academy.pool.query(
    "insert into counted_charges select * from json_populate_record(null::counted_charges, $1)",
    [copy],
  );
  await academy.pool.query(
    "insert into payment_attempts select * from json_populate_record(null::payment_attempts, $1)",
    [attempts[0]],
  );
  await expectNothingBehind();
});
