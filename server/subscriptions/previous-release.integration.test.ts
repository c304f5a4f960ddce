import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { databaseOfFile } from "#test/fixtures.ts";
import { createEmptyDatabase } from "#test/postgres.ts";

const folder = new URL("../db/migrations/", import.meta.url);
const moving = "20261122123153_subscriptions";

const { pool } = await databaseOfFile(createEmptyDatabase());

/** Applies migrations one by one, so that a test can run between two of them. */
async function apply(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const sql = readFileSync(new URL(`${name}/migration.sql`, folder), "utf8");
    for (const statement of sql.split("--> statement-breakpoint")) await pool.query(statement);
  }
}

const names = readdirSync(folder).sort();
await apply(names.filter((name) => name < moving));
await pool.query(`insert into users (id, email, created_at, updated_at) values ('u', 'u@example.test', now(), now())`);
await pool.query(`insert into plans
    (id, name, price, tier, billing, description, features, button_label, position, updated_at)
  values ('basic_monthly', 'Monthly Access', 49, 'basic', 'monthly', '', '{}', '', 1, now())`);

const paid = "2026-12-01T10:00:00Z";

/** A purchase as the previous release wrote it. By default, that of a renewing subscription. */
async function sell(id: string, differs: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const columns = {
    subscription_status: "active",
    payment_declined: false,
    declined_since: null,
    declined_for_good: false,
    next_billing_date: paid,
    ...differs,
  };
  await pool.query(
    `insert into purchases (id, user_id, plan_id, tier, amount, status, created_at)
     values ($1, 'u', 'basic_monthly', 'basic', 49, 'pending', '2026-11-01T10:00:00Z')`,
    [id],
  );
  await pool.query(
    `update purchases set status = 'completed', completed_at = '2026-11-01T10:00:00Z', subscription_id = 's-' || id,
       is_recurring = true, paid_until = $2, customer_profile_id = 'c1', payment_profile_id = 'p1', card_brand = 'Visa',
       card_last4 = '1111', network_transaction_id = 'n1', subscription_status = $3, payment_declined = $4,
       declined_since = $5, declined_for_good = $6, next_billing_date = $7 where id = $1`,
    [
      ...[id, paid, columns.subscription_status, columns.payment_declined, columns.declined_since],
      ...[columns.declined_for_good, columns.next_billing_date],
    ],
  );
}

async function subscriptionOf(purchaseId: string) {
  const { rows } = await pool.query(
    `select s.id, s.status, s.price, s.current_period_start, s.current_period_end, s.next_charge_at, s.dunning_since,
       s.declined_for_good, m.customer_profile_id, m.payment_profile_id, m.network_transaction_id, m.brand, m.last4
     from subscriptions s join payment_methods m on m.id = s.payment_method_id where s.purchase_id = $1`,
    [purchaseId],
  );
  return rows[0];
}

test("each subscription of the release before is there as it was, and that release finds nothing more to charge [I11]", async () => {
  const since = "2026-12-01T10:00:05Z";
  await sell("active");
  await sell("retrying", { declined_since: since });
  await sell("declined", { payment_declined: true, declined_since: since, declined_for_good: true });
  await sell("on-hold", { subscription_status: "on_hold", payment_declined: true, next_billing_date: null });
  await sell("held", { subscription_status: "on_hold", next_billing_date: null });
  await sell("cancelled", { subscription_status: "cancelled", next_billing_date: null });
  await pool.query(
    `insert into payment_attempts (id, purchase_id, user_id, kind, idempotency_key, reference, invoice_number, amount, state,
       sent_at) values ('a1', 'active', 'u', 'initial', 'token', 'r1', 'i1', 49, 'approved', now()),
       ('a2', 'active', 'u', 'renewal', 'renewal:active:1:0', 'r2', 'i2', 49, 'approved', now()),
       ('a3', 'active', 'u', 'renewal', 'another token', 'r3', 'i3', 49, 'approved', now())`,
  );
  await apply([moving]);

  const { rows } = await pool.query("select purchase_id, status from subscriptions order by purchase_id");
  expect(Object.fromEntries(rows.map(({ purchase_id, status }) => [purchase_id, status]))).toEqual({
    active: "active",
    retrying: "retrying",
    declined: "declined",
    "on-hold": "on_hold",
    held: "held",
    cancelled: "cancelled",
  });
  expect(await subscriptionOf("active")).toEqual({
    id: "s-active",
    status: "active",
    price: "49.00",
    current_period_start: new Date("2026-11-01T10:00:00Z"),
    current_period_end: new Date(paid),
    next_charge_at: new Date(paid),
    dunning_since: null,
    declined_for_good: false,
    customer_profile_id: "c1",
    payment_profile_id: "p1",
    network_transaction_id: "n1",
    brand: "Visa",
    last4: "1111",
  });
  expect(await subscriptionOf("declined")).toMatchObject({ dunning_since: new Date(since), declined_for_good: true });
  const due =
    "select 1 from purchases where is_recurring or subscription_id is not null or next_billing_date is not null";
  expect((await pool.query(due)).rowCount).toBe(0);
  const initiators = await pool.query("select id, initiated_by from payment_attempts order by id");
  expect(initiators.rows.map(({ initiated_by }) => initiated_by)).toEqual(["student", "renewal", "student"]);
});

test("what the release before sells beside this one is moved as soon as it is paid [I11]", async () => {
  await sell("late");
  expect(await subscriptionOf("late")).toMatchObject({ id: "s-late", status: "active", last4: "1111" });
  expect((await pool.query("select 1 from purchases where is_recurring")).rowCount).toBe(0);
});
