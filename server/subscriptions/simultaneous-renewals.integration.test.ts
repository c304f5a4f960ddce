import { expect, test } from "vitest";
import type { Academy } from "#test/academy.ts";
import { forFile } from "#test/fixtures.ts";
import { openTwoNodes, openTwoNodesInProcess } from "#test/two-nodes.ts";
import { until } from "#test/until.ts";

/** The prefix of the copies' ids. A random id has it with a probability of 32^-10. */
const copied = "0000000000%";

/** Subscriptions that are due at the same instant. `simultaneous-renewals.long.test.ts` has more, and kills nodes. */
const size = Number(process.env.WAVE ?? 6);
const kills = size > 1000 ? 12 : 0;

const { nodes, pool } = await forFile(kills > 0 ? openTwoNodes(true) : openTwoNodesInProcess());

/** Makes students with copies of a subscription: the same plan, card and due time. Returns the id of its student. */
async function copySubscription(email: string): Promise<string | undefined> {
  const person = "select * from users where email = $1";
  const { rows } = await pool.query<{ id: string }>(person, [email]);
  const original = rows[0]?.id;
  // One renewal is discounted: a second one at its price, or a step too many, would be noticed.
  await pool.query(
    "update purchases set renewal_amount = 24.5, discounted_renewals = 1, later_amount = amount where user_id = $1",
    [original],
  );
  await pool.query(
    "update subscriptions set price = 24.5, discounted_left = 1, later_price = price where user_id = $1",
    [original],
  );
  const copies = `select lpad(n::text, 20, '0') as copy from generate_series(1, ${size}) n`;
  await pool.query(`insert into users (id, email, email_verified, first_name, has_purchased_course, purchased_tier,
      account_status, created_at, updated_at)
    select copy, 'copy-' || copy || '@example.test', true, 'Copy', true, 'basic', 'active', now(), now() from (${copies}) c`);
  await pool.query(
    `insert into purchases (id, user_id, plan_id, tier, amount, renewal_amount, discounted_renewals, later_amount,
      coaching, status, completed_at, created_at)
    select copy, copy, plan_id, tier, amount, renewal_amount, discounted_renewals, later_amount,
      coaching, status, completed_at, created_at
    from purchases, (${copies}) c where user_id = $1`,
    [original],
  );
  await pool.query(
    `insert into payment_methods (id, user_id, customer_profile_id, payment_profile_id, network_transaction_id, created_at)
    select copy, copy, customer_profile_id, payment_profile_id, network_transaction_id, created_at
    from payment_methods, (${copies}) c where user_id = $1`,
    [original],
  );
  await pool.query(
    `insert into subscriptions (id, purchase_id, user_id, plan_id, tier, price, discounted_left, later_price,
      payment_method_id, status, current_period_start, current_period_end, next_charge_at, created_at)
    select 's' || right(copy, 19), copy, copy, plan_id, tier, price, discounted_left, later_price, copy, status,
      current_period_start, current_period_end, next_charge_at, created_at
    from subscriptions, (${copies}) c where user_id = $1`,
    [original],
  );
  await pool.query(
    `insert into grants (id, user_id, tier, source, source_id, purchase_id, starts_at, ends_at, created_at)
    select copy, copy, tier, source, copy, copy, starts_at, ends_at, created_at
    from grants, (${copies}) c where user_id = $1`,
    [original],
  );
  return original;
}

test(`${size} subscriptions that are due at once on two nodes${kills > 0 ? ` of which ${kills} are killed` : ""} are each renewed once [P23 P24 P50]`, async () => {
  const [first] = nodes;
  const original = await copySubscription((await first.buyer("basic")).email);

  const done = async () => {
    const { rows } = await pool.query<{ done: number }>(
      "select count(*)::int as done from grants where source = 'renewal' and (user_id like $1 or user_id = $2)",
      [copied, original],
    );
    return rows[0]?.done ?? 0;
  };
  // Moving the clock waits for due jobs, but this test kills the nodes that run them.
  const moved = first.advance("30d").catch(() => null);
  for (let kill = 1; kill <= kills; kill++) {
    await until(async () => (await done()) >= (size * kill) / (kills + 1), 1800);
    const victim = nodes[kill % 2] as Academy;
    await victim.kill();
    await victim.start();
  }
  await moved;
  // After two minutes other nodes take over the killed ones' jobs, and the resolver their attempts. Attempts that were
  // never sent are given up, and retried within four hours.
  for (const duration of ["3m", "6m", "16m", "31m", "1h", "4h"]) {
    if ((await done()) <= size) await first.advance(duration);
  }
  await until(async () => (await done()) === size + 1, 1800);

  const ledger = (await first.ledger()).filter((row) => row.responseCode === "1");
  const { rows: prices } = await pool.query(
    `select price::float8, discounted_left as left, later_price as later, count(*)::int from subscriptions
      where user_id like $1 or user_id = $2 group by 1, 2, 3`,
    [copied, original],
  );
  expect(prices).toEqual([{ price: 49, left: 0, later: null, count: size + 1 }]);
  const { rows: attempts } = await pool.query<{ purchase_id: string; invoice_number: string; state: string }>(
    "select purchase_id, invoice_number, state from payment_attempts where kind = 'renewal' and purchase_id like $1",
    [copied],
  );
  const invoices = new Set(ledger.map((row) => row.invoiceNumber));
  expect(invoices.size).toBe(ledger.length);
  const approved = attempts.filter(({ state }) => state === "approved");
  expect(approved).toHaveLength(size);
  expect(new Set(approved.map((attempt) => attempt.purchase_id)).size).toBe(size);
  // An attempt that was never sent shares its invoice number with its retry, which accounts for the charge.
  const accounted = new Set(approved.map((attempt) => attempt.invoice_number));
  expect([...accounted].filter((invoice) => !invoices.has(invoice))).toEqual([]);
  const charged = attempts.filter((attempt) => invoices.has(attempt.invoice_number));
  expect(charged.filter((attempt) => !accounted.has(attempt.invoice_number))).toEqual([]);

  const { rows: right } = await pool.query(
    `select s.id from subscriptions s join payment_methods m on m.id = s.payment_method_id
      join subscriptions original using (current_period_end) join payment_methods card on card.id = original.payment_method_id
      where s.purchase_id like $1 and original.purchase_id not like $1 and s.status = 'active'
        and card.customer_profile_id = m.customer_profile_id`,
    [copied],
  );
  expect(right).toHaveLength(size);
  const mails = await until(async () => {
    const toCopies = (await first.mails()).filter((mail) => mail.to.startsWith("copy-"));
    return toCopies.length >= size && toCopies;
  }, 600);
  expect(mails.every((mail) => mail.subject.startsWith("Your Monthly Access was renewed"))).toBe(true);
  expect(new Set(mails.map((mail) => mail.to)).size).toBe(size);
  expect(mails).toHaveLength(size);
}, 7_200_000);
