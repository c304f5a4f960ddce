import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { cancelOwnSubscription } from "#contract/purchases/subscriptions.ts";
import { openPool } from "#server/db/db.ts";
import { type Academy, openAcademy } from "#test/academy.ts";

const DAY = 86_400_000;

let academy: Academy;
let pool: ReturnType<typeof openPool>;
beforeAll(async () => {
  // A time zone with daylight saving time.
  academy = await openAcademy({ TZ: "America/New_York", PGTZ: "America/New_York" });
  pool = openPool(academy.database.connection, () => {}, 2);
  await (await academy.visitor().signInAsDemo("basic@academy.test")).call(cancelOwnSubscription, { body: {} });
});
afterAll(async () => {
  await pool?.end();
  await academy?.[Symbol.asyncDispose]();
});

/** Each day around the first renewal, then up to three years, in steps that include all due days. */
const steps = [
  28,
  ...Array(4).fill(1),
  8,
  ...Array(11).fill(10),
  ...Array(8).fill(30),
  ...Array(5).fill(150),
] as number[];

test("over three years of summer times and a leap day every period is 30 days to the second, and charged once [P25]", async () => {
  const student = await academy.visitor().signUp();
  const bought = await student.call(acceptPayment, { body: await student.paymentFor("basic") });
  const { purchaseId } = bought.body;
  const read = `select current_period_end as paid_until, next_charge_at as next_billing_date, completed_at
    from subscriptions join purchases on purchases.id = purchase_id where purchase_id = $1`;
  const subscription = async () => (await pool.query(read, [purchaseId])).rows[0];
  const began: number = (await subscription()).completed_at.getTime();

  let days = 0;
  for (const step of steps) {
    // No step is longer than a period, so everything due is charged on its day.
    for (let left = step; left > 0; left -= 30) await academy.advance(`${Math.min(left, 30)}d`);
    days += step;
    const periods = Math.floor(days / 30) + 1;
    const { paid_until, next_billing_date } = await subscription();
    expect((paid_until - began) / DAY, `after ${days} days`).toBe(periods * 30);
    expect(next_billing_date).toEqual(paid_until);
  }
  expect(days).toBeGreaterThan(3 * 365);

  const { rows: grants } = await pool.query(
    "select starts_at, ends_at from grants where purchase_id = $1 and source in ('purchase', 'renewal') order by starts_at",
    [purchaseId],
  );
  expect(grants).toHaveLength(Math.floor(days / 30) + 1);
  for (const [number, grant] of grants.entries()) {
    expect((grant.starts_at - began) / DAY).toBe(number * 30);
    expect((grant.ends_at - grant.starts_at) / DAY).toBe(30);
  }
  const charged = "select count(*)::int as count from payment_attempts where purchase_id = $1 and state = 'approved'";
  expect((await pool.query(charged, [purchaseId])).rows).toEqual([{ count: grants.length }]);
});
